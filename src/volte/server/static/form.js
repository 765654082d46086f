/** The rules beside the form for a table, kept up to date while it is filled in. */

import { by } from "./dom.js";

/** Milliseconds without a change after which the rules are asked for. */
const PAUSE = 300;

const form = /** @type {HTMLFormElement} */ (by("table-form"));
const sheet = by("sheet");
/** @type {number | undefined} */
let timer;
let asked = 0;

async function show() {
  asked += 1;
  const mine = asked;
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) fields.append(name, String(value));
  fields.delete("password");
  try {
    const answer = await fetch("/tables/preview", { method: "POST", body: fields });
    if (!answer.ok || mine !== asked) return;
    const read = new DOMParser().parseFromString(await answer.text(), "text/html");
    sheet.replaceChildren(...read.body.childNodes);
  } catch {
    // The button shows the rules as well.
  }
}

/** Seats that the chosen number of players does not have are out of the way. */
function fit() {
  const players = Number(/** @type {HTMLSelectElement} */ (by("players")).value);
  for (let place = 2; place < 7; place += 1) {
    const field = document.getElementById(`seat${place}`)?.closest(".field");
    if (field instanceof HTMLElement) field.hidden = place >= players;
  }
}

function changed() {
  fit();
  window.clearTimeout(timer);
  timer = window.setTimeout(show, PAUSE);
}

form.addEventListener("input", changed);
fit();
