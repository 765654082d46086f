/**
 * Messages for ears: by the browser's own notifications or one live region, and spoken aloud if
 * the person wants that.
 *
 * A screen reader speaks one message after another, and any key silences it. So news that come
 * close together are one message, everything is said whole and in order, and news that a key has
 * cut are said again when the keys rest. In the live region every message is an element of its
 * own: when a text changes, Orca loses some of it and says other parts twice.
 */

import { by, make, say, settings } from "./page.js";
import { lasting } from "./storage.js";

/** Milliseconds between two messages, and between a message and the answer to a key. */
const APART = 400;
const BEFORE_ANSWER = 250;
/** Milliseconds for a reader to take in a painted page first, or it says a message twice. */
const PAINTED = 150;
/** Milliseconds that news wait for more, unless said otherwise. */
const USUAL = 300;
/** The most milliseconds that the first of several news waits. */
const LONGEST = 3000;
/** Milliseconds before the first message: screen readers tell the arrival of the page first. */
const ARRIVING = 1200;
/** Milliseconds without a key after which news that a key has cut are said again. */
const RESTED = 900;
/** Words that a reader may speak before news, such as the card that just got the focus. */
const BEFORE_NEWS = 4;
/** Messages that stay in the region. */
const MOST_SHOWN = 3;
const NO_BREAK_SPACE = "\u00a0";
const EXPLAINED = "volte said again";
/** Keys that cut nothing: they are held with others. Control silences a reader on purpose. */
const HELD = ["Shift", "Alt", "AltGraph", "Meta", "CapsLock", "Insert", "NumLock"];

/**
 * A sentence that waits to be said, its kind (a channel of `CHANNELS`), and whether it begins a
 * message of its own. A `logged` one goes into the log once it is said, or, if it is `silent`,
 * once its turn has come; one with `again` has been said before, and cut.
 * @typedef {{line: string, kind: string, begins: boolean, logged?: boolean, silent?: boolean,
 *   again?: boolean}} Item
 *
 * `news` and `answer` can be repeated; an `aside` is about other messages, and cannot. An `urgent`
 * message is said before all else that the reader has to say: the person's turn, or a refusal.
 * @typedef {"news" | "answer" | "aside"} Sort
 * @typedef {{text: string, sort: Sort, urgent: boolean}} Message
 */

export class Announcer {
  /** @type {Item[]} */
  #waiting = [];
  /** @type {Message[]} */
  #answers = [];
  /** The request to the person, to be said after the news. */
  #asked = "";
  /** When the first of the news began to wait. */
  #since = 0;
  /** When the news are to be said. */
  #due = Infinity;
  #shown = "";
  #written = -Infinity;
  /** Time before which no news are said. */
  #quiet = 0;
  /** News that a reader is probably still speaking, and when it will have spoken each. */
  /** @type {{item: Item, spoken: number}[]} */
  #speaking = [];
  /** When the keys will have rested. */
  #rested = 0;
  /** @type {number | undefined} */
  #timer;
  /** The voice that speaks aloud; null if the person wants none. */
  /** @type {import("./voice.js").Voice | null} */
  #voice = null;

