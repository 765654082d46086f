/**
 * A position, played as at a table: a puzzle, or a choice from a review. All answers came with the
 * page, so the server is not asked; only where a deal is played on, a card leads to the next page.
 */

import { Announcer, itemsOf } from "../../web/static/announcer.js";
import { Felt, Shown } from "../../web/static/felt.js";
import { Hand, playButton } from "../../web/static/hand.js";
import {
  QUESTIONS,
  keyOf,
  letterOf,
  listenForEscape,
  listenForKeys,
} from "../../web/static/keys.js";
import { History } from "../../web/static/history.js";
import { Toolbar } from "../../web/static/buttons.js";
import { by, lang, onPage, opened, say, settings, tab } from "../../web/static/page.js";
import { daysInARow, keep, solved } from "./solved.js";

/**
 * The reply to a card, or to none: `right`, `wrong`, `refused` or `shown`.
 * @typedef {{kind: string, lines: string[]}} Verdict
 * @typedef {import("../../web/static/page.js").Card} Card
 */

class Position {
  #told = by("table").dataset;
  /** Labels of buttons that only this page has. @type {Record<string, string>} */
  #labels = JSON.parse(this.#told.labels ?? "{}");
  /** @type {import("../../web/static/page.js").Scene} */
  #scene = JSON.parse(this.#told.scene ?? "null");
  /** Question → answer; `table 1` and so on for a single card. @type {Record<string, string[]>} */
  #answers = JSON.parse(this.#told.answers ?? "{}");
  /** Card → verdict; the empty text → the best card. @type {Record<string, Verdict>} */
  #verdicts = JSON.parse(this.#told.verdicts ?? "{}");
  /** Whether the question is about cards to pass: they are chosen in a form. */
  #passing = this.#scene.phase === "passing";
  #section = by("answer-section");
  #history = new History();
  /** The last answer announced, for repeating. */
  #last = "";
  /** Whether the best card is known: then finding it does not count as solved. */
  #known = false;
  #announcer;
  #shown;
  #hand;
  #actions = new Toolbar(by("actions"), () => this.#home());
  #questions = new Toolbar(by("questions"), () => this.#home());

  /** @param {AbortSignal} signal */
  constructor(signal) {
    this.#answers.tricks = this.#answers.story;
    this.#announcer = new Announcer(by("live"), lang, signal);
    this.#shown = new Shown(() => this.#home(), signal);
    this.#hand = new Hand(by("hand"), by("whys"), this.#handler, signal);
    this.#listen(signal);
    void this.#begin(signal);
  }

