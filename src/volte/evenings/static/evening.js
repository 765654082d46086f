/**
 * Keeps the page of an evening as it is now: parts that have changed are replaced, but never one in
 * which somebody is. Only that one's own table is ready is said aloud.
 */

const EVERY = 5_000; // milliseconds
const said = /** @type {HTMLElement} */ (document.getElementById("said"));

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
  for (const part of fresh) {
    const here = document.getElementById(part.id);
    if (!here) last?.after(document.adoptNode(part));
    else if (!here.isEqualNode(part) && !inUse(here)) here.replaceWith(document.adoptNode(part));
    last = document.getElementById(part.id);
  }
}

/** @param {HTMLElement | null} fresh */
function tell(fresh) {
  const { round = "0", begun = "" } = fresh?.dataset ?? {};
  if (round !== "0" && round !== said.dataset.round) said.textContent = begun;
  said.dataset.round = round;
}

async function look() {
  const page = document.hidden ? undefined : await pageNow();
  if (page) {
    tell(page.getElementById("said"));
    renew(page);
    if (!page.querySelector("script[src$='/evening.js']")) return; // it is over
  }
  setTimeout(look, EVERY);
}

setTimeout(look, EVERY);
