/** Decides what a listener hears of the happenings: which lines, when, and only once. */

import { CHANNELS, heard, itemsOf, joined, log } from "../../../web/static/announcer.js";
import { Toolbar } from "../../../web/static/buttons.js";
import { REVIEWS, keyOf } from "../../../web/static/keys.js";
import { alone, by, make, say, settings } from "../../../web/static/page.js";
import { remembered } from "../../../web/static/scenes.js";
import { ofTab } from "../../../web/static/storage.js";

/** @typedef {import("../../../web/static/page.js").Scene} Scene */
/** @typedef {import("../../../web/static/history.js").History} History */
/** @typedef {import("../../../web/static/announcer.js").Item} Item */

/** Key of the tab's storage that holds the last match whose beginning it has told. */
const BEGUN = "volte begun";
/** More sentences than this, missed while nobody listened, are not read out. */
const MOST_MISSED = 12;
/**
 * Milliseconds after which a spoken sentence goes into the log. Orca takes equal sentences for one,
 * and would not speak it if the log had it first.
 */
const LOGGED = 1000;
/** Milliseconds for which a connection may be lost before that is said. */
const UNSAID = 1500;
/** Paces of bots, in milliseconds, that are too slow to wait for their next card. */
const SLOW = 1500;
/** A person's own acts; they end the review of earlier messages. */
const DOING = ["Played", "Passed"];
/** Actions that the match can ask of a person, the most urgent first. */
const ASKING = ["AnswerUndo", "Accept", "Cut", "TurnDown", "Play", "Pass", "Next"];
/** Happenings whose sentences begin a message of their own. */
const ENDS = ["DealScored", "Reckoned"];
/** Happenings whose sentences already say what is asked. */
const ASKED_BY = ["Dealt", "PassTakenBack", "PlayStarted"];

export class Listening {
  /** The last text said, of whatever sort. */
  #last = "";
  /** The messages so far, once somebody wants to go through them. @type {History | null} */
  #history = null;
  /** Calls kept until the history has been fetched. @type {((history: History) => void)[]} */
  #untold = [];
  #buttons = new Toolbar(beforeTheLog(), () => {});
  /** Items missed while the line was lost or the page hidden; null while all is heard. */
  /** @type {Item[] | null} */
  #missed = null;
  #offline = false;
  #toldOffline = false;
  /** @type {number | undefined} */
  #losing;
  /** @type {Scene | null} */
  #scene = null;
  /** The last request to the person, so that it is said once. */
  #due = "";
  /** The happenings since the last scene. @type {Record<string, any>[]} */
  #since = [];
  #lastNumber = 0;
  #table = "";
  /** Numbers of the first and the last happening of before the person came that are news to them. */
  #late = { from: Infinity, to: 0 };
  /** Number of the last happening before the last scene. */
  #painted = 0;
  /** Whether the match waits because nobody was there. */
  #deserted = false;
  /** Whether the rest of the deal plays itself. */
  #claimed = false;

