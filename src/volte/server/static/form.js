/** The form for a table: its rules beside it, and filled in, as soon as something is chosen. */

import { by } from "./page.js";

/** Milliseconds without a change after which the rules are asked for. */
const PAUSE = 300;

/** The fields that bring other rules along. */
const GAMES = ["preset", "players"];

const form = /** @type {HTMLFormElement} */ (by("table-form"));
/** @type {number | undefined} */
let timer;
let asked = 0;

/**
 * What the server makes of the form as it stands; null where there is something newer to ask.
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
    const answer = await fetch(address, { method: "POST", body: fields });
    const text = await answer.text();
    return mine === asked ? new DOMParser().parseFromString(text, "text/html") : null;
  } catch {
    return null; // The button shows the rules as well.
  }
}

async function showRules() {
  const sheet = await read("/tables/preview");
  if (sheet) by("sheet").replaceChildren(...sheet.body.childNodes);
}

/** Another game, or for other numbers: its rules go into the fields, and beside them. */
async function fillIn() {
  const page = await read(form.action);
  const options = page?.getElementById("options");
  const players = /** @type {HTMLSelectElement | null} */ (page?.getElementById("players") ?? null);
  if (!page || !options || !players) return;
  by("options").replaceChildren(...options.childNodes);
  by("sheet").replaceChildren(...(page.getElementById("sheet")?.childNodes ?? []));
  /** @type {HTMLSelectElement} */ (by("players")).value = players.value;
  fit();
  const chosen = form.querySelector(".preset:has(:checked) strong")?.textContent ?? "";
  by("said").textContent = (form.dataset.filled ?? "").replace("{preset}", chosen);
}

/** What the table as it is chosen has no use for is out of the way. */
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

form.addEventListener("input", (event) => {
  const name = /** @type {HTMLInputElement} */ (event.target).name;
  fit();
  window.clearTimeout(timer);
  timer = window.setTimeout(GAMES.includes(name) ? fillIn : showRules, PAUSE);
});
fit();
