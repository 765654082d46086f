/** How much is told, changed by one key: it holds at once, and is kept among the settings. */

import { at, say, settings } from "./page.js";

/** From the most to the least. */
const VERBOSITIES = ["full", "normal", "brief", "terse"];

/** What is on its way to be kept: one at a time, so that the last press is what stays. */
let keeping = Promise.resolve();

/**
 * Less is told from now on; after the least, everything.
 * @param {(lines: string[], refused: boolean) => void} show
 * @param {() => void} failed says that it could not be kept; it holds on this page all the same
 */
export function change(show, failed) {
  const place = VERBOSITIES.indexOf(settings.verbosity) + 1;
  settings.verbosity = VERBOSITIES[place % VERBOSITIES.length];
  const field = document.querySelector("#settings-form [name=verbosity]");
  if (field instanceof HTMLSelectElement) field.value = settings.verbosity;
  show([say(`told_${settings.verbosity}`)], false);
  keeping = keeping.then(keep).catch(failed);
}

async function keep() {
  const csrf = document.querySelector("input[name=csrf]")?.getAttribute("value") ?? "";
  const body = new URLSearchParams({ csrf, verbosity: settings.verbosity });
  const answer = await fetch(at("/me/verbosity"), { method: "POST", body });
  if (!answer.ok) throw new Error(String(answer.status));
  const verbosity = body.get("verbosity");
  if (document.getElementById("settings-form")) {
    (await import("./settings.js")).shows({ verbosity });
  }
}
