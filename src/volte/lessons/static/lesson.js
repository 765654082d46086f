/** The lesson: an answer is judged without leaving the page, and the reply is announced at once. */

import { by, onPage, request, tab } from "../../web/static/page.js";

/** Places of the text to announce after a wrong and after a right answer, in reading order. */
const WRONG = ["#correction p"];
const RIGHT = ["#came p", "#question > p", "#ask"];

/** @param {AbortSignal} signal */
export function start(signal) {
  /** @param {SubmitEvent} event */
  const answer = (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.method !== "get") return;
    event.preventDefault();
    const address = new URL(form.action);
    for (const [name, value] of new FormData(form, event.submitter)) {
      address.searchParams.append(name, String(value));
    }
    show(address.href, signal);
  };
  document.addEventListener("submit", answer, { signal });
  window.addEventListener("popstate", () => tab.reload(), { signal });
}

/**
 * @param {string} address of the page with the answer
 * @param {AbortSignal} signal
 */
async function show(address, signal) {
  let page;
  try {
    const answer = await request(address);
    if (!answer.ok) throw new Error(answer.statusText);
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    tab.go(address);
    return;
  }
  if (signal.aborted) return;
  tab.push(address);
  const again = by("ask").textContent === page.getElementById("ask")?.textContent;
  if (again) correct(page);
  else goOn(page);
}

/**
 * Show the correction of a wrong answer; the question and the focus stay.
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
 * Show the result of a right answer and the next question, and move the focus there.
 * @param {Document} page
 */
function goOn(page) {
  by("lesson").replaceChildren(...(page.getElementById("lesson")?.childNodes ?? []));
  const next = document.querySelector("#next, .held [name=card]");
  if (next instanceof HTMLElement) next.focus();
  tell(RIGHT);
}

/**
 * Announce text in one write; a text that is repeated gets a blank, so that it is spoken again.
 * @param {string[]} places
 */
function tell(places) {
  const live = by("live");
  const lines = places.flatMap((place) => [...document.querySelectorAll(place)]);
  const text = lines.map((line) => sentence(line.textContent ?? "")).join(" ");
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

/**
 * A line that ends with a stop, so that listeners hear where it ends.
 * @param {string} line
 */
function sentence(line) {
  const said = line.trim();
  return /[.!?:]$/.test(said) ? said : `${said}.`;
}

onPage(start);
