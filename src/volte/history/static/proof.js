/** The proof that the deals of a match are fair, worked out in the browser when it is opened. */

import { by, linkStyle } from "../../web/static/page.js";

/** @typedef {import("../../web/static/page.js").Scene} Scene */

/** Events that prove a deal; plays replace the hands that are hidden from a seat. */
const FACTS = new Set([
  "Committed",
  "Promised",
  "Contributed",
  "Revealed",
  "DealerDrawn",
  "Dealt",
  "LotsDrawn",
]);
const PLAYS = new Set(["Played", "PlayTakenBack"]);

export class Proofs {
  /** @type {Record<string, any>[]} */
  #log = [];
  /** Number of facts, and of the facts shown. */
  #facts = 0;
  #shown = 0;
  /** @type {Scene | null} */
  #scene = null;

  /** @param {(lines: string[]) => void} tell says the outcome of a check */
  constructor(tell) {
    this.tell = tell;
    by("proof-part").addEventListener("toggle", () => void this.#show());
  }

  /** @param {import("../../web/static/page.js").News} news */
  see({ happening }) {
    if (happening.event === "MatchStarted") {
      this.#log = [happening];
      this.#facts = 0;
      this.#shown = 0;
    }
    if (FACTS.has(happening.event)) this.#facts += 1;
    if (FACTS.has(happening.event) || PLAYS.has(happening.event)) this.#log.push(happening);
  }

  /** @param {Scene} scene */
  paint(scene) {
    this.#scene = scene;
    void this.#show();
  }

  async #show() {
    const facts = this.#facts;
    const open = by("proof-part").hasAttribute("open");
    if (!open || !this.#scene || this.#shown === facts) return;
    linkStyle("web/static/scores.css");
    try {
      const [{ showProofs }, { called }] = await Promise.all([
        import("./proving.js"),
        import("./score.js"),
      ]);
      showProofs(by("proofs"), this.#log, called(this.#scene), "h3", this.tell);
      this.#shown = facts;
    } catch {
      // The modules could not be loaded; the next call tries again.
    }
  }
}
