/** The form for a table: fills in rules and shows them beside it as soon as something is chosen. */

import { at, by, request } from "./page.js";

/** Milliseconds without a change after which the rules are asked for. */
const PAUSE = 300;

/** The fields that bring other rules along. */
const GAMES = ["preset", "players"];

const form = /** @type {HTMLFormElement} */ (by("table-form"));
/** @type {number | undefined} */
let timer;
let asked = 0;

/**
 * The server's answer to the form as it stands; null if the form has changed meanwhile.
 * @param {string} address
 */
async function read(address) {
  asked += 1;
  const mine = asked;
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) fields.append(name, String(value));
  fields.delete("password");
  fields.append("do", "show");
  try {
    const answer = await request(address, { method: "POST", body: fields });
    const text = await answer.text();
    return mine === asked ? new DOMParser().parseFromString(text, "text/html") : null;
  } catch {
    return null; // the button shows the rules as well
  }
}

async function showRules() {
  const sheet = await read(at("/tables/preview"));
  if (sheet) by("sheet").replaceChildren(...sheet.body.childNodes);
}

/** Fills in the rules of another game or number of players, and shows them beside the form. */
async function fillIn() {
  const page = await read(form.action);
  const options = page?.getElementById("options");
  const players = /** @type {HTMLSelectElement | null} */ (page?.getElementById("players") ?? null);
  if (!page || !options || !players) return;
  const focused = by("options").contains(document.activeElement) ? document.activeElement?.id : "";
  by("options").replaceChildren(...options.childNodes);
  if (focused) document.getElementById(focused)?.focus();
  by("sheet").replaceChildren(...(page.getElementById("sheet")?.childNodes ?? []));
  /** @type {HTMLSelectElement} */ (by("players")).value = players.value;
  fit();
  const chosen = form.querySelector(".preset:has(:checked) strong")?.textContent ?? "";
  by("said").textContent = (form.dataset.filled ?? "").replace("{preset}", chosen);
}

/** Hides the controls that the chosen kind of table does not need. */
function fit() {
  const players = Number(/** @type {HTMLSelectElement} */ (by("players")).value);
  for (let place = 1; place < 10; place += 1) show(`seat${place}`, place < players);
  show("password", new FormData(form).get("access") === "password");
}

/**
 * @param {string} id of a control, which is shown with its label, or neither
 * @param {boolean} shown
 */
function show(id, shown) {
  const field = document.getElementById(id)?.closest(".field");
  if (field instanceof HTMLElement) field.hidden = !shown;
}

/** The fields and buttons that Tab stops at, in their order. */
function stops() {
  const stop = "input:not([type=hidden], [type=radio]:not(:checked)), select, summary, button";
  return [.../** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(stop))].filter(
    (each) => each.tabIndex >= 0 && each.checkVisibility(),
  );
}

/** The last key press that the page was told of. @type {KeyboardEvent | null} */
let pressed = null;
form.addEventListener("keydown", (event) => {
  pressed = event;
});

// Chromium keeps the Tab that closes an open list for itself, and stays there. The page only hears
// how the key is let go.
form.addEventListener("keyup", ({ key, shiftKey, target }) => {
  const opened = [" ", "Enter", "ArrowDown", "ArrowUp", "F4"].includes(pressed?.key ?? "");
  if (key !== "Tab" || !opened || pressed?.target !== target) return;
  if (!(target instanceof HTMLSelectElement)) return;
  const all = stops();
  all[all.indexOf(target) + (shiftKey ? -1 : 1)]?.focus();
});

form.addEventListener("input", (event) => {
  const name = /** @type {HTMLInputElement} */ (event.target).name;
  fit();
  window.clearTimeout(timer);
  timer = window.setTimeout(GAMES.includes(name) ? fillIn : showRules, PAUSE);
});
fit();
