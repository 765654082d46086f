/** A few soft sounds, made by Web Audio; each can be switched off, and none is the only sign. */

export class Sounds {
  /** @param {import("./page.js").News} news */
  see(news) {}

  /** @param {import("./page.js").Scene} scene */
  paint(scene) {}
}