  /** @param {import("../../../web/static/announcer.js").Announcer} announcer */
  constructor(announcer) {
    this.announcer = announcer;
    announcer.said = (text, sort, items) => {
      if (sort === "news") this.#keep(items);
      if (sort !== "answer") return;
      this.#last = text;
      this.#leave();
    };
    // People who play by keys will want the history, and the line may be dead by then.
    document.addEventListener("keydown", () => void this.#fetch(), { once: true });
    document.addEventListener("visibilitychange", () => this.#look());
    this.#look();
  }

  settingsChanged() {
    void this.announcer.speak(settings.speech === true, settings.speech_rate / 100);
    this.#buttons.paint(
      REVIEWS.map((what) => ({
        key: what,
        label: say(`does_${what}`),
        drawn: what,
        run: this.keys[what],
        shortcut: keyOf(what),
      })),
    );
  }

  /**
   * Takes the welcome of a table to which the person has only come. The beginning of a match that has
   * begun without them is news, once in each tab.
   * @param {import("./connection.js").Message} welcome
   */
  greet({ table, number, began, news }) {
    this.#table = table;
    const known = ofTab.get(BEGUN) === `${table} ${began}`;
    this.#late = { from: known ? Infinity : news, to: number };
  }

  /** @param {import("../../../web/static/page.js").News} news */
  see({ number, happening, lines, fresh: live }) {
    if (number <= this.#lastNumber) this.#forget(); // the match is told anew
    this.#lastNumber = number;
    if (happening.event === "MatchStarted") ofTab.set(BEGUN, `${this.#table} ${number}`);
    const fresh = live || (number >= this.#late.from && number <= this.#late.to);
    // People who have just sat down or stood up are told the match anew, this with it.
    const anew = fresh || (this.#painted > 0 && number > this.#painted);
    if (fresh) this.#since.push(happening);
    if (!this.#tells(happening)) return;
    const kind = CHANNELS[happening.event] ?? "";
    const silent = !heard(happening, this.#scene?.seat ?? null, settings);
    const items = itemsOf(lines, kind, ENDS.includes(happening.event));
    for (const item of items) Object.assign(item, { silent, logged: this.#missed || anew });
    if (this.#missed) this.#missed.push(...items);
    else if (anew) this.announcer.gather(items);
    else {
      log(lines);
      this.#keep(items);
    }
  }

  /**
   * Whether a happening is told with its own sentences.
   * @param {Record<string, any>} happening
   */
  #tells({ event, name, seat }) {
    if (event === "Claimed") this.#claimed = true;
    if (event === "DealScored") this.#claimed = false;
    const channel = CHANNELS[event];
    if (this.#claimed && (channel === "plays" || channel === "tricks")) return false;
    // If nobody was there, nobody hears that the match waited.
    if (event === "Paused" || event === "Unpaused") {
      this.#deserted = event === "Paused" && name === "";
      if (name === "") return false;
    }
    // The person who has to answer is asked in other words.
    const own = this.#scene?.seat ?? null;
    return event !== "UndoAsked" || seat === own || own === null;
  }

  /**
   * Says once what the person has to do now, after the news that led to it.
   * @param {Scene} scene
   */
  paint(scene) {
    const first = this.#scene === null;
    if (scene.next_table && !this.#scene?.next_table) {
      this.#gather(say("next_ready"), "", { silent: false, logged: true });
    }
    const since = this.#since.splice(0);
    this.#scene = scene;
    this.#painted = this.#lastNumber;
    if (first) this.#arrive();
    const due = dueOf(scene);
    const anew = due !== this.#due;
    this.#due = due;
    if (this.#missed) {
      if (!this.#offline && !document.hidden) this.#catchUp(scene);
      return;
    }
    if (since.some((each) => doneBy(each, scene.seat))) this.#leave();
    // Where the page has come long before its table, that the table is there is told in any case.
    const late = first && alone !== undefined && since.length === 0;
    const request = asked(scene, since, first && since.length === 0);
    if (anew || late) this.announcer.ask(request || (late ? scene.status : ""));
    if (since.length > 0) this.announcer.within(anew && due ? 0 : patience(scene, since));
  }

  // Absence

  /** Notes that the table is there, so that news can be said. */
  #arrive() {
    this.comeBack();
    this.announcer.arrive();
  }

  /** Says that the connection is lost, if it stays so. */
  lose() {
    if (this.#offline) return;
    this.#offline = true;
    this.#missed ??= [];
    this.#losing = window.setTimeout(() => {
      this.#toldOffline = true;
      this.announcer.answer([say("lost")], "aside"); // not said again: it may be back by then
    }, UNSAID);
  }

  /**
   * Answers a question from the last scene, while the server cannot.
   * @param {string} what
   * @param {number} number of a card or a seat
   */
  recall(what, number) {
    const line = this.#scene ? remembered(what, number, this.#scene) : "";
    this.#toldOffline = true; // either answer says so
    this.announcer.answer([line ? say("remembered", { line }) : say("not_remembered")]);
  }

  /** Says that the line is back, and tells the missed items. */
  comeBack() {
    window.clearTimeout(this.#losing);
    this.#offline = false;
  }

  /** Notes that the page is looked at again, or no longer. */
  #look() {
    if (document.hidden) this.#missed ??= [];
    else if (!this.#offline && this.#scene) this.#catchUp(this.#scene);
  }

  /** @param {Scene} scene */
  #catchUp(scene) {
    const missed = this.#missed ?? [];
    this.#missed = null;
    const back = this.#toldOffline ? [say("back")] : [];
    this.#toldOffline = false;
    if (missed.length === 0 && back.length === 0) return;
    if (missed.filter(({ silent }) => !silent).length > MOST_MISSED) {
      this.#keep(missed.splice(0));
      back.push(say("missed"));
    }
    this.announcer.gather([...itemsOf(back), ...missed]);
    this.announcer.within(0);
    if (this.#deserted) return; // it goes on at once, and then tells what is to be done
    if (missed.some(({ line }) => line === say("next_ready"))) return; // the status tells it too
    this.announcer.ask(scene.status); // a later request replaces it
  }

  // Talk and warnings

  /**
   * Warns that time runs short.
   * @param {readonly string[]} lines
   */
  warn(lines) {
    if (settings.say_clock !== false && !this.#missed) this.announcer.say(lines);
  }

  /**
   * Tells a saying.
   * @param {string} line
   */
  hear(line) {
    this.#gather(line, "talk", { silent: settings.say_talk === false });
  }

  /**
   * Tells that somebody without a seat has come.
   * @param {string} line
   */
  tellNewcomer(line) {
    this.#gather(line, "people", { silent: settings.say_people === false, logged: true });
  }

  /**
   * @param {string} line
   * @param {string} kind
   * @param {{silent: boolean, logged?: boolean}} how
   */
  #gather(line, kind, how) {
    const items = itemsOf([line], kind);
    for (const item of items) Object.assign(item, how);
    if (this.#missed) this.#missed.push(...items);
    else this.announcer.gather(items);
  }

  // The history

  /**
   * Keeps news that were said, and in their places those that the person has silenced.
   * @param {readonly Item[]} items
   */
  #keep(items) {
    const said = items.filter(({ silent }) => !silent);
    if (said.length > 0) this.#last = joined(said.map(({ line }) => line));
    this.#tell((history) => history.keep(items.filter(({ again }) => !again)));
    const lines = items.flatMap(({ line, logged }) => (logged ? [line] : []));
    if (lines.length > 0) window.setTimeout(() => log(lines), LOGGED);
  }

  /** Ends the review of the history. */
  #leave() {
    this.#tell((history) => history.leave());
  }

  #forget() {
    by("log").replaceChildren();
    this.#untold = [];
    this.#history?.clear();
  }

  /** @param {(history: History) => void} what */
  #tell(what) {
    if (this.#history) what(this.#history);
    else this.#untold.push(what);
  }

  /** Fetches the history; null if that fails. */
  async #fetch() {
    const module = await import("../../../web/static/history.js").catch(() => null);
    if (module) this.#history ??= new module.History();
    for (const what of this.#history ? this.#untold.splice(0) : []) this.#tell(what);
    return this.#history;
  }

  /** @param {(history: History) => string} step */
  async #review(step) {
    const history = this.#history ?? (await this.#fetch());
    const line = history ? step(history) : say("lost");
    if (history?.message) this.#last = history.message;
    this.announcer.answer([line], "aside");
  }

  // Keys

  /** Says the last message again. */
  repeat() {
    this.announcer.answer([this.#last || say("nothing_said")], "aside");
  }

  /** Says the message before the last one said. */
  before() {
    return this.#review((history) => history.before());
  }

  /** Says the message after the last one said. */
  after() {
    return this.#review((history) => history.after());
  }

  /** Chooses the next kind of messages to go through: plays, points, ... */
  kind() {
    return this.#review((history) => history.choose());
  }

  /** The effects of the keys that repeat messages. @type {Record<string, () => unknown>} */
  keys = {
    repeat: () => this.repeat(),
    before: () => this.before(),
    after: () => this.after(),
    kind: () => this.kind(),
    oldest: () => this.#review((history) => history.before(true)),
    latest: () => this.#review((history) => history.after(true)),
    silence: async () => {
      const { silence } = await import("./verbosity.js");
      return this.#review(silence);
    },
  };
}

/** A row before the log, for the buttons that go through the messages. */
function beforeTheLog() {
  const name = { role: "toolbar", class: "toolbar", "aria-label": say("keys_hearing") };
  const row = make("div", name);
  by("log").before(row);
  return row;
}

/**
 * Key of the match's present request to the person: it changes with the request; empty for none.
 * @param {Scene} scene
 */
function dueOf(scene) {
  const asking = ASKING.find((name) => scene.may.includes(name));
  return asking ? `${asking} ${scene.deal} ${scene.hand.length}` : "";
}

/**
 * The sentence of the request; empty if a happening since the last scene, and since the last card,
 * has told it.
 * @param {Scene} scene
 * @param {readonly Record<string, any>[]} since
 * @param {boolean} first whether the person has only come to the table, and has been told nothing
 */
function asked(scene, since, first) {
  const due = dueOf(scene);
  const events = since.map(({ event }) => event);
  const last = events.slice(events.lastIndexOf("Played") + 1);
  if (due === "" || last.some((event) => ASKED_BY.includes(event))) return "";
  return due.startsWith("Play") && !first ? say("your_turn") : scene.status;
}

/**
 * Whether a seat has done that with its cards.
 * @param {Record<string, any>} happening
 * @param {number | null} seat
 */
function doneBy(happening, seat) {
  return DOING.includes(happening.event) && happening.seat === seat;
}

/**
 * Milliseconds that news may wait to be said together with the next: while bots play on, until
 * their next card.
 * @param {Scene} scene
 * @param {readonly Record<string, any>[]} since
 */
function patience(scene, since) {
  const others = since.every((each) => DOING.includes(each.event) && !doneBy(each, scene.seat));
  if (!others) return 0;
  const next = scene.turn === null ? undefined : scene.seats[scene.turn];
  const bot = next !== undefined && ["bot", "stand_in"].includes(next.state);
  return bot && settings.bot_pace <= SLOW ? settings.bot_pace * 1.25 + 250 : 300;
}
