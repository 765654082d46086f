/**
 * Sheets: where there is no room beside the felt, a part of the page that is opened comes over it,
 * and the hand stays in sight. Nothing becomes inert: whoever likes plays on. A sheet goes by a
 * swipe, a press beside it, Escape, or its heading; a focus that is in it returns to where it was.
 */

import { escapes } from "../../../web/static/keys.js";
import { by } from "../../../web/static/page.js";

/** Pixels down which a finger moves to put a sheet away. */
const SWIPE = 70;

const beside = window.matchMedia("(min-width: 68rem)");
const aside = by("aside");

/** The part that is shown. @type {HTMLDetailsElement | null} */
let shown = null;
/** Whether it was open before, and stays so for ears. */
let stays = false;
/** The element beside the sheets that had the focus last. @type {Element | null} */
let outside = null;
/** Takes the focus if it cannot return. */
let home = () => {};

/**
 * Shows an open part, unless it stands beside the felt.
 * @param {HTMLDetailsElement} part
 * @param {() => void} otherwise takes the focus if it cannot return
 */
export function raise(part, otherwise) {
  home = otherwise;
  if (beside.matches) aside.scrollTop = part.offsetTop;
  if (beside.matches || part === shown) return;
  lower();
  stays = part.id === "log-part";
  shown = part;
  part.classList.add("shown");
  aside.classList.add("open");
  aside.scrollTop = 0;
  place();
}

/** Puts the sheet away, and closes what was closed before. */
function lower() {
  const part = shown;
  shown = null;
  aside.classList.remove("open");
  aside.style.translate = "";
  part?.classList.remove("shown");
  if (part) part.open = stays;
}

/** Puts the sheet away; a focus that is in it returns. */
function close() {
  const inside = shown?.contains(document.activeElement);
  lower();
  if (!inside) return;
  if (outside instanceof HTMLElement && outside.isConnected) outside.focus();
  if (aside.contains(document.activeElement)) home();
}

/** Lays the sheet over the felt. */
function place() {
  if (!shown) return;
  const { top, bottom, left, right } = by("felt").getBoundingClientRect();
  const rest = { top, left, right: document.documentElement.clientWidth - right };
  for (const [name, size] of Object.entries(rest)) {
    aside.style.setProperty(`--${name}`, `${Math.max(0, size).toFixed()}px`);
  }
  aside.style.setProperty("--bottom", `${Math.max(0, window.innerHeight - bottom).toFixed()}px`);
}

/** @param {EventTarget | null} target what has the focus */
function leave(target) {
  if (!(target instanceof Element) || aside.contains(target)) return;
  // A menu that was pressed open is closed by then: its button is where one was.
  const pressed = target.closest("#menu") && !target.matches(":focus-visible");
  outside = pressed ? document.querySelector("[data-key=Menu]") : target;
}

leave(document.activeElement);
document.addEventListener("focusin", ({ target }) => leave(target));
document.addEventListener("pointerdown", ({ target }) => {
  if (shown && target instanceof Element && !target.closest("#aside, .backdrop")) close();
});
document.addEventListener(
  "keydown",
  (event) => {
    if (!shown || !escapes(event) || document.querySelector(".dialog, #typed")) return;
    if (shown.contains(document.activeElement)) event.stopPropagation();
    close();
  },
  true,
);
aside.addEventListener(
  "toggle",
  ({ target }) => {
    if (shown && target === shown && !shown.open) close();
  },
  true,
);
beside.addEventListener("change", () => {
  if (beside.matches) lower();
});
new ResizeObserver(place).observe(by("felt"));
window.addEventListener("resize", place);

/** The finger that moves down, where that does not scroll. @type {{x: number, y: number} | null} */
let finger = null;
aside.addEventListener("touchstart", ({ touches, target }) => {
  let above = aside.scrollTop;
  for (let each = /** @type {Element | null} */ (target); each && each !== aside; ) {
    above += each.scrollTop;
    each = each.parentElement;
  }
  const [{ clientX: x, clientY: y }] = touches;
  finger = shown && touches.length === 1 && above === 0 ? { x, y } : null;
}, { passive: true });
aside.addEventListener("touchmove", ({ touches }) => {
  if (finger) aside.style.translate = `0 ${Math.max(0, touches[0].clientY - finger.y)}px`;
}, { passive: true });
aside.addEventListener("touchend", ({ changedTouches }) => {
  const [{ clientX, clientY }] = changedTouches;
  const down = finger ? clientY - finger.y : 0;
  const across = finger ? Math.abs(clientX - finger.x) : 0;
  finger = null;
  aside.style.translate = "";
  if (down > SWIPE && down > across) close();
}, { passive: true });
