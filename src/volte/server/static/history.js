/** What has been said: a log to read, and the messages to go through by keys. */

import { by, make } from "./dom.js";
import { say } from "./page.js";

/** Lines of the log, and messages, that are kept. */
const MOST_LINES = 400;
const MOST_MESSAGES = 200;

export class History {
  /** What was said, from the first on; answers to keys are not among them. */
  /** @type {string[]} */
  #messages = [];
  /** The message that was said last; after the end, where something else was said since. */
  #place = 0;
  /** Whether the person goes through older ones: then what is new does not take them away. */
  #reviewing = false;
  /** What was said last, of whatever sort. */
  #last = "";

  /**
   * A line of the log; whoever has scrolled back stays where they are.
   * @param {readonly string[]} lines
   */
  log(lines) {
    const log = by("log");
    const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 8;
    log.append(...lines.map((line) => make("p", {}, line)));
    while (log.children.length > MOST_LINES) log.firstElementChild?.remove();
    if (atEnd) log.scrollTop = log.scrollHeight;
  }

  /**
   * News that were said, or would have been.
   * @param {string} message
   */
  keep(message) {
    if (message === "") return;
    this.#last = message;
    this.#messages.push(message);
    if (this.#messages.length > MOST_MESSAGES) {
      this.#messages.shift();
      this.#place = Math.max(this.#place - 1, 0);
    }
    if (!this.#reviewing) this.#place = this.#messages.length - 1;
  }

  /**
   * An answer was said, and the review is over.
   * @param {string} answer
   */
  answered(answer) {
    this.#last = answer;
    this.leave();
  }

  /** Ends the review: the next one begins with the newest message. */
  leave() {
    this.#reviewing = false;
    this.#place = this.#messages.length;
  }

  /** Forgets everything: it is told anew. */
  clear() {
    this.#messages = [];
    this.leave();
    by("log").replaceChildren();
  }

  /** What was said last. */
  repeat() {
    return this.#last || say("nothing_said");
  }

  /** The message before, and that one is the last now. */
  before() {
    return this.#step(-1, this.#messages.length > 0 ? say("nothing_before") : say("nothing_said"));
  }

  /** The message after. */
  after() {
    return this.#step(1, say("nothing_after"));
  }

  /**
   * @param {1 | -1} step
   * @param {string} end said where there is no such message
   */
  #step(step, end) {
    const message = this.#messages[this.#place + step];
    if (message === undefined) return end;
    this.#place += step;
    this.#reviewing = this.#place < this.#messages.length - 1;
    this.#last = message;
    return message;
  }
}
