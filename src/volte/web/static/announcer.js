/**
 * Messages for ears: by the browser's own notifications or one live region, and spoken aloud if
 * the person wants that.
 *
 * A screen reader speaks one message after another, and any key silences it. So news that come
 * close together are one message, everything is said whole and in order, and sentences that a key
 * has cut are said again when the keys rest. In the live region every message is an element of its
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
/**
 * Milliseconds before the first message, and at least after the page was loaded: screen readers tell
 * the arrival of the page first. One that is not loaded after so long is not waited for.
 */
const ARRIVING = 1200;
const LOADED = 300;
const NEVER_LOADED = 5000;
/** Milliseconds without a key after which news that a key has cut are said again. */
const RESTED = 900;
/** Words a minute of the slowest and the fastest reader, and of the usual one. */
const SLOWEST = 80;
const FASTEST = 700;
const USUAL_RATE = 200;
/** Milliseconds until a reader begins a message, and a listener reacts to its end. */
const REACTION = 400;
/** Messages that are cut in a row where the rate of the reader is not the one that was given. */
const MANY = 5;
/** Messages that stay in the region. */
const MOST_SHOWN = 3;
const NO_BREAK_SPACE = "\u00a0";
/**
 * Browsers whose notifications are spoken, as far as is known: Chromium on Linux and Windows. Others
 * have them too, but Orca is deaf to Firefox's, and VoiceOver to some of any browser's.
 */
