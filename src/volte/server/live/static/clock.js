/** The time left for the present choice, or until bots come to a table where people gather. */

import { by, say, setText } from "../../../web/static/page.js";

/** Seconds before the end at which a warning is said. */
const WARNING = 10;

export class Clock {
  #warned = false;
  /** Seconds that the present choice began with. */
  #began = 0;
  /** Seconds left at the last scene. */
  #left = 0;
  #ends = 0;
  /** Name of the sentence that tells it. */
  #told = "clock";

  /** @param {(lines: string[]) => void} warn */
  constructor(warn) {
    this.warn = warn;
    window.setInterval(() => this.#tick(), 1000);
  }

  /** @param {import("../../../web/static/page.js").Scene} scene */
  paint({ clock, filling = null }) {
    const left = clock ?? filling;
    this.#told = clock === null ? "filling" : "clock";
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
    by("clock").hidden = this.#ends === 0;
    if (this.#ends === 0) return;
    const count = Math.max(0, Math.ceil((this.#ends - performance.now()) / 1000));
    setText(by("clock"), say(this.#told, { count }));
    if (count > this.#warning || this.#warned) return;
    this.#warned = true;
    this.warn([say(this.#told, { count })]);
  }
}
