/** Shared parts of all pages: DOM helpers, sentences and settings, cards, rows of buttons. */

import { ofTab } from "./storage.js";

/**
 * The address of a path of the playroom, which may share its host with others.
 * @param {string} path from the slash on
 */
export const at = (path) => new URL(`../../../..${path}`, import.meta.url).href;

// DOM helpers, which write nothing that is there already.

/**
 * The element with an id, which the template must have.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function by(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`#${id}`);
  return found;
}

/**
 * @param {string} tag
 * @param {Record<string, string>} [attributes]
 * @param {string | Node[]} [content]
 * @returns {HTMLElement}
 */
export function make(tag, attributes = {}, content = "") {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (typeof content === "string") setText(made, content);
  else made.append(...content);
  return made;
}

/**
 * Sets a text and its direction: a name written from right to left is then cut at its own end.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
  if (isolated(text) !== text) element.setAttribute("dir", "auto");
}

const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Isolates a text among others, so that one written from right to left does not draw the signs and
 * numbers beside it into its direction. The server's twin is in `volte.names`.
 * @param {string} text
 */
export function isolated(text) {
  return text.includes("\u2068") || !RIGHT_TO_LEFT.test(text) ? text : `\u2068${text}\u2069`;
}

/**
 * Sets an attribute, or removes it if the value is null.
 * @param {Element} element
 * @param {string} name
 * @param {string | null} value
 */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/**
 * Brings the children of a list up to date without touching those that stay: an element that is
 * being read, or has the focus, is not made anew or moved.
 * @template T
 * @param {Element} list
 * @param {readonly T[]} items
 * @param {(item: T, place: number) => string} key unique among the items
 * @param {(item: T) => HTMLElement} create
 * @param {(element: HTMLElement, item: T, place: number) => void} paint
 */
export function keyed(list, items, key, create, paint) {
  const wanted = new Set(items.map(key));
  const there = new Map();
  for (const child of [...list.children]) {
    const name = /** @type {HTMLElement} */ (child).dataset.key ?? "";
    if (wanted.has(name)) there.set(name, child);
    else child.remove();
  }
  items.forEach((item, place) => {
    const name = key(item, place);
    let element = there.get(name);
    if (!element) {
      element = create(item);
      element.dataset.key = name;
    }
    if (list.children[place] !== element) list.insertBefore(element, list.children[place] ?? null);
    paint(element, item, place);
  });
}

// Sentences and settings

/**
 * The server's scene, to be shown; see `Scene` in docs/wire.md.
 * @typedef {{number: number, phase: string, status: string, seat: number | null,
 *   seats: Seat[], hand: Card[], trick: Laid[], last: Laid[], turn: number | null,
 *   leader: number | null, dealer: number | null, deal: number, pass_to: number | null,
 *   pass_count: number, broken: boolean | null, next: string, may: string[], clock: number | null,
 *   open: number[], answer_within: number, asked: string, watching: string, hands: Laid[],
 *   refereed?: boolean, full?: boolean, reckoning?: Reckoning | null, sheet?: Sheet | null,
 *   chart?: string | null, wider?: Wider | null, settled?: boolean, leads?: number[],
 *   taken?: Laid[],
 *   winning?: number | null, evening?: string, next_table?: string}} Scene
 * @typedef {{name: string, level: string, state: string, cards: number, points: number,
 *   total: number, passed: boolean, host: boolean, asker?: string,
 *   asker_name?: string, face?: string, hue?: number}} Seat
 * @typedef {{card: string, name: string, short: string, legal: boolean, why: string,
 *   passed: boolean, giver?: number | null}} Card
 * @typedef {{seat: number, card: string, name: string, short: string, early?: boolean,
 *   cancelled?: boolean, waiting?: boolean}} Laid
 * @typedef {{scatter: number[], held: Laid[], held_points: number,
 *   last_held: boolean, sides: number[][], moon: string[], shooter: number | null}} Wider
 * @typedef {{rows: Row[], totals: number[], winners: number[], net: number[] | null,
 *   sides: number[][], tied?: number[]}} Sheet
 * @typedef {{number: number, points: number[], totals: number[], leaders: number[],
 *   moon: number | null, slam: number | null, revoked: number[], provisional: boolean,
 *   trickless: number[], halved: number[]}} Row
 * @typedef {{last: boolean, cutter: number, accepted: number[]}} Reckoning
 *
 * One happening: its lines in the person's verbosity, and whether it is news (not caught up with).
 * @typedef {{number: number, happening: Record<string, any>, lines: string[],
 *   fresh: boolean}} News
 *
 * A part of the page. News and scenes are given to all parts in turn: data goes one way.
 * @typedef {{see?: (news: News) => void, paint?: (scene: Scene) => void,
 *   settingsChanged?: () => void}} Part
 * `settingsChanged` is called at the start and whenever the settings have changed.
 *
 * @typedef {(name: string, places?: Record<string, string | number>) => string} Say
 */

