/** The form for a table: fills in rules and shows them beside it as soon as something is chosen. */

import { at, by, onPage, request } from "./page.js";

/** Milliseconds without a change after which the rules are asked for. */
const PAUSE = 300;

/** The fields that bring other rules along. */
const GAMES = ["preset", "players"];

/** The parts in which any choice may change another part. */
const BRINGING = "[data-answered]:not(#options)";

class RulesPreview {
  #form = /** @type {HTMLFormElement} */ (by("table-form"));
  /** @type {number | undefined} */
  #timer;
  #asked = 0;
  /** The control that was last changed to bring others along, until they are filled in.
   * @type {Element | null} */
  #changed = null;
  /** Whether the rules to be filled in are those of another game. */
  #told = false;
  /** The last key press that the page was told of. @type {KeyboardEvent | null} */
  #pressed = null;

  /** @param {AbortSignal} signal */
  constructor(signal) {
    signal.addEventListener("abort", () => {
      this.#asked += 1;
      window.clearTimeout(this.#timer);
    });
    this.#form.addEventListener("keydown", (event) => {
      this.#pressed = event;
    });
    this.#form.addEventListener("keyup", (event) => this.#released(event));
    this.#form.addEventListener("input", ({ target }) => {
      const control = /** @type {HTMLInputElement} */ (target);
      this.#fit();
      window.clearTimeout(this.#timer);
      this.#asked += 1; // an answer to the form as it was before would undo this
      const another = GAMES.includes(control.name);
      if (another || control.closest(BRINGING)) this.#changed = control;
      this.#told ||= another;
      const ask = () => (this.#changed ? this.#fillIn() : this.#showRules());
      this.#timer = window.setTimeout(ask, PAUSE);
    });
    this.#fit();
  }

  /**
   * The playroom's answer to the form as it stands; null if the form has changed meanwhile.
   * @param {string} address
   */
  async #read(address) {
    this.#asked += 1;
    const mine = this.#asked;
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(this.#form)) fields.append(name, String(value));
    fields.delete("password");
    fields.append("do", "show");
    try {
      const answer = await request(address, { method: "POST", body: fields });
      const text = await answer.text();
      return mine === this.#asked ? new DOMParser().parseFromString(text, "text/html") : null;
    } catch {
      return null; // the button shows the rules as well
    }
  }

  async #showRules() {
    const sheet = await this.#read(at("/tables/preview"));
    if (sheet) by("sheet").replaceChildren(...sheet.body.childNodes);
  }

  /** Fills in what the playroom answers, in all parts of the form that it may change. */
  async #fillIn() {
    const page = await this.#read(this.#form.action);
    const players = /** @type {HTMLSelectElement | null} */ (page?.getElementById("players") ?? null);
    if (!page || !players) return;
    const [changed, told] = [this.#changed, this.#told];
    [this.#changed, this.#told] = [null, false];
    for (const part of document.querySelectorAll("[data-answered]")) {
      const answered = page.getElementById(part.id);
      if (!answered || part.contains(changed)) continue;
      const focused = part.contains(document.activeElement) ? document.activeElement?.id : "";
      part.replaceChildren(...answered.childNodes);
      if (focused) document.getElementById(focused)?.focus();
    }
    /** @type {HTMLSelectElement} */ (by("players")).value = players.value;
    this.#fit();
    if (!told) return;
    const chosen = this.#form.querySelector(".preset:has([name=preset]:checked) strong");
    by("said").textContent = (this.#form.dataset.filled ?? "").replace(
      "{preset}",
      chosen?.textContent ?? "",
    );
  }

  /** Hides the controls that the chosen kind of table does not need. */
  #fit() {
    const players = Number(/** @type {HTMLSelectElement} */ (by("players")).value);
    for (let place = 1; place < 10; place += 1) show(`seat${place}`, place < players);
    show("password", new FormData(this.#form).get("access") === "password");
  }

  /** The fields and buttons that Tab stops at, in their order. */
  #stops() {
    const stop = "input:not([type=hidden], [type=radio]:not(:checked)), select, summary, button";
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.#form.querySelectorAll(stop))].filter(
      (each) => each.tabIndex >= 0 && each.checkVisibility(),
    );
  }

  /**
   * Moves the focus on: Chromium keeps the Tab that closes an open list for itself, and stays there.
   * The page only hears how the key is let go.
   * @param {KeyboardEvent} event
   */
  #released({ key, shiftKey, target }) {
    const opened = [" ", "Enter", "ArrowDown", "ArrowUp", "F4"].includes(this.#pressed?.key ?? "");
    if (key !== "Tab" || !opened || this.#pressed?.target !== target) return;
    if (!(target instanceof HTMLSelectElement)) return;
    const all = this.#stops();
    all[all.indexOf(target) + (shiftKey ? -1 : 1)]?.focus();
  }
}

/**
 * Chooses the time zone of the browser, where the page was made before the playroom knew it.
 * @param {HTMLElement | null} zones
 */
function chooseZone(zones) {
  if (!(zones instanceof HTMLSelectElement) || zones.getAttribute("aria-invalid")) return;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const there = [...zones.options].some(({ value }) => value === timeZone);
  const city = timeZone.replace(/.*\//, "").replaceAll("_", " ");
  if (!there) zones.add(new Option(city, timeZone));
  zones.value = timeZone;
}

/** The list of games, which opens for another choice; its line is the game chosen. */
class Games {
  /** Whether the last press was that of a key: arrows go from game to game, and leave it open. */
  #keyed = false;

  /**
   * @param {HTMLElement} list
   * @param {AbortSignal} signal
   */
  constructor(list, signal) {
    this.list = /** @type {HTMLDetailsElement} */ (list);
    window.addEventListener("pointerdown", () => (this.#keyed = false), { signal, capture: true });
    this.list.addEventListener("keydown", (event) => {
      this.#keyed = true;
      const ends = event.key === "Escape" || event.key === "Enter";
      if (!ends || !this.list.open || this.#line.contains(document.activeElement)) return;
      event.preventDefault();
      this.#close();
    });
    this.list.addEventListener("input", () => this.#tell());
    this.list.addEventListener("click", ({ target }) => {
      const chosen = target instanceof HTMLInputElement && target.name === "preset";
      if (chosen && !this.#keyed) this.#close();
    });
  }

  get #line() {
    return /** @type {HTMLElement} */ (this.list.querySelector("summary"));
  }

  #close() {
    this.list.open = false;
    this.#line.focus();
  }

  #tell() {
    const card = this.list.querySelector(".preset:has(:checked)");
    by("game-title").textContent = card?.querySelector("strong")?.textContent ?? "";
    by("game-about").textContent = card?.querySelector("span")?.textContent ?? "";
  }
}

/**
 * @param {string} id of a control, which is shown with its label, or neither
 * @param {boolean} shown
 */
function show(id, shown) {
  const field = document.getElementById(id)?.closest(".field");
  if (field instanceof HTMLElement) field.hidden = !shown;
}

export const start = (/** @type {AbortSignal} */ signal) => {
  new RulesPreview(signal);
  chooseZone(document.getElementById("zone"));
  const games = document.getElementById("games");
  if (games) new Games(games, signal);
};

onPage(start);
