/**
 * What is said to ears: through the one live region, and aloud where somebody wants that.
 *
 * A screen reader speaks what is added to the region, once it has spoken what came before; any key
 * silences it. So there is one addition at a time, news that come close together are one message,
 * and what has been overtaken before it could be said is not said. Every message is an element of
 * its own: of a text that changes, Orca loses some and says others twice.
 */

import { by, make, say } from "./page.js";

/** Milliseconds between two messages, and between a message and the answer to a key. */
const APART = 400;
const BEFORE_ANSWER = 250;
/** What has just been painted is taken in first, or a message is said twice. */
const PAINTED = 150;
/** How long news wait for more, where nothing else is said. */
const USUAL = 300;
/** How long the first of several news waits at most. */
const LONGEST = 3000;
/** The first of what is said waits until screen readers have done with the arrival of the page. */
const ARRIVING = 1200;
/** Messages that stay in the region. */
const MOST_SHOWN = 3;
const NO_BREAK_SPACE = "\u00a0";

/**
 * A sentence that waits to be said, its kind (a channel of `CHANNELS`), and whether a message
 * of its own begins with it. `made` counts the sentences of the page, in the order in which they
 * were made.
 * @typedef {{line: string, kind: string, begins: boolean, made: number}} Item
 *
 * `news` and `answer` can be repeated; an `aside` is about what was said, and cannot.
 * @typedef {"news" | "answer" | "aside"} Sort
 */

export class Announcer {
  /** @type {Item[]} */
  #waiting = [];
  /** @type {{text: string, sort: Sort}[]} */
  #answers = [];
  /** What is asked of the person, to be said after the news. */
  #asked = "";
  /** Since when the first of the news waits. */
  #since = 0;
  /** When the news are to be said. */
  #due = Infinity;
  #shown = "";
  #written = -Infinity;
  /** Before that, no news are said. */
  #quiet = 0;
  /** @type {number | undefined} */
  #timer;
  /** What speaks aloud; null where nobody wants that. */
  /** @type {import("./voice.js").Voice | null} */
  #voice = null;

  /**
   * @param {HTMLElement} region polite, and empty when the page was loaded
   * @param {string} lang
   */
  constructor(region, lang) {
    this.region = region;
    this.lang = lang;
    /**
     * Told of every message that is said; of what it is made, where these are news.
     * @type {(text: string, sort: Sort, items: readonly Item[]) => void}
     */
    this.said = () => {};
  }

  /**
   * Whether all is spoken aloud as well, and how fast: 1 is as fast as the voice does by itself.
   * @param {boolean} aloud
   * @param {number} rate
   */
  async speak(aloud, rate) {
    this.#voice?.stop();
    this.#voice = null;
    if (!aloud) return;
    const { Voice } = await import("./voice.js");
    this.#voice = new Voice(this.lang, rate, () => this.#plan());
  }

  /** The table has been painted for the first time. */
  arrive() {
    this.#quiet = performance.now() + ARRIVING;
  }

  /**
   * News that may wait a little for more.
   * @param {readonly Item[]} items
   */
  gather(items) {
    if (items.length === 0) return;
    this.#begin();
    this.#waiting.push(...items);
    this.within(USUAL);
  }