/** The element with the page's settings: a table's, or else the body. */
const root = document.getElementById("table") ?? document.body;
/** The person's settings, as the server stores them. @type {Record<string, any>} */
export const settings = JSON.parse(root.dataset.settings ?? "{}");
export const table = root.dataset.table ?? "";
export const lang = root.dataset.lang ?? "";
/** The server writes the sentences of the language here. @type {Record<string, string>} */
const words = JSON.parse("SENTENCES");

/**
 * A sentence of the page, its places filled in.
 * @type {Say}
 */
export function say(name, places = {}) {
  return (words[name] ?? "").replace(/\{(\w+)\}/g, (_, place) => isolated(String(places[place] ?? "")));
}

/**
 * Name of a bot's level; an outside engine has its own name.
 * @param {string} level
 */
export function levelName(level) {
  return say(`level_${level}`) || level;
}

/**
 * A number as text, with a real minus sign.
 * @param {number} number
 */
export function written(number) {
  return String(number).replace("-", "−");
}

/**
 * Places from the own seat to the left until another seat; from seat 0 for people who watch.
 * @param {number} place
 * @param {Pick<Scene, "seat" | "seats">} scene
 */
export function stepsTo(place, { seat, seats }) {
  return (place - (seat ?? 0) + seats.length) % seats.length;
}

/**
 * Sets the title, and marks the icon in the tab of a page that waits unseen: for eyes alone, since
 * readers would say a sign in the title.
 * @param {string} title
 * @param {boolean} waits
 */
export function entitle(title, waits) {
  if (document.title !== title) document.title = title;
  const name = waits && document.hidden ? "icon-due.svg" : "icon.svg";
  const icon = document.querySelector("link[rel=icon]");
  if (icon) setAttribute(icon, "href", new URL(name, import.meta.url).pathname);
}

/** Whether the person allows animations. */
export const moves = () =>
  document.documentElement.dataset.motion !== "less" &&
  !window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Writes the settings about looks to the root element, as the server does.
 */
export function applyLooks() {
  for (const name of ["theme", "contrast", "motion", "colours", "large", "back", "buttons"]) {
    document.documentElement.dataset[name] = String(settings[name]);
  }
}

// The pictures of cards. They are for eyes only: the name of the card must stand beside each. All
// are drawn in one file, made by scripts/cards; colours come from the style of the page.

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new URL("cards.svg", import.meta.url).pathname;

/**
 * A small drawing beside a word, or in place of a word that ears get in another way.
 * @param {string} name
 */
export function sign(name) {
  const drawn = document.createElementNS(SVG, "svg");
  drawn.setAttribute("class", "sign");
  drawn.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${DRAWN}#${name}`);
  drawn.append(use);
  return drawn;
}

/**
 * The face of a card.
 * @param {string} card its text, such as QS; its twin of a second pack looks the same
 */
export function picture(card) {
  return drawn("face", card.replace("'", ""));
}

/** The back of every card. */
export function back() {
  return drawn("face back", "");
}

/**
 * @param {string} kind
 * @param {string} card empty for a back
 */
function drawn(kind, card) {
  const face = document.createElementNS(SVG, "svg");
  face.setAttribute("class", kind);
  face.setAttribute("viewBox", "0 0 250 350");
  face.setAttribute("aria-hidden", "true");
  face.setAttribute("focusable", "false");
  face.dataset.card = card;
  face.append(document.createElementNS(SVG, "use"));
  draw(face);
  return face;
}

/**
 * Draws a face in the present looks of the page.
 * @param {SVGSVGElement} face
 */
function draw(face) {
  const { lang, dataset } = document.documentElement;
  const card = face.dataset.card;
  const size = dataset.large === "true" ? "-large" : "";
  const name = card ? `${card}-${lang}${size}` : `back-${dataset.back ?? "waves"}`;
  face.firstElementChild?.setAttribute("href", `${DRAWN}#${name}`);
}

/** Draws all faces anew when the looks have changed. @type {Part} */
export const faces = {
  settingsChanged() {
    for (const face of document.querySelectorAll("svg.face")) {
      draw(/** @type {SVGSVGElement} */ (face));
    }
  },
};

// Parts of the page that are loaded when they are first needed, so that the table comes soon.

/** The most lines of a part that are said when a key opens it. */
const MOST_SAID = 3;

export class Later {
  /** News since the match began that the part has not seen yet. @type {News[]} */
  #missed = [];
  /** @type {Scene | null} */
  #scene = null;
  /** @type {Part | null} */
  #part = null;
  #loading = false;

  /**
   * @param {() => Promise<Part>} load
   * @param {(scene: Scene) => boolean} needed
   */
  constructor(load, needed) {
    this.load = load;
    this.needed = needed;
  }

