/** Shared parts of all pages: DOM helpers, sentences and settings, cards, parts loaded late. */

import { ofTab } from "./storage.js";

/**
 * What stands in for a server where there is none, set by scripts before this one (`solo/static`).
 * @type {{base: string, table: string, settings: Record<string, any>, line?: typeof WebSocket,
 *   request?: typeof fetch} | undefined}
 */
export const alone = /** @type {any} */ (globalThis).volte;

/**
 * Asks the playroom: scripts have no other door to it, but for the line of a table.
 * @type {typeof fetch}
 */
export const request = (address, init) => (alone?.request ?? fetch)(address, init);

/**
 * The address of a path of the playroom, which may share its host with others.
 * @param {string} path from the slash on
 */
export const at = (path) => new URL(`../../../..${path}`, import.meta.url).href;

/**
 * The address of this page at the playroom, and the ways on from it. A page that puts others in its
 * place (`solo/static/shell.js`) has ways of its own, and starts their scripts: it `swaps`.
 */
export const tab = {
  swaps: false,
  address: () => new URL(location.href),
  reload: () => location.reload(),
  /** @param {string} address */
  go: (address) => location.assign(address),
  /** @param {string} address */
  push: (address) => history.pushState(null, "", address),
  /** @param {string} address */
  replace: (address) => history.replaceState(null, "", address),
};

/**
 * Starts the script of a page.
 * @param {(signal: AbortSignal) => unknown} start everything that it begins ends with the signal
 */
export function onPage(start) {
  if (!tab.swaps) start(new AbortController().signal);
}

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
 * Saves a file, as a link to it would.
 * @param {string} name
 * @param {Blob} content
 */
export function saveFile(name, content) {
  const href = URL.createObjectURL(content);
  make("a", { href, download: name }).click();
  window.setTimeout(() => URL.revokeObjectURL(href), 60_000);
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
 *   taken?: Laid[], ask?: number[], filling?: number | null, anew?: number | null,
 *   winning?: number | null, evening?: string, next_table?: string, board?: string, seeking?: string,
 *   again?: string, left?: string, luck?: string, beside?: Beside | null}} Scene
 * @typedef {{title: string, line: string, heads: string[], rows: string[][]}} Beside
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
/** The person's settings, as they are stored. @type {Record<string, any>} */
export const settings = { ...JSON.parse(root.dataset.settings ?? "{}"), ...alone?.settings };
export const table = root.dataset.table ?? alone?.table ?? "";
export const lang = root.dataset.lang ?? "";
/** The server writes the sentences of the language here. @type {Record<string, string>} */
const words = JSON.parse("SENTENCES");
// What the country of the language says otherwise comes with the page.
Object.assign(words, JSON.parse(document.documentElement.dataset.words ?? "{}"));

/**
 * A sentence of the page, its places filled in.
 * @type {Say}
 */
export function say(name, places = {}) {
  return filled(words[name] ?? "", places);
}

/**
 * A sentence with its places filled in.
 * @param {string} sentence
 * @param {Record<string, string | number>} places
 */
export function filled(sentence, places) {
  return sentence.replace(/\{(\w+)\}/g, (_, place) => isolated(String(places[place] ?? "")));
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
  const [letters] = lang.split("-"); // the same in all countries
  const name = card ? `${card}-${letters}${size}` : `back-${dataset.back ?? "waves"}`;
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
  const answer = await request(address);
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
