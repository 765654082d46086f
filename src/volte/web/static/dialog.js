/**
 * Dialogs. Not by `showModal()`, which some screen readers pass over in silence: the rest of the
 * page is made inert by hand, and the focus is led in, kept, and given back. It begins at the
 * dialog itself, which readers then read whole: where it begins at a button, Orca tells the button
 * alone. Of a long one they read the head, as all else is hidden from them at first; then they go
 * from line to line. Nothing describes a dialog: its description would be said twice.
 */

import { by, make, say } from "./page.js";

/** Id of the live region, which stays in use behind a dialog. */
const SPOKEN = "live";
const STOPS = "a[href], button, input:not([tabindex='-1']), select, textarea, [tabindex='0']";
/**
 * Milliseconds for which a closed dialog stays, unseen. If the element that had the focus is gone
 * before a reader hears of the new focus, the reader says nothing, and stays where it was.
 */
const LINGERING = 1500;

/** Milliseconds in which readers have looked for what they read of a dialog. */
const READING = 1500;

/** Closes the dialog that is open. @type {(() => void) | null} */
let close = null;
/** The dialog that was closed last. @type {HTMLElement | null} */
let closed = null;

/**
 * Shows something long to be read, and a button that closes it.
 * @param {string} title
 * @param {string} about
 * @param {Node[]} content
 * @param {() => void} [home] takes the focus if it cannot return
 */
export function showDialog(title, about, content, home = nearby) {
  const done = make("button", { type: "button", class: "close" }, say("close_dialog"));
  open([done, ...headed(title, about)], home, content);
  done.addEventListener("click", () => close?.());
}

/**
 * Asks once more before something that cannot be undone.
 * @param {{title: string, about: string, yes: string, no: string}} words
 * @param {() => void} run
 * @param {() => void} [home] as above
 */
export function askOnceMore({ title, about, yes, no }, run, home = nearby) {
  const sure = make("button", { type: "button", class: "first" }, yes);
  const unsure = make("button", { type: "button" }, no);
  open([...headed(title, about), make("p", { class: "buttons" }, [sure, unsure])], home);
  unsure.addEventListener("click", () => close?.());
  sure.addEventListener("click", () => {
    close?.();
    run();
  });
}

/** Closes the dialog that is open; the focus goes back. */
export function closeDialog() {
  close?.();
}

/**
 * The heading of a dialog and the text below it.
 * @param {string} title
 * @param {string} about
 */
export function headed(title, about) {
  return [make("h2", { id: "dialog-title" }, title), make("p", {}, about)];
}

function nearby() {
  by("content").focus();
}

/**
 * @param {Node[]} content
 * @param {() => void} home
 * @param {Node[]} [rest] what is too long for one breath
 */
export function open(content, home, rest = []) {
  close?.();
  closed?.remove();
  const opener = document.activeElement;
  const modal = { role: "dialog", "aria-modal": "true", "aria-labelledby": "dialog-title" };
  const dialog = make("div", { ...modal, tabindex: "-1", class: "dialog" }, [...content, veiled(rest)]);
  const backdrop = make("div", { class: "backdrop" }, [dialog]);
  (document.getElementById("table") ?? document.body).append(backdrop);
  const stilled = still(backdrop);
  dialog.focus();
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    if (event.key === "Escape") close?.();
    else if (event.key === "Tab") turn(event, dialog);
    else return;
    event.stopPropagation();
  };
  document.addEventListener("keydown", press, true);
  // No click listener: readers would call the element and all its content clickable.
  backdrop.addEventListener("pointerdown", ({ target }) => {
    if (target === backdrop) close?.();
  });
  close = () => {
    close = null;
    document.removeEventListener("keydown", press, true);
    for (const each of stilled) each.inert = false;
    document.dispatchEvent(new CustomEvent("uncovered", { detail: opener }));
    if (opener instanceof HTMLElement) opener.focus();
    if (backdrop.contains(document.activeElement) || document.activeElement === document.body) {
      home();
    }
    linger(backdrop, dialog);
  };
}

/**
 * Content that is hidden from readers until they have read what stands before it.
 * @param {Node[]} content
 */
function veiled(content) {
  const rest = make("div", { "aria-hidden": "true" }, content);
  const unveil = () => {
    rest.removeAttribute("aria-hidden");
    document.removeEventListener("keydown", unveil, true);
  };
  document.addEventListener("keydown", unveil, true);
  window.setTimeout(unveil, READING);
  return rest;
}

/**
 * Hides a closed dialog at once, and removes it soon.
 * @param {HTMLElement} backdrop
 * @param {HTMLElement} dialog
 */
function linger(backdrop, dialog) {
  closed = backdrop;
  backdrop.className = "lingering";
  dialog.className = "";
  for (const name of ["role", "aria-modal", "aria-labelledby"]) dialog.removeAttribute(name);
  for (const each of dialog.querySelectorAll("[id]")) each.removeAttribute("id");
  for (const each of dialog.querySelectorAll(STOPS)) each.setAttribute("tabindex", "-1");
  window.setTimeout(() => backdrop.remove(), LINGERING);
}

/**
 * Makes all but the dialog inert, step by step from its place to the top of the page.
 * @param {HTMLElement} shown
 * @returns {HTMLElement[]} what was not inert before
 */
function still(shown) {
  const stilled = [];
  for (let inner = shown; inner !== document.body; ) {
    const outer = /** @type {HTMLElement} */ (inner.parentElement);
    for (const each of /** @type {Iterable<HTMLElement>} */ (outer.children)) {
      if (each === inner || each.id === SPOKEN || each.inert) continue;
      each.inert = true;
      stilled.push(each);
    }
    inner = outer;
  }
  return stilled;
}

/**
 * Makes Tab go round within the dialog.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} dialog
 */
function turn(event, dialog) {
  const stops = /** @type {NodeListOf<HTMLElement>} */ (dialog.querySelectorAll(STOPS));
  const at = [...stops].indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const to = event.shiftKey ? Math.max(at, 0) - 1 + stops.length : at + 1;
  event.preventDefault();
  stops[to % stops.length].focus();
}
