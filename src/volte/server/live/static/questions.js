/** The buttons of questions: a row by the hand; and in the menu others, with the parts of the page. */

import { Toolbar } from "../../../web/static/buttons.js";
import { QUESTIONS, keyOf } from "../../../web/static/keys.js";
import { by, say } from "../../../web/static/page.js";

/** @typedef {import("../../../web/static/buttons.js").Choice} Choice */

/** Questions whose answers are parts of the page. */
const ABOUT = ["talk", "rules", "sheet"].filter((what) => QUESTIONS.includes(what));
/** Other questions of the menu. */
const SELDOM = ["hint", "verbosity", "keys"];
/** Other parts of the page that the menu opens. */
const PARTS = ["log", "settings", "invite", "host", "proof"];
/** Icons with another name than what they stand for. @type {Record<string, string>} */
const ICONS = { turn: "here", points: "whole", host: "crown" };

export class Questions {
  /** The parts that the menu offers to open. */
  #offered = "";

  /**
   * @param {{
   *   ask: (what: string) => unknown,
   *   talk: () => string,
   *   raise: (part: HTMLDetailsElement) => Promise<void>,
   *   intro: () => void,
   *   home: () => void,
   * }} means `talk`: the label of the talk; `raise`: shows an open part; `intro`: opens the help
   *   for newcomers; `home`: takes the focus when the button that had it is gone
   */
  constructor(means) {
    this.means = means;
    this.row = new Toolbar(by("questions"), means.home);
    this.menu = new Toolbar(by("around"), means.home);
  }

  paint() {
    if (there().join() !== this.#offered) this.update();
  }

  settingsChanged() {
    this.update();
  }

  /** Paints all buttons anew. */
  update() {
    const { intro } = this.means;
    const others = [...SELDOM, ...ABOUT];
    const row = QUESTIONS.filter((what) => !others.includes(what));
    this.row.paint(row.map((what) => this.#asking(what)));
    this.#offered = there().join();
    this.menu.paint([
      ...ABOUT.map((what) => this.#asking(what)),
      ...there().map((name) => this.#opening(name)),
      this.#asking("keys"),
      { key: "intro", label: say("intro_title"), run: intro, icon: "intro" },
    ]);
  }

  /**
   * @param {string} what
   * @returns {Choice}
   */
  #asking(what) {
    return {
      key: what,
      label: what === "talk" ? this.means.talk() : say(`ask_${what}`),
      run: () => void this.means.ask(what),
      shortcut: keyOf(what),
      icon: ICONS[what] ?? what,
    };
  }

  /**
   * @param {string} name of a part of the page
   * @returns {Choice}
   */
  #opening(name) {
    const part = /** @type {HTMLDetailsElement} */ (by(`${name}-part`));
    const summary = /** @type {HTMLElement} */ (part.firstElementChild);
    const run = async () => {
      part.open = true;
      await this.means.raise(part);
      summary.focus({ preventScroll: true });
    };
    return { key: name, label: summary.textContent ?? "", run, icon: ICONS[name] ?? name };
  }
}

/** Other parts of the page that are there now. */
const there = () => PARTS.filter((name) => !by(`${name}-part`).hidden);
