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
import { by, lang, opened, say, settings } from "../../web/static/page.js";
import { daysInARow, keep, solved } from "./solved.js";

/**
 * The reply to a card, or to none: `right`, `wrong`, `refused` or `shown`.
 * @typedef {{kind: string, lines: string[]}} Verdict
 * @typedef {import("../../web/static/page.js").Card} Card
 */

const root = by("table");
const { number, day, today, next } = root.dataset;
/** Labels of buttons that only this page has. @type {Record<string, string>} */
const labels = JSON.parse(root.dataset.labels ?? "{}");
/** @type {import("../../web/static/page.js").Scene} */
const scene = JSON.parse(root.dataset.scene ?? "null");
/** Question → answer; `table 1` and so on for a single card. @type {Record<string, string[]>} */
const answers = JSON.parse(root.dataset.answers ?? "{}");
answers.tricks = answers.story;
/** Card → verdict; the empty text → the best card. @type {Record<string, Verdict>} */
const verdicts = JSON.parse(root.dataset.verdicts ?? "{}");
/** Questions that this page answers; the first two have no key, since no table has them. */
const asked = [
  ...["known", "story"],
  ...QUESTIONS.filter((what) => what in answers || document.getElementById(`${what}-part`)),
];

/** Whether the question is about cards to pass: they are chosen in a form. */
const passing = scene.phase === "passing";
const section = by("answer-section");
const announcer = new Announcer(by("live"), lang);
const history = new History();
/** The last answer announced, for repeating. */
let last = "";
const hand = new Hand(by("hand"), by("whys"), {
  use: (card) => {
    judge(card.card);
    return null;
  },
  proceed: () => {},
  changed: paintActions,
  bear: () => {},
  raised: (card, again) => {
    announcer.answer([say(again ? "raised_tap" : "raised_button", { card: card.name })]);
  },
});
const home = () => {
  if (passing) by("ask").querySelector("input")?.focus();
  else void hand.focus();
};
const actions = new Toolbar(by("actions"), home);
const questions = new Toolbar(by("questions"), home);
const shown = new Shown(home);
/** Whether the best card is known: then finding it does not count as solved. */
let known = false;

/**
 * Show the verdict on a card; the best card if the text is empty.
 * @param {string} card
 */
function judge(card) {
  if (next !== undefined) {
    location.assign(`${next}card=${card}#answer-section`);
    return;
  }
  const { kind, lines } = verdicts[card];
  if (kind === "right" && !known && number) {
    keep(Number(number), day ?? "");
    paintProgress();
  }
  if (kind === "shown" || kind === "right") known = true;
  show(lines, kind);
  if (kind !== "refused") section.focus(); // as at a table, a refused card keeps the focus
}

/**
 * Show an answer, and announce it.
 * @param {string[]} lines
 * @param {string} kind of a verdict; `` for the answer to a question
 */
function show(lines, kind) {
  shown.show(lines, { refused: kind === "refused" || kind === "wrong", moment: null, at: null });
  section.scrollIntoView({ block: "nearest" });
  announcer.answer(lines);
  if (kind === "") return; // the buttons to go on stay as they are
  for (const button of section.querySelectorAll("[data-after]")) {
    const kinds = /** @type {HTMLElement} */ (button).dataset.after?.split(" ") ?? [];
    /** @type {HTMLElement} */ (button).hidden = !kinds.includes(kind);
  }
}

/**
 * @param {string} what
 * @param {number} card
 */
function ask(what, card) {
  const part = document.getElementById(`${what}-part`);
  const lines = answers[card ? `${what} ${card}` : what];
  if (lines) show(lines, "");
  else if (part) show(opened(part), "");
}

function paintActions() {
  /** @type {import("../../web/static/buttons.js").Choice[]} */
  const choices = [];
  if ("" in verdicts) choices.push({ key: "Show", label: labels.show, run: () => judge("") });
  choices.unshift(playButton(hand.card, ({ card }) => judge(card), (lines) => show(lines, "")));
  actions.paint(choices);
}

/** Show whether this puzzle is solved, the number solved, and the days in a row. */
function paintProgress() {
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
function review(line) {
  last = history.message || last;
  announcer.answer([line], "aside");
}

announcer.said = (text, sort) => {
  if (sort !== "answer") return;
  last = text;
  history.keep(itemsOf([text]));
};
listenForKeys(ask, {
  repeat: () => announcer.answer([last || say("nothing_said")], "aside"),
  before: () => review(history.before()),
  after: () => review(history.after()),
  oldest: () => review(history.before(true)),
  latest: () => review(history.after(true)),
});
listenForEscape(home);
document.getElementById("again")?.addEventListener("click", (event) => {
  event.preventDefault();
  shown.close();
  home();
});
document.addEventListener("keydown", (event) => {
  const way = { "+": "next", "-": "prev" }[letterOf(event) ?? ""];
  const link = way && document.querySelector(`a[rel=${way}]`);
  if (link instanceof HTMLElement) link.click();
});

for (const part of document.querySelectorAll("[data-played]")) {
  /** @type {HTMLElement} */ (part).hidden = false;
}
by("answer-close").hidden = false;
const felt = new Felt();
if (scene.wider) {
  const { Wider } = await import("../../web/static/wider.js");
  new Wider(null, felt).paint(scene);
}
felt.paint(scene);
if (!passing) {
  hand.paint(scene.hand, false);
  paintActions();
}
questions.paint(
  asked.map((what) => ({
    key: what,
    label: labels[what] ?? say(`ask_${what}`),
    run: () => ask(what, 0),
    shortcut: keyOf(what),
  })),
);
paintProgress();
void announcer.speak(settings.speech === true, settings.speech_rate / 100);
// A page loaded with an answer puts the focus on it; the answer can be repeated.
if (!section.hidden) {
  section.focus();
  last = [...by("answer").children].map((line) => line.textContent ?? "").join(" ");
}
