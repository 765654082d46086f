/** The replay of a match that is over. */

import { onPage } from "../../web/static/page.js";
import { Replay } from "./stepping.js";

export const start = (/** @type {AbortSignal} */ signal) => new Replay(signal).begin();

onPage(start);
