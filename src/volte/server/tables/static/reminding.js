/**
 * Reminders of planned tables: they come and go at their time while a page stands open. At a table,
 * where nothing may move, the script of the table tells them.
 */

import { at, by, fill, onPage } from "../../../web/static/page.js";

const AGAIN = 60; // seconds after which the server is asked again when it could not answer

/** Prefix of the title, which the server writes the first time. */
let prefix = "";

/** The reminders that are shown. */
const shown = () => /** @type {NodeListOf<HTMLElement>} */ (by("reminders").querySelectorAll("p"));

/** @param {boolean} atTable */
function paint(atTable) {
  const lines = [...shown()];
  if (atTable) {
    for (const line of lines) {
      const detail = line.querySelector("span")?.textContent ?? "";
      document.dispatchEvent(new CustomEvent("reminded", { detail }));
    }
    return;
  }
  const before = prefix;
  prefix = lines.map(({ dataset }) => `${dataset.title} – `).join("");
  if (prefix !== before) document.title = prefix + document.title.replace(before, "");
}

/** @param {AbortSignal} signal */
export function start(signal) {
  const atTable = document.body.classList.contains("table-page");
  const here = location.pathname.slice(new URL(at("/")).pathname.length - 1);
  let timer = 0;
  /** Time at which the reminders change, in milliseconds since 1970; 0 for never. */
  let due = 0;
  /** @param {number} seconds */
  const wait = (seconds) => {
    due = Date.now() + seconds * 1000;
    timer = window.setTimeout(look, seconds * 1000);
  };
  const read = () => {
    const { in: seconds } = /** @type {HTMLElement} */ (by("reminders").children[0]).dataset;
    due = 0;
    if (seconds) wait(Number(seconds) + 1);
  };
  const look = async () => {
    window.clearTimeout(timer);
    try {
      await fill("reminders", at(`/reminders?at=${encodeURIComponent(here)}`));
    } catch {
      wait(AGAIN);
      return;
    }
    read();
    paint(atTable);
  };
  // A machine that sleeps lets its timers wait.
  const wake = () => void (!document.hidden && due && Date.now() >= due && look());
  document.addEventListener("visibilitychange", wake, { signal });
  signal.addEventListener("abort", () => window.clearTimeout(timer));
  if (!atTable) prefix = [...shown()].map(({ dataset }) => `${dataset.title} – `).join("");
  read();
  paint(atTable);
}

onPage(start);
