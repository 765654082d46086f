/** Measures the rate of a screen reader, on the page of settings or in those of a table. */

import { rateOf, wordsIn } from "./announcer.js";
import { say, setText } from "./page.js";

/** Shows the button that measures the rate. */
export function offer() {
  const button = document.getElementById("measure");
  if (!button) return;
  button.hidden = false;
  button.onclick = () => void measure();
}

/** Has the reader speak a sentence, and writes its rate into the field. */
async function measure() {
  const said = /** @type {HTMLElement} */ (document.getElementById("measuring"));
  const field = /** @type {HTMLInputElement} */ (document.getElementById("reader_rate"));
  const line = say("measure_now");
  setText(said, line);
  const since = performance.now();
  const key = await new Promise((done) => {
    document.addEventListener("keydown", function heard({ key, repeat }) {
      if (repeat) return;
      document.removeEventListener("keydown", heard, true);
      done(key);
    }, true);
  });
  const rate = key === "Control" ? rateOf(wordsIn(line), performance.now() - since) : null;
  setText(said, rate === null ? say("not_measured") : say("measured_here", { number: rate }));
  if (rate !== null) field.value = String(rate);
}

offer();
