/** The proof that the deals of the match were fair, worked out here in the browser. */

export class Proofs {
  /** @param {import("./page.js").News} news */
  see(news) {}

  /** @param {import("./page.js").Scene} scene */
  paint(scene) {}
}
