/** Whether this browser tells its person what they have asked for; permission is asked by a press. */

import { by, onPage } from "../../web/static/page.js";
import { hush, possible, refresh, subscribed, want, wanted } from "./outside.js";

/** @param {string} state */
function show(state) {
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (
    by("browser").querySelectorAll("[data-state]")
  )) {
    each.hidden = each.dataset.state !== state;
  }
  const on = state === "on" || state === "failed";
  const shown = on ? "hush" : "tell";
  const other = on ? "tell" : "hush";
  const focused = document.activeElement === by(other);
  by(shown).hidden = !(on || state === "off");
  if (focused && !by(shown).hidden) by(shown).focus();
  by(other).hidden = true;
}

const state = () =>
  !window.isSecureContext
    ? "plain"
    : !possible()
      ? "none"
      : Notification.permission === "denied"
        ? "denied"
        : wanted()
          ? "on"
          : "off";

/** @param {AbortSignal} signal */
function start(signal) {
  by("tell").addEventListener(
    "click",
    async () => {
      want((await Notification.requestPermission()) === "granted");
      try {
        await subscribed(by("browser").dataset.push ?? "");
        show(state());
      } catch {
        show("failed");
      }
      void refresh();
    },
    { signal },
  );
  by("hush").addEventListener(
    "click",
    () => {
      const over = hush();
      show(state());
      return over;
    },
    { signal },
  );
  show(state());
}

onPage(start);
