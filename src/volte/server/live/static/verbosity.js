/** The verbosity, changed by one key: it holds at once, and is saved with the settings. */

import { say, settings } from "../../../web/static/page.js";
import { keepOne } from "./settings.js";

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
  keeping = keeping.then(() => keepOne("verbosity", settings.verbosity)).catch(failed);
}
