/** The title of a table's page, for people in another tab. */

import { entitle, say } from "../../../web/static/page.js";

/** @typedef {import("../../../web/static/page.js").Scene} Scene */

/** Actions that the match can ask of one person alone. */
const TURNS = ["AnswerUndo", "ChooseMoon", "Cut", "TurnDown", "Play", "Pass"];

/** Tells in the title that it is their turn, that their next table is ready, or who has come. */
export class Title {
  #page = document.title;
  /** The sentence about somebody who has come while the page was hidden. */
  #came = "";
  /** @type {Scene | null} */
  #scene = null;
  #due = false;

  constructor() {
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#came = "";
      this.#write();
    });
  }

  /** @param {Scene} scene */
  paint(scene) {
    this.#scene = scene;
    this.#write();
  }

  /**
   * Shows that somebody has come, until the page is looked at.
   * @param {string} line
   */
  comes(line) {
    if (line && document.hidden) this.#came = line;
    this.#write();
  }

  #write() {
    if (!this.#scene) return;
    const { may, next_table: ready } = this.#scene;
    const due = TURNS.some((name) => may.includes(name));
    if (due !== this.#due) document.dispatchEvent(new CustomEvent("due", { detail: due }));
    this.#due = due;
    const sign = ready ? "ready_title" : due ? "turn_title" : this.#came ? "came_title" : "";
    const words = { line: this.#came, name: this.#page };
    entitle(sign ? say(sign, words) : this.#page, sign !== "");
  }
}
