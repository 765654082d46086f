/**
 * The corner of the felt, for eyes and pointers: the trick before, and what people say. Ears and
 * keys have questions for both. It comes once there is something in it.
 */

import { paintTrick } from "./felt.js";
import { company } from "./listening.js";
import { by, make, say, setAttribute, setText, sign } from "./page.js";

/** @typedef {import("./page.js").Scene} Scene */
/**
 * How somebody who plays can say something: `show` is for what is refused.
 * @typedef {{talk: import("./listening.js").Talk,
 *   ask: (message: import("./connection.js").Message) =>
 *     Promise<import("./connection.js").Message | null>,
 *   show: (lines: string[], refused: boolean) => void}} Means
 */

export class Corner {
  #talk = small("talk", () => void this.#offer());
  #last = small("last", () => this.turn(!this.#shown));
  #unread = make("b", { class: "unread" });
  #scene = /** @type {Scene | null} */ (null);
  #shown = false;
  #before = make("ol", { id: "before", class: "cards", "aria-hidden": "true" });

  /** @param {Means} means */
  constructor(means) {
    this.means = means;
    this.#talk.append(this.#unread);
    by("corner").append(this.#talk, this.#last);
    by("taken").after(this.#before);
    // The focus stays where the person plays from.
    by("corner").addEventListener("mousedown", (event) => event.preventDefault());
  }

  /** @param {Scene} scene */
  paint(scene) {
    const { trick, last, phase } = scene;
    const same = this.#scene?.trick.length === trick.length && this.#scene.deal === scene.deal;
    this.#scene = scene;
    this.#last.hidden = last.length === 0 || phase !== "playing";
    setAttribute(this.#last, "title", say("ask_last"));
    if (this.#shown && (!same || this.#last.hidden)) this.turn(false);
    const heard = this.means.talk.may !== "nobody" && company(scene);
    this.#talk.hidden = !heard && this.means.talk.unread === 0;
    this.count();
  }

  /** How much was said that nobody has read. */
  count() {
    const { unread, label } = this.means.talk;
    setAttribute(this.#talk, "title", label);
    setText(this.#unread, unread === 0 ? "" : String(unread));
  }

  /** Where nobody may say a thing, there still may be something to read. */
  async #offer() {
    if (this.means.talk.may === "nobody") this.means.talk.open();
    else if (this.#scene) (await import("./phrases.js")).offer(this.#scene, this.means);
  }

  /** @param {boolean} back whether the last trick is shown as a trick, in place of the present one */
  turn(back) {
    const scene = this.#scene;
    if (!scene || (back && this.#last.hidden)) return;
    this.#shown = back;
    by("felt").classList.toggle("looking-back", back);
    const winning = scene.wider?.last_held ? null : scene.leader;
    paintTrick(this.#before, { ...scene, trick: back ? scene.last : [], winning });
  }
}

/**
 * A small round button that only pointers can press.
 * @param {string} name of its sign
 * @param {() => void} run
 */
function small(name, run) {
  const told = { type: "button", class: "small", tabindex: "-1" };
  const button = make("button", told, [sign(name)]);
  button.addEventListener("click", run);
  return button;
}
