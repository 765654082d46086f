/**
 * The list of open tables, brought up to date row by row while it is seen. What stays is neither
 * made anew nor moved; new rows come after those that are there; and a row that has the focus stays
 * with its links, marked, until the focus leaves it. While a mouse is moved over the list, no row
 * comes or goes under it.
 */

import {
  at,
  by,
  keyed,
  make,
  onPage,
  request,
  say,
  setAttribute,
  setText,
} from "../../../web/static/page.js";

/**
 * Milliseconds between two looks, between two after failures at most, between two lines for ears,
 * and for which a mouse that was moved may be about to press.
 */
const EVERY = 5_000;
const LONGEST = 60_000;
const SPARING = 20_000;
const AIMING = 8_000;

/** Parts of a row that are brought up to date. */
const PARTS = ["h4", "dl", ".buttons"];

/** @param {HTMLElement} element */
const keyOf = ({ dataset }) => dataset.key ?? "";

class TableList {
  #list = by("open-tables");
  #pointed = -AIMING;
  /** The rows that there should be, by group and table. @type {Map<string, Map<string, Element>>} */
  #wanted = new Map();
  #tag = "";
  #wait = EVERY;
  #timer = 0;
  #looking = false;
  /** The tables with seats of which the person may know, and when a line was last said. */
  #known = new Set();
  #said = performance.now();

