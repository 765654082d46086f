/** The page of a review: its progress while it is made, and a key to the first costly choice. */

import { request } from "../../web/static/page.js";

const ASK = 3000; // interval between two requests for the progress, in milliseconds
const SAY = 25; // progress between two announcements, in percent

const shown = document.getElementById("percent");
let said = Number(shown?.dataset.percent ?? 0);

/**
 * Announce a message as a new element: screen readers miss some changes of a text.
 * @param {string} text
 */
function tell(text) {
  const line = document.createElement("p");
  line.textContent = text;
  document.getElementById("live")?.append(line);
}

/** Ask for the progress at intervals, announce it now and then, and reload when it is done. */
async function look() {
  if (!shown) return;
  try {
    const answer = await request(location.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = page.getElementById("percent");
    if (!now) {
      tell(shown.dataset.done ?? "");
      window.setTimeout(() => location.reload(), 1500); // time for the message to be heard
      return;
    }
    shown.textContent = now.textContent;
    const percent = Number(now.dataset.percent);
    if (percent >= said + SAY) {
      said = percent;
      tell(now.textContent ?? "");
    }
  } catch {
    // the next request may succeed
  }
  window.setTimeout(look, ASK);
}

if (shown) window.setTimeout(look, ASK);

document.addEventListener("keydown", (event) => {
  const command = event.altKey || event.ctrlKey || event.metaKey;
  const link = document.querySelector("a[rel=next]");
  if (event.key === "+" && !command && link instanceof HTMLElement) link.click();
});

export {};
