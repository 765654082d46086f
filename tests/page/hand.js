/** Cards in the hand. Evaluates to an object of functions. */
({
  /** As if somebody else had chosen the cards for the pass in this tab. */
  giveAway() {
    const kept = sessionStorage.getItem("volte pass");
    sessionStorage.setItem("volte pass", kept.replace('"whose":"', '"whose":"another'));
  },

  /** Whether the first card that may be played has the focus. */
  onFirstPlayable() {
    const first = document.querySelector("#hand [role=option]:not([aria-disabled])");
    return document.activeElement === first;
  },

  /** Pixels of the width of a card that can be hit. */
  hit(card) {
    card.scrollIntoView({ block: "center" });
    const { left, right, top, bottom } = card.getBoundingClientRect();
    let wide = 0;
    for (let x = Math.ceil(left); x < right; x += 1) {
      const found = document.elementFromPoint(x, (top + bottom) / 2);
      if (card.contains(found)) wide += 1;
    }
    return wide;
  },

  /** Description of a card for ears, beside its name. */
  reason(card) {
    const by = card.getAttribute("aria-describedby");
    return by === null ? "" : document.getElementById(by).textContent;
  },
})
