/** The page of a match's proofs: the facts on its log, and buttons to check them in the browser. */

import { at, by, make, onPage, request, say } from "../../web/static/page.js";
import { showProofs } from "./proving.js";

/** @param {AbortSignal} signal */
export async function start(signal) {
  const { match, carried } = by("table").dataset;
  const log = await load(at(`/matches/${match}/proof.json${carried}`));
  if (signal.aborted) return;
  if (log === null) {
    tell([say("proof_failed")]);
    return;
  }
  const [{ players }] = log;
  if (log.some(({ event }) => event === "Committed")) {
    const names = players.map((/** @type {{name: string}} */ { name }) => name);
    showProofs(by("proofs"), log, names, "h2", tell);
    showOne(document.getElementById(location.hash.slice(1)));
  } else {
    by("proofs").append(make("p", {}, say("proof_none")));
  }
}

/**
 * @param {string} address
 * @returns {Promise<Record<string, any>[] | null>}
 */
async function load(address) {
  try {
    const answer = await request(address, { headers: { accept: "application/json" } });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/**
 * Leads to the deal that the address names, at the button that checks it.
 * @param {HTMLElement | null} item
 */
function showOne(item) {
  item?.scrollIntoView();
  /** @type {HTMLElement | null | undefined} */ (item?.querySelector("button"))?.focus();
}

/** @param {string[]} lines */
function tell(lines) {
  by("live").replaceChildren(...lines.map((line) => make("span", {}, `${line} `)));
}

onPage(start);
