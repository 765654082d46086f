/** The server's notices beside what happens at the table: shown, said, and noted for scenes. */

import { connection } from "./connection.js";

/** @typedef {import("./connection.js").Message} Message */
/** @typedef {import("../../../web/static/page.js").Scene} Scene */

/** Happenings that tell why the line closes next, with the reason of that notice. */
/** @type {Record<string, string>} */
const FAREWELLS = { Barred: "barred", Closed: "closed" };
/** Phases in which the last match may be over. */
const OVER = ["ended", "pausing", "closed"];

export class Notices {
  /** How it stands with the people whom the person looks for, in a sentence and in a few words. */
  #sought = { line: "", short: "" };
  /** How much of the match that is over was luck, in a sentence; empty until that is known. */
  #luck = "";
  /** The reason with which the line closes after the last happening. */
  #farewell = "";
  /** The last notice about the connection; empty for none. */
  last = "";

  /**
   * @param {{
   *   show: (lines: readonly string[], refused: boolean) => void,
   *   say: (lines: string[]) => void,
   *   shown: import("../../../web/static/felt.js").Shown,
   *   listening: import("./listening.js").Listening,
   *   title: import("./title.js").Title,
   *   giveAgain: () => void,
   *   ring: () => void,
   *   changed: () => void,
   * }} means `show`: for eyes and ears; `say`: for ears; `giveAgain`: gives commands that could not
   *   be stored; `ring`: sounds that somebody comes; `changed`: scenes have other notices in them
   */
  constructor(means) {
    this.means = means;
  }

  /** Notices that scenes have in them. */
  get noted() {
    return { seeking: this.#sought.short, luck: this.#luck };
  }

  /**
   * The scene of a message, with the notices in it.
   * @param {Message} message
   * @returns {Scene}
   */
  within(message) {
    if (!OVER.includes(message.phase)) this.#luck = "";
    return /** @type {Scene} */ (/** @type {unknown} */ ({ ...message, ...this.noted }));
  }

  /**
   * Notes a happening, which may tell why the line closes next.
   * @param {string} event
   */
  see(event) {
    this.#farewell = FAREWELLS[event] ?? "";
  }

  /** @param {Message} notice */
  hear(notice) {
    const { reason, line } = notice;
    const { giveAgain, listening, say, show, shown } = this.means;
    if (reason.startsWith("person_")) return listening.tellNewcomer(line);
    if (reason === "closed" && notice.at) {
      const onward = notice.at.slice(notice.at.lastIndexOf("/") + 1);
      void import("./meeting.js").then(({ goOn }) => goOn(onward));
      return;
    }
    if (reason === "seeking") return this.#tellSeeking(notice);
    if (reason === "luck") return this.#tellLuck(line);
    if (reason === "lucky_deal") {
      say([line]);
      void import("./luck.js").then(({ showLuckyDeal }) => showLuckyDeal(notice, shown));
      return;
    }
    if (reason === "came") return this.tellNewcomer(line);
    if (reason !== "measure") this.last = line;
    if (reason !== this.#farewell) show([line], reason !== "saved");
    if (reason === "saved") giveAgain();
  }

  /**
   * Tells the host that somebody without a seat has come.
   * @param {string} line
   */
  tellNewcomer(line) {
    this.means.title.comes(line);
    this.means.ring();
    this.means.listening.tellNewcomer(line);
    this.means.shown.show([line], { refused: false, moment: null, at: null });
  }

  /**
   * Looks for people to play with, or no longer does.
   * @param {boolean} on
   */
  async seek(on) {
    const answer = await connection.ask({ say: "seeking", on });
    if (answer) this.means.show(answer.lines, !answer.ok);
  }

  /**
   * Tells how it stands with the people whom the person looks for; empty if they look for none.
   * @param {Message} notice
   */
  #tellSeeking({ line, short }) {
    if (line && line !== this.#sought.line) this.means.listening.tellNewcomer(line);
    this.#sought = { line, short };
    this.means.changed();
  }

  /**
   * Tells how much of the match that is over was luck.
   * @param {string} line
   */
  #tellLuck(line) {
    if (line !== this.#luck) this.means.say([line]);
    this.#luck = line;
    this.means.changed();
  }
}
