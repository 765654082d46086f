/** A row of buttons that takes one stop of the Tab key: arrows go from one to the next. */

import { keyed, make, setAttribute, setText } from "./dom.js";

/**
 * One button. `first` marks what is most likely wanted; a `barred` one can be pressed, and says
 * why nothing happens; `shortcut` is the key that does the same.
 * @typedef {{key: string, label: string, run: () => void, first?: boolean, barred?: boolean,
 *   shortcut?: string | null}} Choice
 */

export class Toolbar {
  /** @type {Map<string, () => void>} */
  #runs = new Map();
  #current = "";

  /**
   * @param {HTMLElement} bar
   * @param {() => void} lost where the focus goes when the button that had it is gone
   */
  constructor(bar, lost) {
    this.bar = bar;
    this.lost = lost;
    bar.addEventListener("keydown", (event) => this.#move(event));
    bar.addEventListener("focusin", (event) => {
      const key = /** @type {HTMLElement} */ (event.target).dataset.key;
      if (key !== undefined) this.#stand(key);
    });
  }

  /** @param {readonly Choice[]} choices */
  paint(choices) {
    const had = this.bar.contains(document.activeElement);
    this.#runs = new Map(choices.map((choice) => [choice.key, choice.run]));
    keyed(
      this.bar,
      choices,
      (choice) => choice.key,
      (choice) => {
        const button = make("button", { type: "button", tabindex: "-1" });
        button.addEventListener("click", () => this.#runs.get(choice.key)?.());
        return button;
      },
      (button, choice) => {
        label(button, choice.label, choice.shortcut ?? null);
        setAttribute(button, "aria-disabled", choice.barred ? "true" : null);
        button.classList.toggle("first", choice.first === true);
      },
    );
    this.bar.hidden = choices.length === 0;
    // Whoever comes in with Tab finds what matters first; nobody is moved who is here already.
    if (!had || !this.#runs.has(this.#current)) {
      this.#current = (choices.find((each) => each.first) ?? choices[0])?.key ?? "";
    }
    this.#stand(this.#current);
    if (had && !this.bar.contains(document.activeElement)) this.lost();
  }

  focus() {
    const button = this.#buttons().find((each) => each.dataset.key === this.#current);
    button?.focus();
    return button !== undefined;
  }

  /** @param {string} key */
  #stand(key) {
    this.#current = key;
    for (const button of this.#buttons()) button.tabIndex = button.dataset.key === key ? 0 : -1;
  }

  #buttons() {
    return /** @type {HTMLElement[]} */ ([...this.bar.children]);
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const buttons = this.#buttons();
    const at = buttons.indexOf(/** @type {HTMLElement} */ (event.target));
    const to = moved(event.key, at, buttons.length);
    if (to === null) return;
    event.preventDefault();
    buttons[to]?.focus();
  }
}

/**
 * Writes on a button what it does, and the key that does the same: for eyes, beside the name.
 * @param {HTMLElement} button
 * @param {string} name
 * @param {string | null} shortcut
 */
export function label(button, name, shortcut) {
  const letter = shortcut?.toUpperCase() ?? null;
  if (letter === null) {
    setText(button, name);
  } else {
    if (button.children.length === 0) {
      button.replaceChildren(make("span"), make("kbd", { "aria-hidden": "true" }));
    }
    setText(button.children[0], name);
    setText(button.children[1], letter);
  }
  setAttribute(button, "aria-keyshortcuts", letter);
}

/**
 * Where a key leads in a row; null for one that leads nowhere.
 * @param {string} key
 * @param {number} at
 * @param {number} count
 */
export function moved(key, at, count) {
  switch (key) {
    case "ArrowRight":
    case "ArrowDown":
      return Math.min(at + 1, count - 1);
    case "ArrowLeft":
    case "ArrowUp":
      return Math.max(at - 1, 0);
    case "Home":
      return 0;
    case "End":
      return count - 1;
  }
  return null;
}