  /** @param {News} news */
  see(news) {
    if (news.happening.event === "MatchStarted") this.#missed = [];
    if (this.#part) this.#part.see?.(news);
    else this.#missed.push(news);
  }

  /** @param {Scene} scene */
  paint(scene) {
    this.#scene = scene;
    if (this.#part) this.#part.paint?.(scene);
    else void this.wake();
  }

  settingsChanged() {
    this.#part?.settingsChanged?.();
  }

  /** Loads the part if it is needed by now; if that fails, the next call tries again. */
  async wake() {
    if (this.#part || this.#loading || !this.#scene || !this.needed(this.#scene)) return;
    this.#loading = true;
    try {
      this.#part = await this.load();
      for (const news of this.#missed.splice(0)) this.#part.see?.({ ...news, fresh: false });
      this.#part.settingsChanged?.();
      this.#part.paint?.(this.#scene);
    } catch {
      this.#part = null;
    }
    this.#loading = false;
  }
}

/**
 * Opens a part of the page, and leaves the focus where it is. Returns the lines to be said: that
 * it is open, and its first lines.
 * @param {HTMLElement} part
 */
export function opened(part) {
  part.setAttribute("open", "");
  part.scrollIntoView({ block: "nearest" });
  const name = part.querySelector("summary")?.textContent?.trim() ?? "";
  const lines = [...part.querySelectorAll("li")].slice(0, MOST_SAID);
  return [say("part_open", { name }), ...lines.map((each) => each.textContent?.trim() ?? "")];
}

/**
 * A part that is loaded once some details are open.
 * @param {string} id
 * @param {() => Promise<Part>} load
 */
export function onceOpen(id, load) {
  const later = new Later(load, () => by(id).hasAttribute("open"));
  by(id).addEventListener("toggle", () => void later.wake());
  return later;
}

/**
 * Fills an element with the server's answer from an address. Throws if there is none.
 * @param {string} id
 * @param {string} address
 */
export async function fill(id, address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  by(id).replaceChildren(...parsed(await answer.text()));
}

/**
 * The nodes of what the server has written.
 * @param {string} text
 */
export function parsed(text) {
  return new DOMParser().parseFromString(text, "text/html").body.childNodes;
}

/**
 * Links a style sheet, unless it is linked already, alone or joined with others.
 * @param {string} name such as `web/static/hands.css`
 * @returns {Promise<unknown>} that settles once it has come, or has failed
 */
export function linkStyle(name) {
  if (document.querySelector(`link[data-parts~="${name}"]`)) return Promise.resolve();
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(`../../${name}`, import.meta.url).pathname;
  link.dataset.parts = name;
  document.head.append(link);
  return new Promise((done) => (link.onload = link.onerror = done));
}

/**
 * Loads the page again if its files are older than the server's, which redirects it to new ones
 * when it fetches another module: it must not mix the two. It does so once for each set of files,
 * so that two servers that differ cannot keep it reloading.
 */
function renew() {
  const { dataset } = document.documentElement;
  const [files = ""] = /[0-9a-f]{16}-\w+(?=\/)/.exec(import.meta.url) ?? [];
  if (files) dataset.files ??= files;
  if (!files || dataset.files === files || ofTab.get("volte files") === files) return;
  // Without storage, the number of reloads would not be known.
  if (ofTab.set("volte files", files)) location.reload();
}

renew();

// Rows of buttons: each row is one stop of the Tab key; arrows go from button to button.

/**
 * One button. `first` marks the most likely one; a `barred` one can be pressed, and says why
 * nothing happens; `shortcut` is the key with the same effect; `drawn` is the sign that eyes see
 * in place of the label, `icon` the one beside it; `open`: whether the part that it opens is open.
 * A `guarded` one ignores a
 * click that comes too soon after its meaning has changed: another `key` in its place, or another
 * `about`.
 * @typedef {{key: string, label: string, run: () => void, first?: boolean, barred?: boolean,
 *   shortcut?: string | null, drawn?: string, icon?: string, about?: string, open?: boolean,
 *   guarded?: boolean}} Choice
 */

/** Milliseconds for which a click may still be meant for the button's last meaning. */
const TOO_SOON = 300;

export class Toolbar {
  /** @type {Map<string, Choice>} */
  #choices = new Map();
  /** When each button got its present meaning. @type {Map<string, number>} */
  #since = new Map();
  #current = "";

  /**
   * @param {HTMLElement} bar
   * @param {() => void} lost takes the focus when the button that had it is gone
   */
  constructor(bar, lost) {
    this.bar = bar;
    this.lost = lost;
    bar.addEventListener("keydown", (event) => this.#move(event));
    bar.addEventListener("focusin", (event) => {
      const key = /** @type {HTMLElement} */ (event.target).dataset.key;
      if (key !== undefined) this.#stand(key);
    });
  }

  /** @param {readonly Choice[]} choices */
  paint(choices) {
    const had = this.bar.contains(document.activeElement);
    for (const { key, about } of choices) {
      const before = this.#choices.get(key);
      if (!before || before.about !== about) this.#since.set(key, performance.now());
    }
    this.#choices = new Map(choices.map((choice) => [choice.key, choice]));
    keyed(
      this.bar,
      choices,
      (choice) => choice.key,
      (choice) => {
        const button = make("button", { type: "button", tabindex: "-1" });
        button.addEventListener("click", (event) => this.#press(choice.key, event));
        return button;
      },
      (button, choice) => {
        if (choice.drawn) illustrate(button, choice);
        else label(button, choice);
        if (choice.open !== undefined) setAttribute(button, "aria-expanded", String(choice.open));
        setAttribute(button, "aria-disabled", choice.barred ? "true" : null);
        button.classList.toggle("first", choice.first === true);
      },
    );
    this.bar.hidden = choices.length === 0;
    // Tab comes to the most likely button; a focus that is in the row already is not moved.
    if (!had || !this.#choices.has(this.#current)) {
      this.#current = (choices.find((each) => each.first) ?? choices[0])?.key ?? "";
    }
    this.#stand(this.#current);
    if (had && !this.bar.contains(document.activeElement)) this.lost();
  }

  /**
   * @param {string} key
   * @param {MouseEvent} click
   */
  #press(key, click) {
    const choice = this.#choices.get(key);
    const since = performance.now() - (this.#since.get(key) ?? 0);
    if (!choice || (click.detail > 0 && choice.guarded && since < TOO_SOON)) return;
    choice.run();
  }

  focus() {
    const button = this.#buttons().find((each) => each.dataset.key === this.#current);
    button?.focus();
    return button !== undefined;
  }

  /** @param {string} key */
  #stand(key) {
    this.#current = key;
    for (const button of this.#buttons()) button.tabIndex = button.dataset.key === key ? 0 : -1;
  }

  #buttons() {
    return /** @type {HTMLElement[]} */ ([...this.bar.children]);
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const buttons = this.#buttons();
    const at = buttons.indexOf(/** @type {HTMLElement} */ (event.target));
    const to = moved(event.key, at, buttons.length);
    if (to === null) return;
    event.preventDefault();
    buttons[to]?.focus();
  }
}

/**
 * Writes the name of a button; for eyes, its icon before the name and its key after it.
 * @param {HTMLElement} button
 * @param {Choice} choice
 */
export function label(button, { label: name, icon, shortcut }) {
  const letter = shortcut?.toUpperCase() ?? null;
  setAttribute(button, "aria-keyshortcuts", letter);
  if (!icon && letter === null) return setText(button, name);
  if (button.children.length === 0) {
    button.replaceChildren(...(icon ? [sign(icon)] : []), make("span"));
  }
  setText(/** @type {Element} */ (button.querySelector("span")), name);
  let key = button.querySelector("kbd");
  if (letter === null) return key?.remove();
  if (!key) button.append((key = document.createElement("kbd")));
  setAttribute(key, "aria-hidden", "true");
  setText(key, letter);
}

/**
 * Draws the sign of a button, whose name ears hear and the pointer shows.
 * @param {HTMLElement} button
 * @param {Choice} choice
 */
function illustrate(button, { label: name, drawn = "", shortcut }) {
  if (button.children.length === 0) {
    // Readers would say a title of the button itself after its name.
    const drawing = make("span", { class: "titled", "aria-hidden": "true" }, [sign(drawn)]);
    button.replaceChildren(drawing, make("span", { class: "hidden" }));
  }
  setText(button.children[1], name);
  const letter = shortcut?.toUpperCase() ?? null;
  setAttribute(button, "aria-keyshortcuts", letter);
  setAttribute(button.children[0], "title", letter ? `${name} (${letter})` : name);
}

/**
 * A small round button that only pointers can press, and that does not take the focus.
 * @param {string} name of its sign
 * @param {() => void} run
 */
export function small(name, run) {
  const told = { type: "button", class: "small", tabindex: "-1" };
  const button = make("button", told, [sign(name)]);
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", run);
  return button;
}

/**
 * Place that a key leads to in a row; null for other keys.
 * @param {string} key
 * @param {number} at
 * @param {number} count
 */
export function moved(key, at, count) {
  switch (key) {
    case "ArrowRight":
    case "ArrowDown":
      return Math.min(at + 1, count - 1);
    case "ArrowLeft":
    case "ArrowUp":
      return Math.max(at - 1, 0);
    case "Home":
      return 0;
    case "End":
      return count - 1;
  }
  return null;
}
