/**
 * Keeps the page of an evening as it is now: the server says when it has changed, and parts that are
 * different are replaced, but never one in which somebody is. Only that one's own table is ready is
 * said aloud, by the title, and by a sound, also where the page is not looked at.
 */

import { LOUDNESS, strike } from "./cues.js";

const LEAST = 3_000; // milliseconds from one look to the next, in which changes are gathered
const SPREAD = 1_000; // in which pages do not all look at once
const AGAIN = 60_000; // until the server is called anew that has refused to say more
const said = /** @type {HTMLElement} */ (document.getElementById("said"));
const title = document.title;

/** @type {AudioContext | null} */
let context = null;
/** @type {EventSource | null} */
let source = null;
/** Whether what was said last was said while nobody looked at the page. */
let unheard = false;
/** Parts that are different now, and were left as they were since somebody was in them.
 * @type {Element[]} */
let left = [];
let looking = false;
let failures = 0;
let looked = -LEAST;

/** @returns {Promise<Document | undefined>} the page as it is now; none while the server is away */
async function pageNow() {
  try {
    const answer = await fetch(location.pathname, { headers: { accept: "text/html" } });
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

/** @param {Element} part @returns {boolean} whether somebody is in it, or has opened something */
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
    document.title = round === "0" ? title : ready;
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
  if (!page.querySelector("script[src$='/evening.js']")) source?.close(); // it is over
}

/** @param {number} wait milliseconds */
function lookSoon(wait) {
  if (looking) return;
  looking = true;
  const since = performance.now() - looked;
  setTimeout(look, Math.max(wait, LEAST - since, 0) + Math.random() * SPREAD);
}

/** Looks again once nobody is any more in a part that was left as it was. */
function catchUp() {
  if (left.some((part) => !inUse(part))) lookSoon(0);
}

/** Listens for changes. A line that breaks comes back by itself; one that is refused does not. */
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
  if (document.hidden || !unheard) return;
  unheard = false;
  said.replaceChildren(said.textContent ?? "");
});
listen();
