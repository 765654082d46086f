/** A deal with much luck, for eyes, with the way to its proof at the same table. */

import { by, make, say } from "../../../web/static/page.js";

/**
 * Shows the sentence, with a button that leads to the proof of the deal.
 * @param {import("./connection.js").Message} notice
 * @param {import("../../../web/static/felt.js").Shown} shown
 */
export function showLuckyDeal({ line, deal }, shown) {
  shown.show([line], { refused: false, moment: null, at: null });
  const check = make("button", { type: "button" }, say("proof_one", { number: deal }));
  check.addEventListener("click", () => {
    shown.close();
    by("proof-part").setAttribute("open", "");
    void proofOf(deal).then((button) => button.focus());
  });
  by("answer").append(make("p", { class: "buttons" }, [check]));
}

/**
 * The button that checks a deal, once it is there.
 * @param {number} deal
 * @returns {Promise<HTMLElement>}
 */
function proofOf(deal) {
  return new Promise((found) => {
    const look = () => {
      const button = document.querySelector(`#proof-${deal} button`);
      if (button === null) return;
      watch.disconnect();
      found(/** @type {HTMLElement} */ (button));
    };
    const watch = new MutationObserver(look);
    watch.observe(by("proofs"), { childList: true, subtree: true });
    look();
  });
}
