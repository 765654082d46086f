/** What a listener hears of all that happens: which lines, when, and once. */

import { by, make } from "./dom.js";
import { say, settings } from "./page.js";

/** More sentences than this, missed while the connection was lost, are not read out. */
const MOST_MISSED = 12;
/** Lines of the log that are kept. */
const MOST_LINES = 400;

export class Listening {
  /** Sentences missed while the connection was lost; null while there is nothing to miss. */
  /** @type {string[] | null} */
  #missed = null;
  /** What was last asked of the person, so that it is said once. */
  #due = "";
  /** Whether the last happening was the beginning of play, which says whose lead it is. */
  #opened = false;
  #lastSeen = 0;

  /** @param {import("./announcer.js").Announcer} announcer */
  constructor(announcer) {
    this.announcer = announcer;
  }

  suit() {
    this.announcer.aloud = settings.speech === true;
  }

  /** @param {import("./page.js").News} news */
  see({ number, happening, lines, fresh }) {
    this.#lastSeen = number;
    this.#opened = happening.event === "PlayStarted";
    addToLog(by("log"), lines);
    if (fresh) this.announcer.say(lines);
    else this.#missed?.push(...lines);
  }

  /**
   * Says what the person has to do now, once, after what has led to it.
   * @param {import("./page.js").Scene} scene
   */
  paint(scene) {
    const waits = ["Play", "Pass", "Next"].find((name) => scene.may.includes(name));
    const now = waits ? `${waits} ${scene.deal} ${scene.hand.length}` : "";
    const first = this.#due === "" && this.#lastSeen === 0;
    if (this.#missed) {
      const lines = this.#missed.length > MOST_MISSED ? [say("missed")] : this.#missed;
      this.#missed = null;
      this.announcer.say([...lines, scene.status]);
    } else if (now !== this.#due && waits && !first && !(waits === "Play" && this.#opened)) {
      this.announcer.say([waits === "Play" ? say("your_turn") : scene.status]);
    }
    this.#due = now;
  }

  /** What happens until the line is back is kept, to be told then. */
  lose() {
    if (!this.#missed) this.announcer.say([say("lost")]);
    this.#missed ??= [];
  }

  /** The line is back, and tells what was missed. */
  comeBack() {
    this.#missed = [];
  }
}

/**
 * Adds to the log; whoever has scrolled back stays where they are.
 * @param {HTMLElement} log
 * @param {readonly string[]} lines
 */
function addToLog(log, lines) {
  const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 8;
  log.append(...lines.map((line) => make("p", {}, line)));
  while (log.children.length > MOST_LINES) log.firstElementChild?.remove();
  if (atEnd) log.scrollTop = log.scrollHeight;
}
