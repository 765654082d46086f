/**
 * The card that has left the hand although the table has not confirmed it yet; while it waits for
 * the line, with a button that takes it back.
 */

import { by, say, setText } from "../../../web/static/page.js";
import { connection } from "./connection.js";

/** @typedef {import("../../../web/static/page.js").Card} Card */
/** @typedef {import("../../../web/static/page.js").Scene} Scene */

export class Underway {
  /** The card with its command, and the moment at which it was given. */
  /** @type {{command: Record<string, unknown>, card: Card, at: string} | null} */
  #play = null;

  /**
   * @param {import("./playing.js").Playing} playing
   * @param {{paint: () => void, tell: (line: string) => void, cover: () => void}} means
   *   `paint`: paints the hand and the trick anew; `cover`: closes the answer in whose place the
   *   button is
   */
  constructor(playing, means) {
    this.playing = playing;
    this.means = means;
    setText(by("take-back"), say("take_it_back"));
    by("take-back").addEventListener("click", () => this.#takeBack());
    by("trick").addEventListener("click", ({ target }) => {
      if (target instanceof Element && target.closest(".waiting")) this.#takeBack();
    });
    document.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#takeBack();
    });
  }

  /** Whether there is such a card. */
  get any() {
    return this.#play !== null;
  }

  /**
   * Takes a card out of the hand as soon as it is played, if nothing is known to forbid it. It is
   * told when the table confirms it.
   * @param {Record<string, unknown>} command
   * @param {string} played
   * @param {Scene} scene
   * @param {string} at the moment
   */
  leave(command, played, scene, at) {
    const card = scene.hand.find((each) => each.card === played);
    if (!card?.legal || scene.full || !scene.may.includes("Play")) return;
    this.#play = { command, card, at };
    // If a card goes with the focus, screen readers lose the next message.
    this.playing.hand.stepAside(played);
    if (!connection.open) this.playing.hand.follow();
    // By then the table may have taken the card, and its scene may be on the way.
    window.setTimeout(() => this.#play && this.means.paint(), 30);
  }

  /**
   * Puts the card back into the hand if that command has played it in vain.
   * @param {Record<string, unknown>} command
   */
  comeBack(command) {
    if (this.#play?.command !== command) return;
    const { card } = this.#play.card;
    this.#play = null;
    this.means.paint();
    this.playing.hand.comeBack(card);
  }

  /** Takes a card back that could not be sent. */
  #takeBack() {
    if (!this.#play || by("waiting").hidden) return;
    this.means.tell(say("taken_back", { card: this.#play.card.name }));
    connection.drop(this.#play.command);
  }

  /**
   * Forgets the card, unless it was given at that moment.
   * @param {string} [now]
   */
  forget(now) {
    if (this.#play?.at !== now) this.#play = null;
  }

  /**
   * The scene with the card: in the trick, and no longer in the hand.
   * @param {Scene} scene
   */
  within(scene) {
    if (!this.#play || scene.seat === null) return scene;
    const { card, name, short } = this.#play.card;
    const hand = scene.hand
      .filter((each) => each.card !== card)
      .map((each) => ({ ...each, legal: false, why: "" }));
    const trick = [...scene.trick, { seat: scene.seat, card, name, short, waiting: true }];
    const may = scene.may.filter((each) => each !== "Play");
    return { ...scene, hand, trick, may };
  }

  /** Shows the button while the card waits for the line, and no answer over it. */
  paint() {
    const held = by("take-back") === document.activeElement;
    by("waiting").hidden = !this.#play || connection.open;
    if (!by("waiting").hidden) this.means.cover();
    if (this.#play) setText(by("waiting-text"), say("play_waits", { card: this.#play.card.name }));
    if (held && by("waiting").hidden) this.playing.home();
  }
}
