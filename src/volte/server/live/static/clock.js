/** Seconds that are counted down: for the present choice, and before something happens by itself. */

import { say, setText } from "../../../web/static/page.js";

/** Seconds before the end at which a warning is said. */
const WARNING = 10;

export class Clock {
  #warned = false;
  /** Seconds that the present wait began with. */
  #began = 0;
  /** Seconds left at the last scene. */
  #left = 0;
  #ends = 0;

  /**
   * @param {HTMLElement} box
   * @param {string} sentence its name, with a place for the count
   * @param {(scene: import("../../../web/static/page.js").Scene) => number | null} seconds that are
   *   left; null for none
   * @param {(lines: string[]) => void} [warn]
   */
  constructor(box, sentence, seconds, warn) {
    this.box = box;
    this.sentence = sentence;
    this.seconds = seconds;
    this.warn = warn;
    window.setInterval(() => this.#tick(), 1000);
  }

  /** @param {import("../../../web/static/page.js").Scene} scene */
  paint(scene) {
    const left = this.seconds(scene);
    this.#ends = left === null ? 0 : performance.now() + left * 1000;
    if (left === null || left > this.#left) this.#began = left ?? 0;
    this.#left = left ?? 0;
    if (this.#left === 0 || this.#left > this.#warning) this.#warned = false;
    this.#tick();
  }

  /** Seconds before the end at which to warn; half of a short clock. */
  get #warning() {
    return Math.min(WARNING, this.#began / 2);
  }

  #tick() {
    this.box.hidden = this.#ends === 0;
    if (this.#ends === 0) return;
    const count = Math.max(0, Math.ceil((this.#ends - performance.now()) / 1000));
    setText(this.box, say(this.sentence, { count }));
    if (count > this.#warning || this.#warned) return;
    this.#warned = true;
    this.warn?.([say(this.sentence, { count })]);
  }
}
