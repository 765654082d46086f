/** Keeps the cards chosen for a pass when the page is loaded again. */

import { ofTab } from "../../../web/static/storage.js";

/** @typedef {import("./playing.js").Playing} Playing */

/** No other tab sees it; playing.js forgets it as soon as nobody chooses. */
const KEY = "volte pass";

/** @param {Playing} playing */
export function remember(playing) {
  if (!playing.hand.choosing) return; // passed meanwhile
  const kept = { whose: whose(playing), cards: playing.order() };
  ofTab.set(KEY, JSON.stringify(kept));
}

/** @param {Playing} playing */
export function restore(playing) {
  const kept = ofTab.value(KEY, { whose: "", cards: [] });
  if (kept.whose !== whose(playing) || playing.hand.chosen.size > 0) return;
  playing.hand.chosen = new Set(kept.cards.filter(Boolean));
  playing.arranged = kept.cards;
  if (playing.scene) playing.paint(playing.scene);
}

/**
 * Key of the choice: the person and their cards, so that nobody else and no other deal gets it.
 * @param {Playing} playing
 */
function whose({ person, scene }) {
  return [person, ...(scene?.hand ?? []).map(({ card }) => card)].join(" ");
}
