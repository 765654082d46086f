/** The verbosity, changed by one key: it holds at once, and is saved with the settings. */

import { at, say, settings } from "../../../web/static/page.js";

/** Verbosities from the most words to the fewest. */
const VERBOSITIES = ["full", "normal", "brief", "terse"];

/** The last saving under way: one at a time, so that the last press wins. */
let keeping = Promise.resolve();

/**
 * Chooses the next lower verbosity; after the lowest, the highest.
 * @param {(lines: string[], refused: boolean) => void} show
 * @param {() => void} failed says that it could not be saved; it holds on this page all the same
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
