/** Rows of buttons: each row is one stop of the Tab key; arrows go from button to button. */

import { keyed, make, setAttribute, setText, sign } from "./page.js";

/**
 * One button. `first` marks the most likely one; a `barred` one can be pressed, and says why
 * nothing happens; `shortcut` is the key with the same effect; `drawn` is the sign that eyes see
 * in place of the label, `icon` the one beside it; `open`: whether the part that it opens is open.
 * A `guarded` one ignores a click that comes too soon after its meaning has changed: another `key`
 * in its place, or another `about`.
 * @typedef {{key: string, label: string, run: () => void, first?: boolean, barred?: boolean,
 *   shortcut?: string | null, drawn?: string, icon?: string, about?: string, open?: boolean,
 *   guarded?: boolean}} Choice
 */

/** Milliseconds for which a click may still be meant for the button's last meaning. */
const TOO_SOON = 300;

export class Toolbar {
  /** @type {Map<string, Choice>} */
  #choices = new Map();
  /** When each button got its present meaning. @type {Map<string, number>} */
  #since = new Map();
  #current = "";

  /**
   * @param {HTMLElement} bar
   * @param {() => void} lost takes the focus when the button that had it is gone
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
    for (const { key, about } of choices) {
      const before = this.#choices.get(key);
      if (!before || before.about !== about) this.#since.set(key, performance.now());
    }
    this.#choices = new Map(choices.map((choice) => [choice.key, choice]));
    keyed(
      this.bar,
      choices,
      (choice) => choice.key,
      (choice) => {
        const button = make("button", { type: "button", tabindex: "-1" });
        button.addEventListener("click", (event) => this.#press(choice.key, event));
        return button;
      },
      (button, choice) => {
        if (choice.drawn) illustrate(button, choice);
        else label(button, choice);
        if (choice.open !== undefined) setAttribute(button, "aria-expanded", String(choice.open));
        setAttribute(button, "aria-disabled", choice.barred ? "true" : null);
        button.classList.toggle("first", choice.first === true);
      },
    );
    this.bar.hidden = choices.length === 0;
    // Tab comes to the most likely button; a focus that is in the row already is not moved.
    if (!had || !this.#choices.has(this.#current)) {
      this.#current = (choices.find((each) => each.first) ?? choices[0])?.key ?? "";
    }
    this.#stand(this.#current);
    if (had && !this.bar.contains(document.activeElement)) this.lost();
  }

  /**
   * @param {string} key
   * @param {MouseEvent} click
   */
  #press(key, click) {
    const choice = this.#choices.get(key);
    const since = performance.now() - (this.#since.get(key) ?? 0);
    if (!choice || (click.detail > 0 && choice.guarded && since < TOO_SOON)) return;
    choice.run();
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
 * Writes the name of a button; for eyes, its icon before the name and its key after it.
 * @param {HTMLElement} button
 * @param {Choice} choice
 */
export function label(button, { label: name, icon, shortcut }) {
  const letter = shortcut?.toUpperCase() ?? null;
  setAttribute(button, "aria-keyshortcuts", letter);
  if (!icon && letter === null) return setText(button, name);
  if (button.children.length === 0) {
    button.replaceChildren(...(icon ? [sign(icon)] : []), make("span"));
  }
  setText(/** @type {Element} */ (button.querySelector("span")), name);
  let key = button.querySelector("kbd");
  if (letter === null) return key?.remove();
  if (!key) button.append((key = document.createElement("kbd")));
  setAttribute(key, "aria-hidden", "true");
  setText(key, letter);
}

/**
 * Draws the sign of a button, whose name ears hear and the pointer shows.
 * @param {HTMLElement} button
 * @param {Choice} choice
 */
function illustrate(button, { label: name, drawn = "", shortcut }) {
  if (button.children.length === 0) {
    // Readers would say a title of the button itself after its name.
    const drawing = make("span", { class: "titled", "aria-hidden": "true" }, [sign(drawn)]);
    button.replaceChildren(drawing, make("span", { class: "hidden" }));
  }
  setText(button.children[1], name);
  const letter = shortcut?.toUpperCase() ?? null;
  setAttribute(button, "aria-keyshortcuts", letter);
  setAttribute(button.children[0], "title", letter ? `${name} (${letter})` : name);
}

/**
 * A small round button that only pointers can press, and that does not take the focus.
 * @param {string} name of its sign
 * @param {() => void} run
 */
export function small(name, run) {
  const told = { type: "button", class: "small", tabindex: "-1" };
  const button = make("button", told, [sign(name)]);
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", run);
  return button;
}

/**
 * Place that a key leads to in a row; null for other keys.
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
