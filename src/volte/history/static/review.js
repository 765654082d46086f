/** The page of a review: how far it is while it is made, and the way to the first costly choice. */

const ASK = 3000; // milliseconds between two looks at how far it is
const SAY = 25; // so many in 100 more are said

const shown = document.getElementById("percent");
let said = Number(shown?.dataset.percent ?? 0);

/**
 * Every message is an element of its own: of a text that changes, screen readers lose some.
 * @param {string} text
 */
function tell(text) {
  const line = document.createElement("p");
  line.textContent = text;
  document.getElementById("live")?.append(line);
}

/** Looks how far it is; says so now and then, and shows what has come of it. */
async function look() {
  if (!shown) return;
  try {
    const answer = await fetch(location.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = page.getElementById("percent");
    if (!now) {
      tell(shown.dataset.done ?? "");
      window.setTimeout(() => location.reload(), 1500); // so that it is heard first
      return;
    }
    shown.textContent = now.textContent;
    const percent = Number(now.dataset.percent);
    if (percent >= said + SAY) {
      said = percent;
      tell(now.textContent ?? "");
    }
  } catch {
    // the next look may come through
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
