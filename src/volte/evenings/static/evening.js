/**
 * Keeps the page of an evening up to date: the server tells of changes, and parts that differ are
 * replaced, but never a part that has the focus or an open detail. Only one piece of news is
 * announced (aloud, in the title and by a sound, also in a hidden tab): that one's table is ready.
 */

import { LOUDNESS, strike } from "../../web/static/cues.js";
import { entitle, request } from "../../web/static/page.js";

const LEAST = 3_000; // milliseconds between two looks, in which changes are gathered
const SPREAD = 1_000; // milliseconds over which the looks of many pages are spread
const AGAIN = 60_000; // milliseconds until the server is called again after it has refused
const said = /** @type {HTMLElement} */ (document.getElementById("said"));
const title = document.title;

/** @type {AudioContext | null} */
let context = null;
/** @type {EventSource | null} */
let source = null;
/** Whether the last announcement was made while the page was hidden. */
let unheard = false;
/** Parts that differ now, but were left as they were because they were in use.
 * @type {Element[]} */
let left = [];
let looking = false;
let failures = 0;
let looked = -LEAST;

/** @returns {Promise<Document | undefined>} the new page; undefined while the server is away */
async function pageNow() {
  try {
    const answer = await request(location.pathname, { headers: { accept: "text/html" } });
    if (!answer.ok) return undefined;
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    return undefined;
  }
}

/** @param {Document} of @returns {Element[]} the parts that change */
function parts(of) {
  return [...of.querySelectorAll("[data-live]")];
}

/** @param {Element} part @returns {boolean} whether it has the focus or an open detail */
function inUse(part) {
  return part.contains(document.activeElement) || part.querySelector("details[open]") !== null;
}

/** @param {Document} page */
function renew(page) {
  const fresh = parts(page);
  const stay = new Set(fresh.map((part) => part.id));
  for (const part of parts(document)) if (!stay.has(part.id) && !inUse(part)) part.remove();
  let last = document.querySelector("main .facts");
  left = [];
  for (const part of fresh) {
    const here = document.getElementById(part.id);
    if (!here) last?.after(document.adoptNode(part));
    else if (!here.isEqualNode(part)) {
      if (inUse(here)) left.push(here);
      else here.replaceWith(document.adoptNode(part));
    }
    last = document.getElementById(part.id);
  }
}

/** @param {HTMLElement | null} fresh */
function tell(fresh) {
  const { round = "0", begun = "", ready = "" } = fresh?.dataset ?? {};
  if (round !== said.dataset.round) {
    said.textContent = round === "0" ? "" : begun;
    entitle(round === "0" ? title : ready, round !== "0");
    unheard = document.hidden;
    if (round !== "0") void sound();
  }
  said.dataset.round = round;
}

/** The sound of one's turn, where the page may be heard. */
async function sound() {
  const loudness = LOUDNESS[said.dataset.sounds ?? "on"];
  if (!context || !loudness) return;
  await context.resume();
  strike(context, "turn", { from: context.currentTime, loudness });
}

async function look() {
  looking = false;
  looked = performance.now();
  const page = await pageNow();
  failures = page ? 0 : failures + 1;
  if (!page) return lookSoon(Math.min(AGAIN, LEAST * failures));
  tell(page.getElementById("said"));
  renew(page);
  if (!page.querySelector("script[src$='/evening.js']")) source?.close(); // the evening is over
}

/** @param {number} wait milliseconds */
function lookSoon(wait) {
  if (looking) return;
  looking = true;
  const since = performance.now() - looked;
  setTimeout(look, Math.max(wait, LEAST - since, 0) + Math.random() * SPREAD);
}

/** Looks again once a part that was left as it was is no longer in use. */
function catchUp() {
  if (left.some((part) => !inUse(part))) lookSoon(0);
}

/** Listens for changes. A broken line comes back by itself; a refused one is called again later. */
function listen() {
  source = new EventSource(`${location.pathname}/changes?seen=${said.dataset.version}`);
  source.addEventListener("message", () => lookSoon(0));
  source.addEventListener("error", () => {
    if (source?.readyState === EventSource.CLOSED) setTimeout(listen, AGAIN);
  });
}

for (const gesture of ["click", "keydown"]) {
  addEventListener(gesture, () => (context ??= new AudioContext()), { once: true, capture: true });
}
for (const change of ["focusout", "toggle"]) {
  addEventListener(change, () => setTimeout(catchUp), { capture: true });
}
document.addEventListener("visibilitychange", () => {
  entitle(document.title, said.dataset.round !== "0");
  if (document.hidden || !unheard) return;
  unheard = false;
  said.replaceChildren(said.textContent ?? "");
});
listen();
