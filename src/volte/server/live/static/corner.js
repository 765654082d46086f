/**
 * The last trick, a tap away: for eyes and pointers; ears and keys have the question. The button
 * comes with the first trick that has been taken.
 */

import { paintTrick } from "../../../web/static/felt.js";
import { small } from "../../../web/static/buttons.js";
import { by, make, say, setAttribute, setText } from "../../../web/static/page.js";

/** @typedef {import("../../../web/static/page.js").Scene} Scene */

export class Corner {
  #last = small("last", () => this.turn(!this.#shown));
  #before = make("ol", { id: "before", class: "cards", "aria-hidden": "true" });
  #label = make("p", { class: "looking", "aria-hidden": "true" });
  #scene = /** @type {Scene | null} */ (null);
  #shown = false;

  constructor() {
    setAttribute(this.#last, "title", say("ask_last"));
    by("corner").append(this.#last);
    setText(this.#label, say("last_trick"));
    by("taken").after(this.#label, this.#before);
    // It goes with whatever is done next.
    document.addEventListener("pointerdown", ({ target }) => {
      if (!(target instanceof Element && target.closest("#corner"))) this.turn(false);
    });
    document.addEventListener("keydown", () => this.turn(false), true);
  }

  /** @param {Scene} scene */
  paint(scene) {
    const { deal, trick, last, phase } = scene;
    const same = this.#scene?.trick.length === trick.length && this.#scene.deal === deal;
    this.#scene = scene;
    this.#last.hidden = last.length === 0 || phase !== "playing";
    if (this.#shown && (!same || this.#last.hidden)) this.turn(false);
  }

  /** @param {boolean} back whether the last trick is shown in place of the present one */
  turn(back) {
    const scene = this.#scene;
    if (!scene || back === this.#shown || (back && this.#last.hidden)) return;
    this.#shown = back;
    by("felt").classList.toggle("looking-back", back);
    const winning = scene.wider?.last_held ? null : scene.leader;
    paintTrick(this.#before, { ...scene, trick: back ? scene.last : [], winning });
  }
}
