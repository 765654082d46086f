/**
 * Keeps the cards chosen for a pass until they are passed: through pauses and absences, and when the
 * page is loaded again. A page that is about to go waits for nothing, so it is done at once.
 */

import { ofTab } from "../../../web/static/storage.js";

/** @typedef {import("./playing.js").Playing} Playing */

/** No other tab sees it. */
const KEY = "volte pass";

/**
 * Whether the person has passed, or nobody passes any more.
 * @param {import("../../../web/static/page.js").Scene} scene
 */
export function isOver({ phase, hand }) {
  return !["passing", "pausing"].includes(phase) || hand.some(({ passed }) => passed);
}

/** @param {Playing} playing */
export function remember(playing) {
  const kept = { whose: whose(playing), cards: playing.order() };
  ofTab.set(KEY, JSON.stringify(kept));
}

/** @param {Playing} playing */
export function restore(playing) {
  const kept = ofTab.value(KEY, { whose: "", cards: [] });
  if (kept.whose !== whose(playing) || playing.hand.chosen.size > 0) return;
  playing.hand.chosen = new Set(kept.cards.filter(Boolean));
  playing.arranged = kept.cards;
}

/** @param {Playing} playing */
export function forget({ hand }) {
  hand.chosen.clear();
  ofTab.remove(KEY);
}

/**
 * Key of the choice: the person and their cards, so that nobody else and no other deal gets it.
 * @param {Playing} playing
 */
function whose({ person, scene }) {
  return [person, ...(scene?.hand ?? []).map(({ card }) => card)].join(" ");
}