const NOTIFYING = /(Windows NT|X11; Linux).*Chrome\//;
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
  /** Moves the focus with the next news. @type {((text: string) => boolean) | null} */
  #bearer = null;
  #shown = "";
  #written = -Infinity;
  /** Time before which no news are said. */
  #quiet = 0;
  /**
   * Sentences that a reader is perhaps still speaking: when it will have spoken each by its rate,
   * or at the earliest where that is not known, and when a usual one will have.
   * @type {{item: Item, spoken: number, usually: number}[]}
   */
  #speaking = [];
  /** The message at whose end the person presses Control; null for none. */
  /** @type {{words: number, since: number} | null} */
  #measured = null;
  /** Messages in a row that a key has cut. */
  #cutInARow = 0;
  /** Whether the rate of the reader has been asked for on this page. */
  #hasAsked = false;
  /** When the keys will have rested. */
  #rested = 0;
  /** @type {number | undefined} */
  #timer;
  #notifies;
  /** The voice that speaks aloud; null if the person wants none. */
  /** @type {import("./voice.js").Voice | null} */
  #voice = null;

  /**
   * @param {HTMLElement} region polite, and empty when the page was loaded
   * @param {string} lang
   * @param {AbortSignal} [signal] ends it
   */
  constructor(region, lang, signal) {
    this.region = region;
    this.#notifies = "ariaNotify" in region && NOTIFYING.test(navigator.userAgent);
    this.lang = lang;
    /** Called with every message that is said and its news, and with silent news. */
    /** @type {(text: string, sort: Sort, items: readonly Item[]) => void} */
    this.said = () => {};
    /** Called with the rate of the reader, in words a minute, once it is known. */
    /** @type {(rate: number) => void} */
    this.knows = () => {};
    /** @param {KeyboardEvent} event */
    const press = ({ key, repeat }) => this.#pressed(key, repeat);
    document.addEventListener("keydown", press, { capture: true, signal });
    signal?.addEventListener("abort", () => {
      window.clearTimeout(this.#timer);
      void this.speak(false, 1);
    });
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
    const painted = performance.now();
    this.#quiet = painted + ARRIVING;
    if (document.readyState === "complete") return;
    this.#quiet = painted + NEVER_LOADED;
    const loaded = () => {
      if (this.#quiet === 0) return; // the person has ended every wait
      this.#quiet = Math.max(painted + ARRIVING, performance.now() + LOADED);
      this.#plan();
    };
    window.addEventListener("load", loaded, { once: true });
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

  /**
   * Lets the next news be said by a move of the focus, which would cut them short otherwise.
   * @param {(text: string) => boolean} focus moves it; false if it cannot
   */
  bear(focus) {
    this.#bearer = focus;
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
      const bearer = sort === "news" ? this.#bearer : null;
      if (bearer) this.#bearer = null;
      if (!bearer?.(text)) this.#utter(text, urgent);
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
    if (this.#notifies) {
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
    const now = performance.now();
    const rate = settings.reader_rate ?? FASTEST;
    const usual = settings.reader_rate ?? USUAL_RATE;
    let { spoken, usually } = this.#speaking.at(-1) ?? { spoken: now, usually: now };
    for (const item of items) {
      for (const line of item.silent ? [] : sentencesOf(item.line)) {
        const words = wordsIn(line);
        spoken = Math.max(now, spoken) + (words * 60_000) / rate;
        usually = Math.max(now, usually) + (words * 60_000) / usual;
        this.#speaking.push({ item: { ...item, line }, spoken, usually });
      }
    }
    if (!items.some(({ line }) => line === say("measure"))) return;
    const words = items.reduce((sum, { line }) => sum + wordsIn(line), 0);
    this.#measured = { words, since: now };
    this.#quiet = now + (words * 60_000) / USUAL_RATE; // Control would cut what came after
  }

  /**
   * Notes a key: it silences the message that a reader is speaking, and all that wait in it.
   * @param {string} key
   * @param {boolean} repeat
   */
  #pressed(key, repeat) {
    if (HELD.includes(key)) return;
    const measured = this.#measured;
    this.#measured = null;
    if (measured) this.#quiet = 0;
    if (key === "Control") {
      this.#silence();
      if (measured) this.#measure(measured);
    } else if (!this.#voice) {
      this.#rested = performance.now() + RESTED;
      if (!repeat) this.#cut();
    }
    this.#plan();
  }

  /** Ends what is being said, and every wait: the person has heard enough. */
  #silence() {
    this.#speaking = [];
    this.#waiting = this.#waiting.filter(({ again }) => !again);
    this.#quiet = 0;
    this.#voice?.stop();
  }

  /**
   * Works out the rate of the reader, which has just come to the end of a message.
   * @param {{words: number, since: number}} message
   */
  #measure({ words, since }) {
    const rate = rateOf(words, performance.now() - since);
    if (rate === null) return;
    settings.reader_rate = rate;
    this.answer([say("measured", { number: rate })], "aside");
    this.knows(rate);
  }

  /** Stops the page's own voice, for a message that goes first. */
  #hush() {
    if (!this.#voice?.busy) return;
    const left = this.#speaking.slice(-this.#voice.left);
    this.#speaking = left.map(({ item }) => ({ item, spoken: Infinity, usually: Infinity }));
    this.#voice.stop();
    this.#cut();
  }

  /**
   * Puts the sentences that were cut before the waiting ones, once. The rate of the reader is asked
   * for where it is not known, or seems to be another, after the first sentence that may have been
   * cut.
   */
  #cut() {
    const now = performance.now();
    const fresh = this.#speaking.filter(({ item }) => !item.again);
    this.#speaking = [];
    if (settings.say_again === false || fresh.length === 0) return;
    let left = fresh.filter(({ spoken }) => spoken > now);
    this.#cutInARow = left.length > 0 ? this.#cutInARow + 1 : 0;
    const unsure = settings.reader_rate === null || this.#cutInARow >= MANY;
    const asks = unsure && !this.#hasAsked && !this.#voice;
    if (asks && left.length === 0) left = fresh.filter(({ usually }) => usually > now).slice(-1);
    if (left.length === 0) return;
    this.#hasAsked ||= asks;
    const known = explained() || this.#voice;
    const why = asks ? say("measure") : known ? "" : say("why_again");
    this.#begin();
    const lines = left.map(({ item }) => item).concat(itemsOf([why]));
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

/** Words that a reader speaks: a sign between two spaces is none. @param {string} line */
export const wordsIn = (line) => (line.match(/\S*[\p{L}\p{N}]\S*/gu) ?? []).length;

/** @param {string} text */
export const sentencesOf = (text) => text.match(/.+?(?:[.!?…]+(?=\s|$)|$)/g) ?? [];

/**
 * Rate of a reader that has spoken so many words, in words a minute; null if no reader has.
 * @param {number} words
 * @param {number} time milliseconds until the person pressed a key
 */
export function rateOf(words, time) {
  const rate = Math.round((words * 60_000) / Math.max(1, time - REACTION));
  return rate >= SLOWEST && rate <= FASTEST ? rate : null;
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
