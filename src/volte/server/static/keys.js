/** The keys of one letter at the table (K1, and ours beside them, as the person has set them). */

import { settings } from "./page.js";

/** The questions, in the order of their buttons. */
export const QUESTIONS = [
  "table",
  "scores",
  "turn",
  "hand",
  "last",
  "points",
  "sheet",
  "rules",
  "hint",
  "talk",
  "keys",
];

/** What can be heard again; see listening.js. */
export const REVIEWS = /** @type {const} */ (["repeat", "before", "after"]);

/** What is typed into, so that letters there are letters. */
const FIELDS = "input, select, textarea, [contenteditable]";

/**
 * The key of a question, or of a review; null while there are none.
 * @param {string} what
 * @returns {string | null}
 */
export function keyOf(what) {
  return settings.keys === false ? null : settings[`key_${what}`];
}

/**
 * The keys that ask.
 * @param {HTMLElement} game they work while the focus is in here
 * @param {(question: string, card: number) => void} ask
 */
export function listenForKeys(game, ask) {
  game.addEventListener("keydown", (event) => {
    const typed = letterOf(event);
    if (typed === null) return;
    const question = QUESTIONS.find((each) => keyOf(each) === typed);
    const digit = question ? null : digitOf(event);
    if (digit !== null) ask("table", digit);
    else if (question) ask(question, 0);
    else return;
    event.preventDefault();
  });
}

/**
 * The keys that say again what was said, from anywhere on the page.
 * @param {Record<typeof REVIEWS[number], () => void>} listening
 */
export function listenForReview(listening) {
  document.addEventListener("keydown", (event) => {
    const typed = letterOf(event);
    const review = typed === null ? undefined : REVIEWS.find((each) => keyOf(each) === typed);
    if (!review) return;
    event.preventDefault();
    listening[review]();
  });
}

/**
 * Escape leads back to where one plays, from wherever one has gone to look.
 * @param {() => void} home
 */
export function listenForEscape(home) {
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof Element && event.target.matches("select");
    if (event.key === "Escape" && !typing && !event.isComposing) home();
  });
}

/**
 * What was typed, where it is no part of a text and no command of the browser.
 * @param {KeyboardEvent} event
 */
export function letterOf(event) {
  const target = /** @type {Element} */ (event.target);
  const command = event.metaKey || ((event.ctrlKey || event.altKey) && !typesMore(event));
  const free = !command && !event.repeat && !event.isComposing && !target.matches(FIELDS);
  return free && settings.keys !== false ? event.key.toLowerCase() : null;
}

/**
 * Whether it is held with AltGr, by which many keyboards type their signs.
 * @param {KeyboardEvent} event
 */
function typesMore(event) {
  return event.getModifierState("AltGraph");
}

/**
 * The digit of K1, also on keyboards on which digits need Shift, as the French one.
 * @param {KeyboardEvent} event
 */
function digitOf(event) {
  const place = event.shiftKey ? "" : event.code.replace("Digit", "");
  const found = [event.key, place].find((each) => /^[0-9]$/.test(each));
  return found === undefined ? null : Number(found) || 10; // 0 for the tenth
}
