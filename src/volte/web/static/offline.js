/** Loads the wanted page again and again until it comes: the address is still that page's. */

/** Milliseconds between two tries. */
const PAUSE = 3000;

async function tryAgain() {
  try {
    const answer = await fetch(new URL("../../../../healthz", import.meta.url), { cache: "no-store" });
    if (answer.ok) location.reload();
  } catch {
    // Not yet.
  }
}

window.setInterval(tryAgain, PAUSE);
window.addEventListener("online", tryAgain);
