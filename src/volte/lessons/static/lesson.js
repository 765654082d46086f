/** An answer in the lesson, judged without leaving the page: what came of it is said at once. */

import { by } from "./page.js";

const live = by("live");

/** What is told of a wrong answer, and of a right one, in the order in which it is read. */
const WRONG = ["#correction p"];
const RIGHT = ["#came p", "#question > p", "#ask"];

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.method !== "get") return;
  event.preventDefault();
  const address = new URL(form.action);
  for (const [name, value] of new FormData(form, event.submitter)) {
    address.searchParams.append(name, String(value));
  }
  show(address.href);
});

window.addEventListener("popstate", () => location.reload());

/** @param {string} address of the page with the answer */
async function show(address) {
  let page;
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.statusText);
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    location.assign(address);
    return;
  }
  history.pushState(null, "", address);
  const again = by("ask").textContent === page.getElementById("ask")?.textContent;
  if (again) correct(page);
  else goOn(page);
}

/**
 * The question stays as it is, and so does the focus; beside it stands what was wrong.
 * @param {Document} page
 */
function correct(page) {
  for (const id of ["correction", "astray"]) {
    const made = page.getElementById(id);
    if (made) by(id).replaceWith(made);
  }
  tell(WRONG);
}

/**
 * What came of the answer, and what is next, where the focus goes.
 * @param {Document} page
 */
function goOn(page) {
  by("lesson").replaceChildren(...(page.getElementById("lesson")?.childNodes ?? []));
  const next = document.querySelector("#next, .held [name=card]");
  if (next instanceof HTMLElement) next.focus();
  tell(RIGHT);
}

/**
 * All in one write; with a blank more, so that the same again is spoken again.
 * @param {string[]} places
 */
function tell(places) {
  const lines = places.flatMap((place) => [...document.querySelectorAll(place)]);
  const text = lines.map((line) => sentence(line.textContent ?? "")).join(" ");
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

/**
 * With a stop, so that whoever listens hears where one line ends.
 * @param {string} line
 */
function sentence(line) {
  const said = line.trim();
  return /[.!?:]$/.test(said) ? said : `${said}.`;
}
