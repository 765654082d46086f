/** The score sheet (S7): the points of each deal, the totals after it, and the leader. */

import { by, keyed, linkStyle, make, parsed, say, setText, written } from "../../web/static/page.js";
import { Score, called, headed, listed, stakesOf, star } from "./score.js";

/** @typedef {import("../../web/static/page.js").Row} Row */

linkStyle("web/static/scores.css");

export class Sheet {
  #score = new Score();
  #shown = "";

  /** @param {import("../../web/static/page.js").News} news */
  see({ happening }) {
    this.#score.see(happening);
  }

  /** @param {import("../../web/static/page.js").Scene} scene */
  paint(scene) {
    const score = this.#score;
    score.read(scene.sheet);
    const fits = score.players === scene.seats.length;
    const names = called(scene);
    const counts = [score.scored.length, score.dealt.size, score.net];
    const now = JSON.stringify([names, counts, fits, scene.chart]);
    if (now === this.#shown) return;
    this.#shown = now;
    paintTable(score, headed(scene), fits);
    paintFoot(score, fits);
    if (typeof scene.chart === "string") by("chart").replaceChildren(...parsed(fits ? scene.chart : ""));
    const told = fits && score.scored.length > 0 ? leaders(score, names) : "";
    setText(by("sheet-lead"), told);
  }
}

/**
 * @param {Score} score
 * @param {string[]} names
 * @param {boolean} fits whether the score is of the players who sit here now
 */
function paintTable(score, names, fits) {
  const sides = fits ? score.sides : names.map((_, seat) => [seat]);
  const heads = [...sides.map((side) => namesOf(side, names)), say("sheet_dealt")];
  row(by("sheet-heads"), heads, () => make("th", { scope: "col" }), setText);
  keyed(
    by("sheet-rows"),
    fits ? score.scored : [],
    (deal) => String(deal.number),
    () => make("tr", {}, [make("th", { scope: "row" })]),
    (line, deal) => {
      setText(line.children[0], String(deal.number));
      const seats = sides.map((side) => ({
        points: deal.points[side[0]],
        total: deal.totals[side[0]],
        event: eventOf(deal, side),
      }));
      row(line, [...seats, dealtBy(score, deal.number, names)], () => make("td"), paintCell);
    },
  );
}

/**
 * The names of a side: "Alice", or "Alice and Luc" for partners.
 * @param {number[]} side
 * @param {string[]} names
 */
function namesOf(side, names) {
  return listed(side.map((seat) => names[seat]));
}

/**
 * The special events of a side in a deal, such as a moon.
 * @param {Row} deal
 * @param {number[]} side
 */
function eventOf({ moon, slam, revoked, trickless, halved }, side) {
  const events = [
    revoked.some((seat) => side.includes(seat)) ? say("revoke") : "",
    moon !== null && side.includes(moon) ? say("moon") : "",
    slam !== null && side.includes(slam) ? say("slam") : "",
    trickless.some((seat) => side.includes(seat)) ? say("trickless") : "",
    halved.includes(side[0]) ? say("halved") : "",
  ];
  return events.filter(Boolean).join(", ");
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
  return dealt ? `${names[dealt.dealer]}, ${say(`way_${dealt.direction}`)}` : "";
}

/**
 * Paint the row of the totals, and of the stakes if there are any.
 * @param {Score} score
 * @param {boolean} fits
 */
function paintFoot(score, fits) {
  const foot = by("sheet-totals");
  const sums = fits ? score.totals : [];
  const leads = score.scored.length > 0 ? score.first : [];
  const totals = (fits ? score.sides : []).map(([seat]) => ({
    text: written(sums[seat]),
    first: leads.includes(seat),
  }));
  row(foot, totals, () => make("td"), paintTotal);
  foot.nextElementSibling?.remove();
  if (!fits || !score.staked) return;
  const head = make("th", { scope: "row" }, say("stakes"));
  const cells = score.sides.map((side) => make("td", {}, stakesOf(side, score.net)));
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
  const sums = score.totals;
  const first = score.first;
  const rest = score.sides.filter(([seat]) => !first.includes(seat));
  rest.sort(([one], [other]) => sums[one] - sums[other]);
  const over = score.winners.length > 0;
  const ahead = listed(first.map((seat) => names[seat]));
  const said = [
    say(over ? "won_by" : "led_by", { names: ahead, points: written(sums[first[0]]) }),
  ];
  const behind = rest.map((side) => `${namesOf(side, names)} ${written(sums[side[0]])}`);
  if (behind.length > 0) said.push(say("behind", { names: behind.join(", ") }));
  if (score.limit !== null && !over) said.push(say("ends_at", { most: score.limit }));
  const tied = score.sides.filter(([seat]) => score.tied.includes(seat));
  if (tied.length > 0) {
    said.push(say("tied", { names: listed(tied.map((side) => namesOf(side, names))) }));
  }
  return said.join(" ");
}

/**
 * Paint the cells of a row after its first.
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