  /** @param {AbortSignal} signal */
  constructor(signal) {
    this.signal = signal;
    this.own = new Set((this.#list.dataset.own ?? "").split(" "));
    this.#read(this.#list.querySelectorAll("section"));
    this.#known = this.#withSeats();
    // The focus has its new place only after the event.
    const paint = () => window.setTimeout(() => this.#paint());
    this.#list.addEventListener("focusout", paint, { signal });
    this.#list.addEventListener("pointerleave", paint, { signal });
    const point = (/** @type {PointerEvent} */ { pointerType }) => {
      if (pointerType === "mouse") this.#pointed = performance.now();
    };
    this.#list.addEventListener("pointermove", point, { signal });
    const look = () => void this.#look();
    document.addEventListener("visibilitychange", look, { signal });
    signal.addEventListener("abort", () => window.clearTimeout(this.#timer));
    this.#timer = window.setTimeout(look, EVERY);
  }

  /** Asks for the list, unless nobody sees it, and then again after a while. */
  async #look() {
    if (document.hidden || this.#looking) return;
    window.clearTimeout(this.#timer);
    this.#looking = true;
    try {
      const { signal } = this;
      const answer = await request(at(`/lobby/list?lang=${document.documentElement.lang}`), { signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const tag = answer.headers.get("etag") ?? "";
      if (!tag || tag !== this.#tag) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        this.#read(page.querySelectorAll("section"));
      }
      this.#tag = tag;
      this.#wait = EVERY;
      this.#paint();
      this.#tell();
    } catch {
      this.#wait = Math.min(2 * this.#wait, LONGEST);
    }
    this.#looking = false;
    if (!this.signal.aborted) this.#timer = window.setTimeout(() => void this.#look(), this.#wait);
  }

  /** @param {Iterable<HTMLElement>} sections */
  #read(sections) {
    this.#wanted.clear();
    for (const section of sections) {
      const rows = new Map();
      for (const row of section.querySelectorAll("li")) {
        if (!this.own.has(keyOf(row))) rows.set(keyOf(row), row.cloneNode(true));
      }
      this.#wanted.set(section.dataset.group ?? "", rows);
    }
  }

  #paint() {
    const aims = performance.now() - this.#pointed < AIMING;
    const pointed = aims && this.#list.matches(":hover");
    const sections = [...this.#list.querySelectorAll("section")];
    /** @param {Element} row */
    const stays = (row) => pointed || row.contains(document.activeElement);
    /** Rows that stay in a group to which they no longer belong. @type {Set<string>} */
    const out = new Set();
    const there = sections.map((section) => {
      const wanted = this.#wanted.get(section.dataset.group ?? "");
      return /** @type {HTMLElement[]} */ ([...section.querySelectorAll("li")]).filter((row) => {
        if (wanted?.has(keyOf(row))) return true;
        if (stays(row)) out.add(keyOf(row));
        return stays(row);
      });
    });
    sections.forEach((section, place) => {
      const wanted = this.#wanted.get(section.dataset.group ?? "") ?? new Map();
      const keys = there[place].map(keyOf);
      const fresh = [...wanted.keys()].filter((key) => !keys.includes(key) && !out.has(key));
      const list = /** @type {Element} */ (section.querySelector("ul"));
      keyed(
        list,
        [...keys, ...(pointed ? [] : fresh)],
        (key) => key,
        (key) => wanted.get(key).cloneNode(true),
        (row, key) => this.#paintRow(row, wanted.get(key)),
      );
      section.hidden = !list.children.length;
    });
    const none = this.#list.querySelector("p[data-group=none]");
    none?.toggleAttribute("hidden", sections.some(({ hidden }) => !hidden));
  }

  /**
   * @param {HTMLElement} row
   * @param {Element | undefined} wanted how it should be; nothing if its place is elsewhere by now
   */
  #paintRow(row, wanted) {
    mark(row, wanted ? "" : this.#change(keyOf(row)));
    const held = row.querySelector(".buttons")?.contains(document.activeElement);
    for (const part of wanted ? PARTS : []) {
      const [old, fresh] = [row, wanted].map((each) => each?.querySelector(part));
      if (old && fresh && !(held && part === ".buttons")) mend(old, fresh);
    }
  }

  /**
   * The name of the sentence about a row that has another place by now.
   * @param {string} key
   */
  #change(key) {
    if (this.#wanted.get("seats")?.has(key)) return "table_has_seats";
    return this.#wanted.get("watch")?.has(key) ? "table_is_full" : "table_is_gone";
  }

  #withSeats() {
    return new Set(this.#wanted.get("seats")?.keys());
  }

  /** Says what is new, in a line now and then: that of the row with the focus, or how many came. */
  #tell() {
    const line = by("list-told");
    if (performance.now() - this.#said < SPARING) return;
    const seats = this.#withSeats();
    const more = [...seats].filter((key) => !this.#known.has(key)).length;
    this.#known = seats;
    const news = more ? say(more === 1 ? "more_seats_one" : "more_seats_many", { number: more }) : "";
    const text = document.activeElement?.closest("li")?.querySelector(".mark")?.textContent ?? news;
    setText(line, text);
    if (text) this.#said = performance.now();
  }
}

/**
 * Says in a row that its place is elsewhere by now, or takes that back.
 * @param {HTMLElement} row
 * @param {string} change name of the sentence; empty for none
 */
function mark(row, change) {
  const there = row.querySelector(".mark");
  row.classList.toggle("out", change !== "");
  if (!change) {
    there?.remove();
    return;
  }
  const table = row.querySelector("h4")?.firstChild?.textContent?.trim() ?? "";
  const line = there ?? make("p", { class: "mark help" });
  setText(line, say(change, { table }));
  if (!there) row.querySelector(".buttons")?.before(line);
}

/**
 * Brings an element up to date, its parts one by one where they are of the same kinds.
 * @param {Element} old
 * @param {Element} fresh
 */
function mend(old, fresh) {
  for (const { name } of [...old.attributes]) setAttribute(old, name, fresh.getAttribute(name));
  for (const { name, value } of fresh.attributes) setAttribute(old, name, value);
  const [there, wanted] = [old, fresh].map(({ childNodes }) => [...childNodes]);
  const alike = there.length === wanted.length;
  if (!alike || there.some(({ nodeName }, place) => nodeName !== wanted[place].nodeName)) {
    old.replaceChildren(...wanted.map((node) => node.cloneNode(true)));
    return;
  }
  there.forEach((node, place) => {
    if (node instanceof Element) mend(node, /** @type {Element} */ (wanted[place]));
    else if (node.nodeValue !== wanted[place].nodeValue) node.nodeValue = wanted[place].nodeValue;
  });
}

onPage((signal) => new TableList(signal));
