/** The time left for the present choice. */

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

  /** @param {(lines: string[]) => void} warn */
  constructor(warn) {
    this.warn = warn;
    window.setInterval(() => this.#tick(), 1000);
  }

  /** @param {import("../../../web/static/page.js").Scene} scene */
  paint({ clock }) {
    this.#ends = clock === null ? 0 : performance.now() + clock * 1000;
    if (clock === null || clock > this.#left) this.#began = clock ?? 0;
    this.#left = clock ?? 0;
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
    setText(by("clock"), say("clock", { count }));
    if (count > this.#warning || this.#warned) return;
    this.#warned = true;
    this.warn([say("clock", { count })]);
  }
}
