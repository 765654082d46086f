/** The page of a deal: a button that copies its address. */

import { onPage } from "../../web/static/page.js";

onPage(start);

/** @param {AbortSignal} signal ends with the page */
export function start(signal) {
  const field = document.getElementById("share");
  const copy = document.getElementById("copy");
  const told = document.getElementById("copied");
  if (!(field instanceof HTMLInputElement) || !copy || !told) return;
  copy.hidden = false;
  // Readers would read it out while it is empty, and have to know it before it says something.
  copy.addEventListener("focus", () => (told.hidden = false), { signal });
  const press = async () => {
    told.hidden = false;
    told.textContent = "";
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // On plain HTTP there is no clipboard: the field is selected, and an older way tried.
      field.focus();
      field.select();
      if (!document.execCommand("copy")) return; // the person's own keys can copy it now
      copy.focus();
    }
    told.textContent = told.dataset.told ?? "";
  };
  copy.addEventListener("click", () => void press(), { signal });
}