  /** @type {import("../../web/static/hand.js").Handler} */
  #handler = {
    use: (card) => {
      this.#judge(card.card);
      return null;
    },
    proceed: () => {},
    changed: () => this.#paintActions(),
    bear: () => {},
    raised: (card, again) => {
      this.#announcer.answer([say(again ? "raised_tap" : "raised_button", { card: card.name })]);
    },
  };

  #home() {
    if (this.#passing) by("ask").querySelector("input")?.focus();
    else void this.#hand.focus();
  }

  /**
   * Show the verdict on a card; the best card if the text is empty.
   * @param {string} card
   */
  #judge(card) {
    const { number, day, next } = this.#told;
    if (next !== undefined) {
      tab.go(`${next}card=${card}#answer-section`);
      return;
    }
    const { kind, lines } = this.#verdicts[card];
    if (kind === "right" && !this.#known && number) {
      keep(Number(number), day ?? "");
      this.#paintProgress();
    }
    if (kind === "shown" || kind === "right") this.#known = true;
    this.#show(lines, kind);
    if (kind !== "refused") this.#section.focus(); // as at a table, a refused card keeps the focus
  }

  /**
   * Show an answer, and announce it.
   * @param {string[]} lines
   * @param {string} kind of a verdict; `` for the answer to a question
   */
  #show(lines, kind) {
    const refused = kind === "refused" || kind === "wrong";
    this.#shown.show(lines, { refused, moment: null, at: null });
    this.#section.scrollIntoView({ block: "nearest" });
    this.#announcer.answer(lines);
    if (kind === "") return; // the buttons to go on stay as they are
    for (const button of this.#section.querySelectorAll("[data-after]")) {
      const kinds = /** @type {HTMLElement} */ (button).dataset.after?.split(" ") ?? [];
      /** @type {HTMLElement} */ (button).hidden = !kinds.includes(kind);
    }
  }

  /**
   * @param {string} what
   * @param {number} card
   */
  #ask(what, card) {
    const part = document.getElementById(`${what}-part`);
    const lines = this.#answers[card ? `${what} ${card}` : what];
    if (lines) this.#show(lines, "");
    else if (part) this.#show(opened(part), "");
  }

  #paintActions() {
    /** @type {import("../../web/static/buttons.js").Choice[]} */
    const choices = [];
    const play = (/** @type {Card} */ { card }) => this.#judge(card);
    choices.push(playButton(this.#hand.card, play, (lines) => this.#show(lines, "")));
    const { show } = this.#labels;
    if ("" in this.#verdicts) choices.push({ key: "Show", label: show, run: () => this.#judge("") });
    this.#actions.paint(choices);
  }

  /** Show whether this puzzle is solved, the number solved, and the days in a row. */
  #paintProgress() {
    const { number, today } = this.#told;
    if (!number) return;
    const all = solved();
    by("done").hidden = !all.has(Number(number));
    const numbers = { solved: all.size, days: daysInARow(today ?? "") };
    for (const [name, count] of Object.entries(numbers)) {
      const line = by(`progress-${name}`);
      line.hidden = count === 0;
      line.textContent = (line.dataset.text ?? "").replace("{count}", String(count));
    }
  }

  /** @param {string} line of the history */
  #review(line) {
    this.#last = this.#history.message || this.#last;
    this.#announcer.answer([line], "aside");
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    this.#announcer.said = (text, sort) => {
      if (sort !== "answer") return;
      this.#last = text;
      this.#history.keep(itemsOf([text]));
    };
    const reviews = {
      repeat: () => this.#announcer.answer([this.#last || say("nothing_said")], "aside"),
      before: () => this.#review(this.#history.before()),
      after: () => this.#review(this.#history.after()),
      oldest: () => this.#review(this.#history.before(true)),
      latest: () => this.#review(this.#history.after(true)),
    };
    listenForKeys((what, card) => this.#ask(what, card), reviews, undefined, signal);
    listenForEscape(() => this.#home(), signal);
    document.getElementById("again")?.addEventListener("click", (event) => {
      event.preventDefault();
      this.#shown.close();
      this.#home();
    });
    /** @param {KeyboardEvent} event */
    const turn = (event) => {
      const way = { "+": "next", "-": "prev" }[letterOf(event) ?? ""];
      const link = way && document.querySelector(`a[rel=${way}]`);
      if (link instanceof HTMLElement) link.click();
    };
    document.addEventListener("keydown", turn, { signal });
  }

  /** @param {AbortSignal} signal */
  async #begin(signal) {
    for (const part of document.querySelectorAll("[data-played]")) {
      /** @type {HTMLElement} */ (part).hidden = false;
    }
    by("answer-close").hidden = false;
    const felt = new Felt();
    if (this.#scene.wider) {
      const { Wider } = await import("../../web/static/wider.js");
      if (signal.aborted) return;
      new Wider(null, felt).paint(this.#scene);
    }
    felt.paint(this.#scene);
    if (!this.#passing) {
      this.#hand.paint(this.#scene.hand, false);
      this.#paintActions();
    }
    this.#questions.paint(
      this.#asked.map((what) => ({
        key: what,
        label: this.#labels[what] ?? say(`ask_${what}`),
        run: () => this.#ask(what, 0),
        shortcut: keyOf(what),
      })),
    );
    this.#paintProgress();
    void this.#announcer.speak(settings.speech === true, settings.speech_rate / 100);
    // A page loaded with an answer puts the focus on it; the answer can be repeated.
    if (this.#section.hidden) return;
    this.#section.focus();
    this.#last = [...by("answer").children].map((line) => line.textContent ?? "").join(" ");
  }

  /** Questions that this page answers; the first two have no key, since no table has them. */
  get #asked() {
    const there = (/** @type {string} */ what) =>
      what in this.#answers || document.getElementById(`${what}-part`);
    return ["known", "story", ...QUESTIONS.filter(there)];
  }
}

export const start = (/** @type {AbortSignal} */ signal) => new Position(signal);

onPage(start);
