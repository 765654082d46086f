/**
 * Dialogs. Not by `showModal()`, which some screen readers pass over in silence: the rest of the
 * page is made inert by hand, and the focus is led in, kept, and given back.
 */

import { by, make } from "./dom.js";

/** What is announced goes on behind a dialog. */
const SPOKEN = "live";
const STOPS = "a[href], button, input, select, textarea, [tabindex='0']";

/**
 * @typedef {{label: string, run?: () => void, first?: boolean}} Answer a button, which closes
 *   the dialog before it does anything
 */

/** Closes the dialog that is open. @type {(() => void) | null} */
let close = null;

/** Where the focus goes when what had it is gone meanwhile. */
const aside = () => by("content").focus();

/**
 * Shows a dialog; the focus returns to where it was.
 * @param {string} title
 * @param {Node[]} content is read out with the title
 * @param {Answer[]} answers the last of them changes nothing: it has the focus first
 * @param {() => void} [home] takes the focus where it cannot return
 */
export function openDialog(title, content, answers, home = aside) {
  close?.();
  const opener = document.activeElement;
  const buttons = answers.map(({ label, run, first }) => {
    const button = make("button", { type: "button", class: first ? "first" : "" }, label);
    button.addEventListener("click", () => {
      shut();
      run?.();
    });
    return button;
  });
  const dialog = make(
    "div",
    {
      class: "dialog",
      role: "dialog",
      tabindex: "-1",
      "aria-modal": "true",
      "aria-labelledby": "dialog-title",
      "aria-describedby": "dialog-body",
    },
    [
      make("h2", { id: "dialog-title" }, title),
      make("div", { id: "dialog-body", class: "dialog-body" }, content),
      make("p", { class: "buttons" }, buttons),
    ],
  );
  const backdrop = make("div", { class: "backdrop" }, [dialog]);
  by("table").append(backdrop);
  const stilled = still(backdrop);
  const shut = () => {
    close = null;
    for (const each of stilled) each.inert = false;
    backdrop.remove();
    if (opener instanceof HTMLElement) opener.focus();
    if (document.activeElement === document.body) home();
  };
  close = shut;
  backdrop.addEventListener("keydown", (event) => {
    if (event.key === "Escape") shut();
    else if (event.key === "Tab") turn(event, dialog);
    else return;
    event.stopPropagation();
  });
  backdrop.addEventListener("click", ({ target }) => {
    if (target === backdrop) shut();
  });
  buttons[buttons.length - 1].focus();
}

/**
 * Asks once more before something that cannot be undone.
 * @param {{title: string, text: string, yes: string, no: string}} words
 * @param {() => void} run
 * @param {() => void} [home]
 */
export function askOnceMore({ title, text, yes, no }, run, home) {
  openDialog(title, [make("p", {}, text)], [{ label: yes, run, first: true }, { label: no }], home);
}

/**
 * Makes all but the dialog inert, step by step from where it stands to the top of the page.
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
 * Tab goes round within the dialog.
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
