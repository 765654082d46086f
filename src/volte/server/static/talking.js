/** What people say is counted and heard here; its panel comes when it is opened (talk.js). */

import { by, setText } from "./dom.js";
import { say } from "./page.js";

/** @typedef {import("./connection.js").Message} Message */

export class Talk {
  /** @type {Message[]} */
  said = [];
  /** What may be said at the table. */
  may = "";
  person = "";
  /** Leads into the panel. */
  lead = () => {};
  #unread = 0;
  /** Up to that number, all was said before the person came. */
  #old = -1;

  /**
   * @param {{hear: (line: string) => void, tell: (lines: string[]) => void,
   *   paint: () => void}} means
   */
  constructor(means) {
    this.means = means;
    this.part = by("talk-part");
    this.part.addEventListener("toggle", () => this.#count(0));
  }

  /** What its button is called. */
  get label() {
    return say(this.#unread ? "talk_unread" : "ask_talk", { count: this.#unread });
  }

  open() {
    this.part.setAttribute("open", "");
    by("talk-title").focus();
    this.lead();
  }

  /** @param {Message} welcome */
  greet({ person, talked, setup }) {
    this.person = person;
    this.may = setup.talk;
    if (this.#old < 0) this.#old = talked;
  }

  /** @param {Message} message */
  hear(message) {
    this.said.push(message);
    const { name, line, number } = message;
    if (number <= this.#old) return;
    if (message.person === this.person) {
      this.means.tell([say("talk_own", { line })]);
    } else {
      this.means.hear(say("talk_says", { name, line }));
      if (!this.part.hasAttribute("open")) this.#count(this.#unread + 1);
    }
  }

  /** @param {number} unread */
  #count(unread) {
    this.#unread = unread;
    setText(by("talk-title"), this.label);
    this.means.paint();
  }
}
