/** The page of a deal: a button that copies its address, where the browser lets pages do that. */

import { onPage } from "../../web/static/page.js";

onPage(start);

/** @param {AbortSignal} signal ends with the page */
export function start(signal) {
  const field = document.getElementById("share");
  const copy = document.getElementById("copy");
  const told = document.getElementById("copied");
  if (!(field instanceof HTMLInputElement) || !copy || !told || !navigator.clipboard) return;
  copy.hidden = false;
  // Readers would read it out while it is empty, and have to know it before it says something.
  copy.addEventListener("focus", () => (told.hidden = false), { signal });
  const press = async () => {
    told.hidden = false;
    told.textContent = "";
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      field.select(); // it was not allowed: so the person's own keys can copy it
      field.focus();
      return;
    }
    told.textContent = told.dataset.told ?? "";
  };
  copy.addEventListener("click", () => void press(), { signal });
}
