/** A person's arrival at the table: what the address asks for, and where the focus goes. */

import { alone, at, by, table } from "../../../web/static/page.js";
import { ofTab } from "../../../web/static/storage.js";
import { begun } from "./connection.js";

/** @typedef {import("../../../web/static/page.js").Scene} Scene */

export class Arrival {
  /** Whether the address asks that the match begin at once. */
  begins = begun !== null;
  /**
   * Whether the person comes by keys, and goes to the hand as soon as it is dealt, or without a seat
   * to the buttons; see by_keys.js.
   */
  #comesToHand = location.hash === "#cards" || Boolean(ofTab.get("volte by keys"));

  /**
   * @param {{
   *   scene: () => Scene | null,
   *   acting: import("./acting.js").Acting,
   *   playing: import("./playing.js").Playing,
   *   touched: () => boolean,
   *   paint: () => void,
   * }} means `scene`: the last one; `touched`: whether the person has used the page yet
   */
  constructor(means) {
    this.means = means;
    ofTab.remove("volte by keys");
  }

  /**
   * Puts the address of the table itself into the browser: it outlasts the node of the page.
   * @param {string} [asked] query of the address
   */
  readdress(asked = "") {
    if (alone) return; // no host has that address
    history.replaceState(null, "", at(`/tables/${table}`) + asked + location.hash);
  }

  /**
   * Sits the person down, once, if the address asks for it.
   * @param {Scene} scene
   */
  sitDown({ seats, open, seat: own }) {
    const asked = by("table").dataset;
    if (asked.sit === undefined) return;
    delete asked.sit;
    this.readdress();
    const seat = open.find((place) => seats[place].state === "free") ?? open[0];
    // If there is no seat for them, the table says why.
    const taken = Math.max(0, seats.findIndex(({ state }) => state === "bot"));
    if (own !== null) return;
    void this.means.acting.give({ do: "Sit", seat: seat ?? taken }).then((answer) => {
      // Somebody was faster: the page of a full table offers others.
      if (answer?.refusal?.reason === "table_full") location.replace(at(`/tables/${table}?sit`));
    });
  }

  /** Waits for the early command that begins the match; gives it again if it was refused. */
  async begin() {
    if (!begun) return;
    this.readdress();
    const answer = await begun;
    if (!answer || answer.ok) return;
    this.begins = false;
    if (this.means.scene()?.may.includes("Start")) void this.means.acting.give({ do: "Start" });
    this.means.paint();
  }

  /**
   * Gives somebody who comes by keys the hand, or the buttons where none is dealt yet.
   * @param {Scene} scene
   */
  paint({ hand, seat, phase }) {
    const { playing, touched } = this.means;
    const watches = seat === null && location.search.includes("watch");
    const gathers = phase === "waiting" && seat !== null && !this.begins;
    if (!this.#comesToHand || (hand.length === 0 && !watches && !gathers)) return;
    this.#comesToHand = false;
    if (touched() || document.activeElement !== document.body) return;
    if (!gathers || !playing.bar.focus()) playing.home();
  }
}