  /**
   * @param {HTMLElement} region polite, and empty when the page was loaded
   * @param {string} lang
   */
  constructor(region, lang) {
    this.region = region;
    this.lang = lang;
    /** Called with every message that is said and its news, and with silent news. */
    /** @type {(text: string, sort: Sort, items: readonly Item[]) => void} */
    this.said = () => {};
    document.addEventListener("keydown", ({ key, repeat }) => this.#pressed(key, repeat), true);
  }

  /**
   * Sets whether messages are spoken aloud as well, and the rate; 1 is the voice's own.
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

  /** Notes that the table has been painted for the first time. */
  arrive() {
    this.#quiet = performance.now() + ARRIVING;
  }

  /**
   * Takes news that may wait a little for more.
   * @param {readonly Item[]} items
   */
  gather(items) {
    if (items.length === 0) return;
    this.#begin();
    this.#waiting.push(...items);
    this.within(USUAL);
  }

  /**
   * Sets when the waiting news are to be said; news that are due already are not put off.
   * @param {number} wait milliseconds
   */
  within(wait) {
    const now = performance.now();
    const due = Math.min(now + wait, this.#since + LONGEST);
    if (this.#due > now) this.#due = Math.max(due, now + PAINTED);
    this.#plan();
  }

  /**
   * Says news at once.
   * @param {readonly string[]} lines
   */
  say(lines) {
    this.gather(itemsOf(lines));
    this.within(0);
  }

  /**
   * Sets the request to the person, in place of the last one; empty for none.
   * @param {string} line
   */
  ask(line) {
    if (line !== "") this.#begin();
    this.#asked = line;
    this.#waiting = this.#waiting.filter(({ kind }) => kind !== ASKED);
    this.#speaking = this.#speaking.filter(({ item }) => item.kind !== ASKED);
    if (line !== "") this.within(0);
  }

  /**
   * Answers a key, before any news that still wait.
   * @param {readonly string[]} lines
   * @param {Sort} [sort]
   * @param {boolean} [urgent]
   */
  answer(lines, sort = "answer", urgent = false) {
    const text = joined(lines);
    if (text === "") return;
    this.#answers.push({ text, sort, urgent });
    this.#plan();
  }

  get #empty() {
    return this.#waiting.length === 0 && this.#asked === "";
  }

  /** Notes that something waits from now on. */
  #begin() {
    if (!this.#empty) return;
    this.#since = performance.now();
    this.#due = Infinity;
  }

  /** Sets the timer for the next message. */
  #plan() {
    window.clearTimeout(this.#timer);
    const now = performance.now();
    const answers = this.#answers.length > 0;
    if (!answers && this.#empty) return;
    if (!answers && this.#voice?.busy) return; // it says when it is ready for more
    const rested = this.#waiting[0]?.again ? this.#rested : 0; // or it would be cut again
    const news = Math.max(this.#due, this.#written + APART, this.#quiet, rested);
    const due = answers ? this.#written + BEFORE_ANSWER : news;
    if (due <= now) this.#next();
    else this.#timer = window.setTimeout(() => this.#plan(), due - now);
  }

  #next() {
    const answer = this.#answers.shift();
    if (answer) this.#write(answer, []);
    else this.#write(...this.#news());
    this.#plan();
  }

  /**
   * Takes the next message out of the waiting news, with the request after the last of them.
   * @returns {[Message, Item[]]}
   */
  #news() {
    const items = this.#waiting;
    const end = items.findIndex(({ begins }, place) => begins && place > 0);
    this.#waiting = end < 0 ? [] : items.splice(end);
    const urgent = end < 0 && this.#asked !== "";
    if (urgent) items.push({ line: this.#asked, kind: ASKED, begins: false });
    if (end < 0) this.#asked = "";
    const text = joined(items.map(({ line, silent }) => (silent ? "" : line)));
    return [{ text, sort: "news", urgent }, items];
  }

  /**
   * @param {Message} message
   * @param {Item[]} items its news
   */
  #write({ text, sort, urgent }, items) {
    if (text !== "") {
      this.#written = performance.now();
      this.#utter(text, urgent);
      if (sort !== "news") this.#hush();
      else this.#speak(items);
      this.#voice?.say(text);
    }
    this.said(text, sort, items);
  }

  /**
   * @param {string} text
   * @param {boolean} urgent
   */
  #utter(text, urgent) {
    // The same text twice in a row would not be spoken: never in the region, and by notifications
        // not on a busy machine.
    this.#shown = text === this.#shown ? text + NO_BREAK_SPACE : text;
    if ("ariaNotify" in this.region) {
      const priority = urgent ? "high" : "normal";
      /** @type {any} */ (this.region).ariaNotify(this.#shown, { priority });
      return;
    }
    this.region.append(make("p", {}, this.#shown));
    if (this.region.children.length > MOST_SHOWN) this.region.firstElementChild?.remove();
  }

  // Cut messages

  /**
   * Notes that a reader speaks these now, after those that it is still speaking.
   * @param {readonly Item[]} items
   */
  #speak(items) {
    const word = 60_000 / settings.reader_rate;
    const first = this.#voice ? 0 : BEFORE_NEWS * word; // better heard twice than not at all
    const begins = performance.now() + first;
    let spoken = Math.max(begins, this.#speaking.at(-1)?.spoken ?? 0);
    for (const item of items) {
      if (item.silent) continue;
      spoken += wordsIn(item.line) * word;
      this.#speaking.push({ item, spoken });
    }
  }

  /**
   * Notes a key: it silences the message that a reader is speaking, and all that wait in it.
   * @param {string} key
   * @param {boolean} repeat
   */
  #pressed(key, repeat) {
    if (HELD.includes(key) || this.#voice) return;
    this.#rested = performance.now() + RESTED;
    if (key === "Control") this.#speaking = [];
    else if (!repeat) this.#cut();
    this.#plan();
  }

  /** Stops the page's own voice, for a message that goes first. */
  #hush() {
    if (!this.#voice?.busy) return;
    this.#voice.stop();
    this.#cut();
  }

  /** Puts news that were cut before the waiting ones, once. */
  #cut() {
    const now = performance.now();
    const left = this.#speaking.filter(({ item, spoken }) => spoken > now && !item.again);
    this.#speaking = [];
    if (settings.say_again === false || left.length === 0) return;
    this.#begin();
    const lines = left.map(({ item }) => item).concat(explained() ? [] : itemsOf([say("why_again")]));
    this.#waiting.unshift(...lines.map((item) => ({ ...item, again: true, logged: false })));
    this.within(0);
  }
}

/** Whether this browser's user was told before why news are said again; notes that they are now. */
function explained() {
  const before = lasting.get(EXPLAINED) !== null;
  lasting.set(EXPLAINED, "yes");
  return before;
}

/** Kind of a request to the person, which is not said again once it is out of date. */
const ASKED = "asked";

/** @param {string} line */
const wordsIn = (line) => line.split(/\s+/).length;

/** Pixels that stay free beside an answer over the felt. */
const MARGIN = 8;

/** The last answer, for eyes: over the felt, beside the cards that it speaks of. */
export class Shown {
  /** The moment for which it holds; null if it lasts until the person's next act. */
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
   * @param {{refused: boolean, moment: string | null, at: number | null}} about `at`: pixels from
   *   the left of the window to the cards that it is about; null for none
   */
  show(lines, { refused, moment, at }) {
    const { section } = this;
    const { style } = section;
    section.hidden = true; // so that browsers do not count it as moved
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
   * Closes an answer about another moment; when the person acts, one about no moment.
   * @param {string | null} moment the table's; null when the person acts
   */
  closeBut(moment) {
    if (moment === null ? this.#moment === null : this.#moment !== null && this.#moment !== moment)
      this.close();
  }

  close() {
    this.section.hidden = true;
  }
}

/**
 * Makes items of sentences.
 * @param {readonly string[]} lines
 * @param {string} [kind]
 * @param {boolean} [begins] whether a message begins with the first
 * @returns {Item[]}
 */
export function itemsOf(lines, kind = "", begins = false) {
  return lines
    .filter((line) => line !== "")
    .map((line, place) => ({ line, kind, begins: begins && place === 0 }));
}

/**
 * Joins sentences to one message, each with a stop at its end, for a pause before the next.
 * @param {readonly string[]} lines
 */
export function joined(lines) {
  return lines
    .filter((line) => line !== "")
    .map((line) => (/[.!?…:;]$/.test(line) ? line : `${line}.`))
    .join(" ");
}

// Settings that decide whether a happening is said; one without a setting is always said.

/**
 * The kinds of news, each with its setting `say_KIND`.
 * @typedef {"plays" | "tricks" | "pass" | "scores" | "rulings" | "people" | "clock"} Channel
 */

/** Channels of events (docs/wire.md); others are said to everybody. */
/** @type {Record<string, Channel | undefined>} */
export const CHANNELS = {
  // The match
  Passed: "pass",
  PassTakenBack: "pass",
  Played: "plays",
  TrickTaken: "tricks",
  TrickHeld: "tricks",
  KittyTaken: "tricks",
  UndoAsked: "plays",
  UndoAnswered: "plays",
  PlayTakenBack: "plays",
  DealScored: "scores",
  LotsDrawn: "scores",
  Settled: "scores",
  // At a refereed table
  Objected: "rulings",
  TakenBack: "rulings",
  RevokeClaimed: "rulings",
  TricksMixed: "rulings",
  Reckoned: "scores",
  DealCut: "rulings",
  Accepted: "rulings",
  RestTaken: "tricks",
  // The table
  Sat: "people",
  BotSat: "people",
  SeatForgone: "people",
  Stood: "people",
  Swapped: "people",
  HandedOver: "people",
  StoodIn: "people",
  CameBack: "people",
  ClockAccepted: "clock",
  TimeGiven: "clock",
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
  const channel = CHANNELS[happening.event];
  const about = [happening.seat, happening.one, happening.other, happening.against];
  if (channel === undefined) return true;
  const own = seat !== null && OWN.includes(channel) && about.includes(seat);
  return own || settings[`say_${channel}`] !== false;
}

// The log, to be read.

/** The most lines of the log. */
const MOST_LINES = 400;

/**
 * Adds lines to the log; if the person has scrolled back, it stays where it is.
 * @param {readonly string[]} lines
 */
export function log(lines) {
  const log = by("log");
  const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 8;
  log.append(...lines.map((line) => make("p", {}, line)));
  while (log.children.length > MOST_LINES) log.firstElementChild?.remove();
  if (atEnd) log.scrollTop = log.scrollHeight;
}
