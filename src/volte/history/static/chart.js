/** The chart of the totals, deal by deal. It is for the eyes; the sheet beside it says the same. */

import { written } from "../../web/static/page.js";
import { MARKS } from "../../web/static/sides.js";

/** @typedef {import("./score.js").Score} Score */

const WIDTH = 300;
const HEIGHT = 190;
const LEFT = 30;
const RIGHT = 100;
/** Width at the right for names, in a match of sides, whose lines have several names. */
const RIGHT_OF_SIDES = 140;
const TOP = 12;
const BOTTOM = 22;
/** Least distance between two names at the ends of the lines. */
const GAP = 14;
const LONGEST_NAME = 9;
/** Most characters of a partner's name. */
const LONGEST_OF_SIDE = 4;
const MOST_MARKS = 15;
/** Possible distances between the deals that have a number below them. */
const APART = [1, 2, 5, 10, 20, 50];
const MOST_NUMBERS = 6;

/** Dashes by seat or side: with the marks they tell the lines apart without colours. */
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "4 2", "12 4", "6 2 2 2 2 2", "1 4", "14 3 1 3", "5 5"];

/**
 * Draw the chart into a box.
 * @param {Element} box
 * @param {Score | null} score null where there is nothing to draw
 * @param {string[]} names
 * @param {number | null} own the seat whose line stands out
 */
export function drawChart(box, score, names, own) {
  if (score === null || score.scored.length === 0) {
    box.replaceChildren();
    return;
  }
  const { sides } = score;
  const totals = score.totals.map((sums) => sides.map(([seat]) => sums[seat]));
  const called = sides.map((seats) =>
    seats.length === 1
      ? shortened(names[seats[0]], LONGEST_NAME)
      : seats.map((seat) => shortened(names[seat], LONGEST_OF_SIDE)).join("+"),
  );
  const right = sides.length < names.length ? RIGHT_OF_SIDES : RIGHT;
  const mine = sides.findIndex((seats) => own !== null && seats.includes(own));
  box.replaceChildren(drawing(new ChartLayout(totals, score.limit, right), called, mine));
}

/** The positions of deals and totals in the chart. */
class ChartLayout {
  /**
   * @param {number[][]} totals
   * @param {number | null} limit
   * @param {number} right width at the right for the names
   */
  constructor(totals, limit, right) {
    this.end = WIDTH - right;
    this.totals = totals;
    this.limit = limit;
    this.deals = totals.length - 1;
    const all = totals.flat();
    this.low = Math.min(0, ...all);
    this.high = Math.max(limit ?? 0, ...all, this.low + 10);
  }

  /** @param {number} deal */
  x(deal) {
    return LEFT + ((this.end - LEFT) * deal) / this.deals;
  }

  /** @param {number} total */
  y(total) {
    const share = (this.high - total) / (this.high - this.low);
    return TOP + (HEIGHT - TOP - BOTTOM) * share;
  }
}

/**
 * @param {ChartLayout} layout
 * @param {string[]} names of the lines
 * @param {number} own the line that stands out; -1 for none
 */
function drawing(layout, names, own) {
  const seats = [...names.keys()].sort((one) => (one === own ? 1 : -1)); // the own line on top
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" }, [
    ...scale(layout),
    ...seats.map((seat) => line(layout, seat, seat === own)),
    ...labels(layout, names, own),
  ]);
}

/**
 * Draw the levels (zero, the limit, the lowest), and the numbers of the deals.
 * @param {ChartLayout} layout
 */
function scale(layout) {
  const { end } = layout;
  const heights = new Set([layout.low, 0, layout.limit ?? layout.high]);
  const level = [...heights].map((total) => {
    const y = layout.y(total);
    const kind = total === layout.limit ? "limit" : "level";
    return draw("g", { class: kind }, [
      draw("path", { d: `M${LEFT} ${y}H${end}` }),
      draw("text", { x: LEFT - 5, y: y + 4, "text-anchor": "end" }, written(total)),
    ]);
  });
  const step = APART.find((each) => layout.deals / each <= MOST_NUMBERS) ?? 100;
  const numbers = Array.from({ length: Math.floor(layout.deals / step) }, (_, place) => {
    const deal = (place + 1) * step;
    const at = { x: layout.x(deal), y: HEIGHT - 5, "text-anchor": "middle" };
    return draw("text", at, String(deal));
  });
  return [...level, draw("g", { class: "deals" }, numbers)];
}

/**
 * @param {ChartLayout} layout
 * @param {number} seat
 * @param {boolean} own
 */
function line(layout, seat, own) {
  const points = layout.totals.map((sums, deal) => [layout.x(deal), layout.y(sums[seat])]);
  const path = `M${points.map((point) => point.map(rounded).join(" ")).join("L")}`;
  const marked = points.length <= MOST_MARKS ? points.slice(1) : points.slice(-1);
  return draw("g", { class: `line seat-${seat}${own ? " own" : ""}` }, [
    draw("path", { d: path, "stroke-dasharray": DASHES[seat] }),
    ...marked.map((point) => mark(seat, point)),
  ]);
}

/**
 * @param {number} seat
 * @param {number[]} point
 */
function mark(seat, [x, y]) {
  const transform = `translate(${rounded(x)} ${rounded(y)})`;
  return draw("path", { class: "mark", d: MARKS[seat], transform });
}

/**
 * Draw names and totals at the ends of the lines, as near to them as there is room.
 * @param {ChartLayout} layout
 * @param {string[]} names
 * @param {number} own
 */
function labels(layout, names, own) {
  const last = layout.totals[layout.deals];
  const ends = last.map((total, seat) => ({ seat, total, end: layout.y(total), y: 0 }));
  ends.sort((one, other) => one.end - other.end);
  let least = TOP;
  for (const each of ends) {
    each.y = Math.max(each.end, least);
    least = each.y + GAP;
  }
  let most = HEIGHT - BOTTOM;
  for (const each of [...ends].reverse()) {
    each.y = Math.min(each.y, most);
    most = each.y - GAP;
  }
  const x = layout.end;
  return ends.map(({ seat, total, end, y }) =>
    draw("g", { class: `label seat-${seat}${seat === own ? " own" : ""}` }, [
      draw("path", { d: `M${x + 6} ${rounded(end)}L${x + 13} ${rounded(y)}` }),
      mark(seat, [x + 19, y]),
      draw("text", { x: x + 27, y: y + 4 }, `${names[seat]} ${written(total)}`),
    ]),
  );
}

/** The character that ends a name from `isolated`. */
const END = "\u2069";

/**
 * @param {string} name
 * @param {number} most
 */
function shortened(name, most) {
  const signs = [...name];
  return signs.length <= most ? name : `${signs.slice(0, most - 1).join("")}…${name.endsWith(END) ? END : ""}`;
}

/** @param {number} number */
function rounded(number) {
  return Math.round(number * 10) / 10;
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {string | Node[]} [content]
 * @returns {SVGElement}
 */
function draw(tag, attributes, content = []) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== "") made.setAttribute(name, String(value));
  }
  made.append(...(typeof content === "string" ? [content] : content));
  return /** @type {SVGElement} */ (made);
}
