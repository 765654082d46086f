/** The keys of one letter at a table (K1, and ours beside them, as the person has set them). */

import { alone, say, settings } from "./page.js";

/** Whether nobody else can come to the table, and so the page does not show talk. */
const lonely = alone !== undefined || document.getElementById("talk-part")?.hidden === true;

/** The questions, in the order of their buttons; talk only where others can come. */
export const QUESTIONS = say("questions")
  .split(" ")
  .filter((what) => what !== "talk" || !lonely);

/** Reviews of what was said that have buttons; see listening.js. */
export const REVIEWS = say("reviews").split(" ");

/** Acts, which the table may refuse. */
const ACTS = say("acts").split(" ");

/** Effects with Shift, by the effect without. @type {Record<string, string>} */
export const DOUBLES = Object.fromEntries(
  say("doubles")
    .split(" ")
    .map((each) => each.split(":"))
    .filter(([, what]) => !["seeking", "friends"].includes(what) || !lonely),
);

/** Open lists, which Escape only folds; any list if the browser cannot tell open ones. */
const UNFOLDED = CSS.supports("selector(select:open)") ? "select:open" : "select";

/** The key that opens a line on which cards are typed; see typing.js. */
const TYPES = ".";

/** Elements to type in, where letters are no keys. */
export const FIELDS = "input, select, textarea, [contenteditable]";

/**
 * The key of a question, or of a review; null if keys are switched off.
 * @param {string} what
 * @returns {string | null}
 */
export function keyOf(what) {
  return settings.keys === false ? null : settings[`key_${what}`];
}

/**
 * Effect of a typed letter; empty for none.
 * @param {string} typed
 * @param {boolean} shift whether it is typed with Shift, which signs may need anyway
 */
function effectOf(typed, shift) {
  const what = [...QUESTIONS, ...REVIEWS, ...ACTS].find((each) => keyOf(each) === typed) ?? "";
  return (shift && typed.toUpperCase() !== typed && DOUBLES[what]) || what;
}

/**
 * Listens for the keys of a table, anywhere on the page where nobody types.
 * @param {(question: string, number: number) => void} ask `number`: of a card, or of a seat
 * @param {Record<string, () => unknown>} reviews what was said
 * @param {(what: string) => void} [act]
 * @param {AbortSignal} [signal] ends it
 */
export function listenForKeys(ask, reviews, act, signal) {
  const listen = (/** @type {KeyboardEvent} */ event) => {
    const typed = letterOf(event);
    if (typed === null || event.defaultPrevented) return;
    const what = effectOf(typed, event.shiftKey);
    const digit = digitOf(event);
    if (Object.hasOwn(reviews, what)) reviews[what]();
    else if (ACTS.includes(what)) act?.(what);
    else if (what) ask(what, 0);
    else if (typed === TYPES) ask("cards", 0);
    else if (digit !== null) ask(event.shiftKey ? "seat" : "table", digit);
    else return;
    event.preventDefault();
  };
  document.addEventListener("keydown", listen, { signal });
}

/**
 * Listens for Escape, which leads back to the hand from anywhere on the page.
 * @param {() => void} home
 * @param {AbortSignal} [signal] ends it
 */
export function listenForEscape(home, signal) {
  const listen = (/** @type {KeyboardEvent} */ event) => escapes(event) && home();
  document.addEventListener("keydown", listen, { signal });
}

/**
 * Whether the key is an Escape that neither an open list nor a text being composed takes.
 * @param {KeyboardEvent} event
 */
export function escapes({ key, target, isComposing }) {
  const folds = target instanceof Element && target.matches(UNFOLDED);
  return key === "Escape" && !folds && !isComposing;
}

/**
 * The typed letter, if it belongs to no text and no command of the browser; else null.
 * @param {KeyboardEvent} event
 */
export function letterOf(event) {
  const target = /** @type {Element} */ (event.target);
  const command = event.metaKey || ((event.ctrlKey || event.altKey) && !typesMore(event));
  const free = !command && !event.repeat && !event.isComposing && !target.matches(FIELDS);
  return free && settings.keys !== false ? event.key.toLowerCase() : null;
}

/**
 * Whether the key is held with AltGr, by which many keyboards type their signs.
 * @param {KeyboardEvent} event
 */
function typesMore(event) {
  return event.getModifierState("AltGraph");
}

/**
 * The digit of a key: for a card (K1), with Shift for a seat. It goes by the place of the key, so
 * that Shift means the same on keyboards where digits need it, such as the French one.
 * @param {KeyboardEvent} event
 */
function digitOf({ code, key }) {
  const found = [code.replace("Digit", ""), key].find((each) => /^[0-9]$/.test(each));
  return found === undefined ? null : Number(found) || 10; // 0 for the tenth
}
