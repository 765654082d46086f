/** The score sheet (S7): the points of each deal, the totals after it, and who leads. */

import { drawChart } from "./chart.js";
import { by, keyed, make, setText } from "./dom.js";
import { dress } from "./later.js";
import { say, written } from "./page.js";
import { Score, called, headed, listed, signed, star } from "./score.js";

/** @typedef {import("./page.js").Row} Row */

/** Where cards were passed. @type {Record<string, string>} */
const WAYS = {
  left: "way_left",
  right: "way_right",
  second_left: "way_second_left",
  second_right: "way_second_right",
  across: "way_across",
  hold: "way_hold",
};

dress("/static/scores.css");

export class Sheet {
  #score = new Score();
  #shown = "";

  /** @param {import("./page.js").News} news */
  see({ happening }) {
    this.#score.see(happening);
  }

  /** @param {import("./page.js").Scene} scene */
  paint(scene) {
    const score = this.#score;
    score.read(scene.sheet);
    const fits = score.players === scene.seats.length;
    const names = called(scene);
    const now = JSON.stringify([names, score.scored.length, score.dealt.size, score.net, fits]);
    if (now === this.#shown) return;
    this.#shown = now;
    paintTable(score, headed(scene), fits ? score.scored : []);
    paintFoot(score, fits);
    drawChart(by("chart"), fits ? score : null, headed(scene), scene.seat);
    const told = fits && score.scored.length > 0 ? leaders(score, names) : "";
    setText(by("sheet-lead"), told);
  }
}

/**
 * @param {Score} score
 * @param {string[]} names
 * @param {Row[]} deals
 */
function paintTable(score, names, deals) {
  const heads = [...names, say("sheet_dealt")];
  row(by("sheet-heads"), heads, () => make("th", { scope: "col" }), setText);
  keyed(
    by("sheet-rows"),
    deals,
    (deal) => String(deal.number),
    () => make("tr", {}, [make("th", { scope: "row" })]),
    (line, deal) => {
      setText(line.children[0], String(deal.number));
      const seats = deal.points.map((points, seat) => ({
        points,
        total: deal.totals[seat],
        event: eventOf(deal, seat),
      }));
      row(line, [...seats, dealtBy(score, deal.number, names)], () => make("td"), paintCell);
    },
  );
}

/**
 * What a seat has done in a deal that is out of the common.
 * @param {Row} deal
 * @param {number} seat
 */
function eventOf({ moon, slam, revoked }, seat) {
  if (revoked.includes(seat)) return say("revoke");
  return moon === seat ? say("moon") : slam === seat ? say("slam") : "";
}

/**
 * @param {Element} cell
 * @param {string | {points: number, total: number, event: string}} item
 */
function paintCell(cell, item) {
  if (typeof item === "string") {
    setText(cell, item);
    return;
  }
  const told = `${written(item.points)} (${written(item.total)})`;
  if (cell.textContent === `${told} ${item.event}`) return;
  cell.replaceChildren(
    make("b", {}, written(item.points)),
    make("small", {}, ` (${written(item.total)})`),
    item.event === "" ? " " : make("span", { class: "event" }, ` ${item.event}`),
  );
}

/**
 * @param {Score} score
 * @param {number} number of the deal
 * @param {string[]} names
 */
function dealtBy(score, number, names) {
  const dealt = score.dealt.get(number);
  return dealt ? `${names[dealt.dealer]}, ${say(WAYS[dealt.direction])}` : "";
}

/**
 * The totals, and the stakes where there are any.
 * @param {Score} score
 * @param {boolean} fits
 */
function paintFoot(score, fits) {
  const foot = by("sheet-totals");
  const sums = fits ? score.totals[score.totals.length - 1] : [];
  const leads = score.scored.length > 0 ? score.first : [];
  const totals = sums.map((total, seat) => ({ text: written(total), first: leads.includes(seat) }));
  row(foot, totals, () => make("td"), paintTotal);
  foot.nextElementSibling?.remove();
  if (!fits || !score.staked) return;
  const head = make("th", { scope: "row" }, say("stakes"));
  const cells = score.net.map((stakes) => make("td", {}, signed(stakes)));
  foot.after(make("tr", {}, [head, ...cells]));
}

/**
 * @param {Element} cell
 * @param {{text: string, first: boolean}} total
 */
function paintTotal(cell, { text, first }) {
  cell.classList.toggle("leads", first);
  cell.replaceChildren(...(first ? star() : []), text);
}

/**
 * The state of the match in a sentence or two.
 * @param {Score} score
 * @param {string[]} names
 */
export function leaders(score, names) {
  const sums = score.totals[score.totals.length - 1];
  const first = score.first;
  const rest = [...sums.keys()].filter((seat) => !first.includes(seat));
  rest.sort((one, other) => sums[one] - sums[other]);
  const over = score.winners.length > 0;
  const ahead = listed(first.map((seat) => names[seat]));
  const said = [
    say(over ? "won_by" : "led_by", { names: ahead, points: written(sums[first[0]]) }),
  ];
  const behind = rest.map((seat) => `${names[seat]} ${written(sums[seat])}`);
  if (behind.length > 0) said.push(say("behind", { names: behind.join(", ") }));
  if (score.limit !== null && !over) said.push(say("ends_at", { most: score.limit }));
  return said.join(" ");
}

/**
 * The cells of a row after its first.
 * @template T
 * @param {HTMLElement} line
 * @param {readonly T[]} items
 * @param {() => HTMLElement} create
 * @param {(cell: Element, item: T) => void} paint
 */
function row(line, items, create, paint) {
  while (line.children.length > items.length + 1) line.lastElementChild?.remove();
  while (line.children.length < items.length + 1) line.append(create());
  items.forEach((item, place) => paint(line.children[place + 1], item));
}
