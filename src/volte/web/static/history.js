/** The messages so far, silenced ones included, to go through one by one and kind by kind. */

import { joined } from "./announcer.js";
import { say, settings } from "./page.js";

/** @typedef {import("./announcer.js").Item} Item */
/** Items said together, with silenced ones in their places. @typedef {readonly Item[]} Message */

/** The kinds that can be gone through, each with its channels (see announcer.js). */
/** @type {Record<string, readonly string[]>} */
const KINDS = {
  plays: ["plays", "tricks", "pass"],
  points: ["scores"],
  talk: ["talk"],
  table: ["", "people", "clock", "rulings"],
};
const EVERYTHING = "everything";

/** The most messages that are kept. */
const MOST = 400;

export class History {
  /** The messages, oldest first, without answers to keys. @type {Message[]} */
  #messages = [];
  /** The last message reviewed; null at the end, after anything else was heard. */
  /** @type {Message | null} */
  #place = null;
  /** Whether the person goes through older messages: then new ones do not move the place. */
  #reviewing = false;
  #kind = EVERYTHING;
  /** The text read by the last step; empty for none. */
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

  /** Forgets all messages, as the match is told anew. */
  clear() {
    this.#messages = [];
    this.leave();
  }

  /**
   * Steps to the message before, or to the oldest one, and returns it.
   * @param {boolean} [far]
   */
  before(far = false) {
    return this.#step(-1, far) || say(this.#messages.some(this.#reads) ? "nothing_before" : "nothing_said");
  }

  /**
   * Steps to the message after, or to the latest one, and returns it.
   * @param {boolean} [far]
   */
  after(far = false) {
    return this.#step(1, far) || say("nothing_after");
  }

  /** Chooses the next kind, and returns its name; its newest message comes first. */
  choose() {
    const kinds = [EVERYTHING, ...Object.keys(KINDS)];
    this.#kind = kinds[(kinds.indexOf(this.#kind) + 1) % kinds.length];
    this.message = "";
    this.leave();
    const { channels, name } = this;
    const silenced = channels.every((each) => settings[`say_${each}`] === false);
    return channels.length > 0 && silenced ? say("kind_silenced", { name }) : name;
  }

  /** Name of the chosen kind. */
  get name() {
    return say(`kind_${this.#kind}`);
  }

  /** The channels of the chosen kind that can be silenced; none for everything. */
  get channels() {
    return (KINDS[this.#kind] ?? [""]).filter((each) => each !== "");
  }

  /**
   * @param {1 | -1} step
   * @param {boolean} far whether to go as far as there are messages that way, from anywhere
   */
  #step(step, far) {
    const here = this.#place ? this.#messages.indexOf(this.#place) : this.#messages.length;
    const rest = step > 0 ? this.#messages.slice(here + 1) : this.#messages.slice(0, here).reverse();
    const all = step > 0 ? [...this.#messages].reverse() : this.#messages;
    const found = (far ? all : rest).find(this.#reads);
    this.message = found ? this.#read(found) : "";
    if (!found) return "";
    this.#place = found;
    this.#reviewing = this.#kind !== EVERYTHING || found !== this.#messages.at(-1);
    return this.message;
  }

  /** Whether a message has items of the chosen kind. @param {Message} message */
  #reads = (message) => this.#read(message) !== "";

  /**
   * Text of a message's items of the chosen kind.
   * @param {Message} message
   */
  #read(message) {
    const wanted = message.filter(({ kind }) => KINDS[this.#kind]?.includes(kind) ?? true);
    return joined(wanted.map(({ line, silent }) => (silent ? say("silenced", { line }) : line)));
  }
}
