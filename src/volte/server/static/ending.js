/** What lies on the table between deals and after a match: who took what, a moon, the settlement. */

import { by } from "./dom.js";

export class Ending {
  /** @param {import("./page.js").News} news */
  see(news) {}

  /** @param {import("./page.js").Scene} scene */
  paint(scene) {
    by("ending").hidden = true;
  }
}
