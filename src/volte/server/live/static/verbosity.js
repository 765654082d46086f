/** What is told, changed by keys: it holds at once, and is saved with the settings. */

import { keyOf } from "../../../web/static/keys.js";
import { say, settings } from "../../../web/static/page.js";
import { keep } from "./settings.js";

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
  show([say(`told_${settings.verbosity}`)], false);
  keeping = keeping.then(() => keep("verbosity", ["verbosity"])).catch(failed);
}

/**
 * Silences the chosen kind of messages, or lets it be told again; returns the sentence about it.
 * @param {import("../../../web/static/history.js").History} history
 */
export function silence({ channels, name }) {
  if (channels.length === 0) return say("choose_kind", { key: keyOf("kind")?.toUpperCase() ?? "" });
  const names = channels.map((each) => `say_${each}`);
  const told = names.every((each) => settings[each] === false);
  for (const each of names) settings[each] = told;
  // It holds on this page even if it cannot be saved.
  keeping = keeping.then(() => keep("verbosity", names)).catch(() => {});
  return say(told ? "kind_told" : "kind_silenced", { name });
}