  /**
   * When the news that wait are to be said; what was to be said by now is put off no more.
   * @param {number} wait milliseconds
   */
  within(wait) {
    const now = performance.now();
    const due = Math.min(now + wait, this.#since + LONGEST);
    if (this.#due > now) this.#due = Math.max(due, now + PAINTED);
    this.#plan();
  }

  /**
   * News that do not wait.
   * @param {readonly string[]} lines
   */
  say(lines) {
    this.gather(itemsOf(lines));
    this.within(0);
  }

  /**
   * What is asked of the person now, in place of what was asked before; empty where nothing is.
   * @param {string} line
   */
  ask(line) {
    if (line !== "") this.#begin();
    this.#asked = line;
    if (line !== "") this.within(0);
  }

  /**
   * Answers a key, before any news that still wait.
   * @param {readonly string[]} lines
   * @param {Sort} [sort]
   */
  answer(lines, sort = "answer") {
    const text = joined(lines);
    if (text === "") return;
    this.#answers.push({ text, sort });
    this.#plan();
  }

  get #empty() {
    return this.#waiting.length === 0 && this.#asked === "";
  }

  /** From now on something waits. */
  #begin() {
    if (!this.#empty) return;
    this.#since = performance.now();
    this.#due = Infinity;
  }

  /** Has the next message written when its time has come. */
  #plan() {
    window.clearTimeout(this.#timer);
    const now = performance.now();
    const answers = this.#answers.length > 0;
    if (!answers && this.#empty) return;
    if (!answers && this.#voice?.busy) return; // it says when it is ready for more
    const news = Math.max(this.#due, this.#written + APART, this.#quiet);
    const due = answers ? this.#written + BEFORE_ANSWER : news;
    if (due <= now) this.#next();
    else this.#timer = window.setTimeout(() => this.#plan(), due - now);
  }

  #next() {
    const answer = this.#answers.shift();
    const news = answer ? [] : this.#news();
    if (answer) this.#write(answer.text, answer.sort);
    else this.#write(joined(news.map(({ line }) => line)), "news", news);
    this.#plan();
  }

  /** Takes the next message from the news that wait, with what is asked after the last of them. */
  #news() {
    const items = inTime(this.#waiting);
    const end = items.findIndex(({ begins }, place) => begins && place > 0);
    this.#waiting = end < 0 ? [] : items.splice(end);
    const asked = end < 0 ? this.#asked : "";
    if (end < 0) this.#asked = "";
    return [...items, ...itemsOf([asked], "asked")];
  }

  /**
   * @param {string} text
   * @param {Sort} sort
   * @param {readonly Item[]} [items]
   */
  #write(text, sort, items = []) {
    this.#written = performance.now();
    // What is there already would not be spoken again.
    this.#shown = text === this.#shown ? text + NO_BREAK_SPACE : text;
    this.region.append(make("p", {}, this.#shown));
    if (this.region.children.length > MOST_SHOWN) this.region.firstElementChild?.remove();
    this.said(text, sort, items);
    if (sort !== "news") this.#voice?.stop();
    this.#voice?.say(text);
  }
}

/** Pixels that stay free beside what is shown over the felt. */
const MARGIN = 8;

/** The last answer, for eyes: over the felt, beside the cards that it speaks of. */
export class Shown {
  /** The moment for which it is true; null where it lasts until the next own act. */
  /** @type {string | null} */
  #moment = null;

  /** @param {() => void} closed */
  constructor(closed) {
    this.section = by("answer-section");
    const close = by("answer-close");
    close.setAttribute("aria-label", say("close_answer"));
    close.addEventListener("click", () => {
      this.close();
      closed();
    });
    document.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.close();
    });
    document.addEventListener("pointerdown", ({ target }) => {
      const here = target instanceof Element && target.closest("#answer-section, #menu, #actions");
      if (!here && this.#moment === null) this.close();
    });
  }

  /**
   * @param {readonly string[]} lines
   * @param {{refused: boolean, moment: string | null, at: number | null}} about `at`: how far from
   *   the left of the window lies what it speaks of; null for nothing
   */
  show(lines, { refused, moment, at }) {
    const { section } = this;
    const { style } = section;
    section.hidden = true; // what is made anew does not count as moved
    this.#moment = moment;
    style.removeProperty("translate");
    if (lines.length === 0 || !section.parentElement) return;
    const board = by("felt").getBoundingClientRect();
    section.classList.toggle("refused", refused);
    section.classList.toggle("pointing", at !== null);
    by("answer").replaceChildren(...lines.map((line) => make("p", {}, line)));
    section.hidden = false;
    if (at === null) return;
    const { left, width } = section.getBoundingClientRect();
    const farthest = board.right - MARGIN - width;
    const wanted = Math.max(board.left + MARGIN, Math.min(at - width / 2, farthest));
    style.setProperty("translate", `${(wanted - left).toFixed(1)}px`);
    style.setProperty("--tail", `${Math.max(14, Math.min(at - wanted, width - 14)).toFixed(1)}px`);
  }

  /**
   * What is no longer true is taken away, and whatever stood there when the person acts.
   * @param {string | null} moment that of the table; null where the person acts
   */
  outlive(moment) {
    if (moment === null ? this.#moment === null : this.#moment !== null && this.#moment !== moment)
      this.close();
  }

  close() {
    this.section.hidden = true;
  }
}

/** Sentences that were made so far. */
let made = 0;

/**
 * Sentences that wait to be said.
 * @param {readonly string[]} lines
 * @param {string} [kind]
 * @param {boolean} [begins] whether a message begins with the first
 * @returns {Item[]}
 */
export function itemsOf(lines, kind = "", begins = false) {
  return lines
    .filter((line) => line !== "")
    .map((line, place) => ({ line, kind, begins: begins && place === 0, made: ++made }));
}

/**
 * Sentences as one message, each with a stop at its end, for a pause before the next.
 * @param {readonly string[]} lines
 */
export function joined(lines) {
  return lines
    .filter((line) => line !== "")
    .map((line) => (/[.!?…:;]$/.test(line) ? line : `${line}.`))
    .join(" ");
}

/**
 * What is still worth saying: of tricks long taken, who took them, but no longer their cards.
 * @param {readonly Item[]} items
 */
export function inTime(items) {
  const taken = items.flatMap(({ kind }, place) => (kind === "tricks" ? [place] : []));
  const old = taken.at(-2) ?? -1;
  return items.filter(({ kind }, place) => kind !== "plays" || place > old);
}

// Which setting decides whether a happening is said; what has none is always said.

/**
 * The kinds of news, each with its setting `say_KIND`.
 * @typedef {"plays" | "tricks" | "pass" | "scores" | "rulings" | "people" | "clock"} Channel
 */

/** By the names of events (docs/wire.md); a test sees to it that none is missing. */
/** @type {Record<string, Channel | "">} */
export const CHANNELS = {
  // The match
  MatchStarted: "",
  Committed: "",
  Promised: "",
  Contributed: "",
  Revealed: "",
  DealerDrawn: "",
  Dealt: "",
  Passed: "pass",
  PassTakenBack: "pass",
  Exchanged: "", // it changes the own hand
  PlayStarted: "",
  Played: "plays",
  TrickTaken: "tricks",
  TrickHeld: "tricks",
  KittyTaken: "tricks",
  Claimed: "",
  UndoAsked: "plays",
  UndoAnswered: "plays",
  PlayTakenBack: "plays",
  MoonShot: "",
  DealScored: "scores",
  LotsDrawn: "scores",
  Settled: "scores",
  MatchEnded: "",
  // At a refereed table
  Objected: "rulings",
  TakenBack: "rulings",
  RevokeClaimed: "rulings",
  TricksMixed: "rulings",
  Reckoned: "scores",
  DealCut: "rulings",
  Accepted: "rulings",
  Misdealt: "",
  HandsShort: "",
  RestTaken: "tricks",
  // The table
  Opened: "",
  Changed: "",
  Sat: "people",
  BotSat: "people",
  SeatWanted: "",
  SeatDenied: "",
  SeatForgone: "people",
  Stood: "people",
  Swapped: "people",
  HandedOver: "people",
  Barred: "",
  Paused: "",
  Unpaused: "",
  StoodIn: "people",
  CameBack: "people",
  Readied: "",
  ClockAccepted: "clock",
  TimeGiven: "clock",
  Closed: "",
};

/** Channels of which a person always hears what is about themselves. */
const OWN = ["people", "clock", "rulings"];

/**
 * Whether somebody hears of a happening.
 * @param {Record<string, any>} happening
 * @param {number | null} seat theirs
 * @param {Record<string, any>} settings
 */
export function heard(happening, seat, settings) {
  const channel = CHANNELS[happening.event] ?? "";
  const about = [happening.seat, happening.one, happening.other, happening.against];
  const own = seat !== null && OWN.includes(channel) && about.includes(seat);
  return channel === "" || own || settings[`say_${channel}`] !== false;
}

// What has happened, to be read.

/** Lines of the log that are kept. */
const MOST_LINES = 400;

/**
 * A line of the log; whoever has scrolled back stays where they are.
 * @param {readonly string[]} lines
 */
export function log(lines) {
  const log = by("log");
  const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 8;
  log.append(...lines.map((line) => make("p", {}, line)));
  while (log.children.length > MOST_LINES) log.firstElementChild?.remove();
  if (atEnd) log.scrollTop = log.scrollHeight;
}
