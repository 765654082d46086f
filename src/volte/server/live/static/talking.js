/** Sayings are counted and heard here; their panel comes when it is opened (talk.js). */

import { small } from "../../../web/static/buttons.js";
import { by, say, setAttribute, setText } from "../../../web/static/page.js";

/** @typedef {import("./connection.js").Message} Message */

/** States of seats that belong to people. */
const PEOPLE = ["here", "gone", "stand_in"];

export class Talk {
  /** @type {Message[]} */
  said = [];
  /** The table's setting for talk. */
  may = "";
  person = "";
  /** Whether the person plays, and does not only watch. */
  seated = true;
  /** Moves the focus into the panel. */
  lead = () => {};
  #unread = 0;
  /** Number of the last saying before the person came. */
  #old = -1;

  /**
   * @param {{hear: (line: string) => void, tell: (lines: string[]) => void,
   *   paint: () => void, phrases: () => void}} means
   */
  constructor(means) {
    this.means = means;
    this.part = by("talk-part");
    this.button = small("talk", means.phrases);
    this.button.hidden = true;
    by("corner").append(this.button);
    this.part.addEventListener("toggle", () => this.#count(0));
  }

  /** Label of the panel's button. */
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
    this.#count(this.#unread);
  }

  /** @param {Message} message */
  hear(message) {
    this.said.push(message);
    const { name, line } = message;
    if (!this.fresh(message)) return;
    if (message.person === this.person) {
      this.means.tell([say("talk_own", { line })]);
    } else {
      this.means.hear(say("talk_says", { name, line }));
      if (!this.part.hasAttribute("open")) this.#count(this.#unread + 1);
    }
  }

  /**
   * Hides the button from eyes while only bots would hear the person.
   * @param {import("../../../web/static/page.js").Scene} scene
   */
  paint({ seats, seat, watching }) {
    this.seated = seat !== null;
    const sits = seats.some(({ state }, place) => place !== seat && PEOPLE.includes(state));
    this.button.hidden = !sits && watching === "" && this.#unread === 0;
  }

  /**
   * Whether a saying is new, not one of those from before the person came.
   * @param {Message} message
   */
  fresh({ number }) {
    return number > this.#old;
  }

  /** @param {number} unread */
  #count(unread) {
    this.#unread = unread;
    setText(by("talk-title"), this.label);
    setAttribute(this.button, "title", this.label);
    setAttribute(this.button, "data-count", unread > 0 ? String(unread) : null);
    if (unread > 0) this.button.hidden = false;
    this.means.paint();
  }
}
