/** What has been said, and what was silenced: gone through message by message, and kind by kind. */

import { joined } from "./announcer.js";
import { say, settings } from "./page.js";

/** @typedef {import("./announcer.js").Item} Item */
/** What was said at once, and in its place what was silenced. @typedef {readonly Item[]} Message */

/** The kinds that can be gone through, each with its channels (see announcer.js). */
/** @type {Record<string, readonly string[]>} */
const KINDS = {
  plays: ["plays", "tricks", "pass"],
  points: ["scores"],
  talk: ["talk"],
  table: ["", "people", "clock", "rulings"],
};
const EVERYTHING = "everything";

/** Messages that are kept. */
const MOST = 400;

export class History {
  /** From the first on; answers to keys are not among them. @type {Message[]} */
  #messages = [];
  /** The one that was heard last; null after the end, where something else was heard since. */
  /** @type {Message | null} */
  #place = null;
  /** Whether the person goes through older ones: then what is new does not take them away. */
  #reviewing = false;
  #kind = EVERYTHING;
  /** What the last step has read; empty where it read nothing. */
  message = "";

  /** @param {Message} message */
  keep(message) {
    if (message.length === 0) return;
    this.#messages.push(message);
    if (this.#messages.length > MOST) this.#messages.shift();
    if (this.#reviewing || message.every(({ silent }) => silent)) return;
    this.#place = this.#kind === EVERYTHING ? message : null;
  }

  /** Ends the review: the next one begins with the newest message. */
  leave() {
    this.#reviewing = false;
    this.#place = null;
  }

  /** Forgets everything: it is told anew. */
  clear() {
    this.#messages = [];
    this.leave();
  }

  /** The message before, and that one is the last now. */
  before() {
    return this.#step(-1) || say(this.#messages.some(this.#reads) ? "nothing_before" : "nothing_said");
  }

  /** The message after. */
  after() {
    return this.#step(1) || say("nothing_after");
  }

  /** Goes on to the next kind, and says which; its newest message comes first. */
  choose() {
    const kinds = [EVERYTHING, ...Object.keys(KINDS)];
    this.#kind = kinds[(kinds.indexOf(this.#kind) + 1) % kinds.length];
    this.message = "";
    this.leave();
    const name = say(`kind_${this.#kind}`);
    const channels = (KINDS[this.#kind] ?? [""]).filter((each) => each !== "");
    const silenced = channels.every((each) => settings[`say_${each}`] === false);
    return channels.length > 0 && silenced ? say("kind_silenced", { name }) : name;
  }

  /** @param {1 | -1} step */
  #step(step) {
    const here = this.#place ? this.#messages.indexOf(this.#place) : this.#messages.length;
    const rest = step > 0 ? this.#messages.slice(here + 1) : this.#messages.slice(0, here).reverse();
    const found = rest.find(this.#reads);
    this.message = found ? this.#read(found) : "";
    if (!found) return "";
    this.#place = found;
    this.#reviewing = this.#kind !== EVERYTHING || found !== this.#messages.at(-1);
    return this.message;
  }

  /** Whether a message has something of the kind. @param {Message} message */
  #reads = (message) => this.#read(message) !== "";

  /**
   * What a message has of the kind.
   * @param {Message} message
   */
  #read(message) {
    const wanted = message.filter(({ kind }) => KINDS[this.#kind]?.includes(kind) ?? true);
    return joined(wanted.map(({ line, silent }) => (silent ? say("silenced", { line }) : line)));
  }
}
