/** What this browser tells outside of the page, and whether it does. */

import { lasting } from "../../web/static/storage.js";

const KEY = "told outside";

/** Whether the browser can tell anything outside of a page: over plain HTTP it cannot. */
export const possible = () =>
  window.isSecureContext && "serviceWorker" in navigator && "Notification" in window;

/** Whether the person has it tell them, and it may. */
export const wanted = () =>
  possible() && Notification.permission === "granted" && lasting.get(KEY) === "on";

/** @param {boolean} on */
export const want = (on) => (on ? lasting.set(KEY, "on") : lasting.remove(KEY));

/** Has the worker look at what is true now, and tell it or take it back. */
export async function told() {
  if (!wanted()) return;
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage("news");
}
