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
  "keys",
];

/** What is typed into, so that letters there are letters. */
const FIELDS = "input, select, textarea, [contenteditable]";

/**
 * The key of a question; null while there are none.
 * @param {string} question
 * @returns {string | null}
 */
export function keyOf(question) {
  return settings.keys === false ? null : settings[`key_${question}`];
}

/**
 * @param {HTMLElement} game they work while the focus is in here
 * @param {(question: string, card: number) => void} ask
 */
export function listenForKeys(game, ask) {
  game.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const free = !event.ctrlKey && !event.metaKey && !event.altKey && !target.matches(FIELDS);
    if (!free || settings.keys === false) return;
    const key = event.key.toLowerCase();
    const question = QUESTIONS.find((each) => keyOf(each) === key);
    if (/^[1-7]$/.test(key)) ask("table", Number(key));
    else if (question) ask(question, 0);
    else return;
    event.preventDefault();
  });
}
