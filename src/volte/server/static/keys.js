/** The keys of one letter at the table (K1, and ours beside them). */

/** @type {Record<string, string>} */
const QUESTIONS = {
  c: "table",
  s: "scores",
  t: "turn",
  h: "hand",
  l: "last",
  p: "points",
  f: "sheet",
  r: "rules",
  i: "hint",
  "?": "keys",
};

/** The questions, in the order of their buttons, with their keys. */
export const SHORTCUTS = Object.entries(QUESTIONS).map(([key, what]) => ({ key, what }));

/** What is typed into, so that letters there are letters. */
const FIELDS = "input, select, textarea, [contenteditable]";

/**
 * @param {HTMLElement} game they work while the focus is in here
 * @param {() => boolean} on
 * @param {(question: string, card: number) => void} ask
 */
export function listenForKeys(game, on, ask) {
  game.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!on() || event.ctrlKey || event.metaKey || event.altKey || target.matches(FIELDS)) return;
    const key = event.key.toLowerCase();
    if (/^[1-7]$/.test(key)) ask("table", Number(key));
    else if (key in QUESTIONS) ask(QUESTIONS[key], 0);
    else return;
    event.preventDefault();
  });
}
