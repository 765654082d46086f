/** The score sheet, made from the deals that were told. */

import { by, keyed, make, setText } from "./dom.js";
import { written } from "./page.js";

export class Sheet {
  /** Points by deal and seat. @type {number[][]} */
  deals = [];

  /** @param {import("./page.js").News} news */
  see({ happening }) {
    if (happening.event === "MatchStarted") this.deals = [];
    if (happening.event === "DealScored") this.deals.push(happening.points);
  }

  /** @param {import("./page.js").Scene} scene */
  paint({ seats }) {
    const names = seats.map((seat) => seat.name || "–");
    cells(by("sheet-heads"), names, () => make("th", { scope: "col" }));
    cells(by("sheet-totals"), seats.map((seat) => written(seat.total)), () => make("td"));
    keyed(
      by("sheet-rows"),
      this.deals,
      (_, place) => String(place),
      () => make("tr", {}, [make("th", { scope: "row" })]),
      (row, points, place) => {
        setText(row.children[0], String(place + 1));
        cells(row, points.map(written), () => make("td"));
      },
    );
  }
}

/**
 * The cells of a row after its first.
 * @param {HTMLElement} row
 * @param {readonly string[]} texts
 * @param {() => HTMLElement} create
 */
function cells(row, texts, create) {
  while (row.children.length > texts.length + 1) row.lastElementChild?.remove();
  while (row.children.length < texts.length + 1) row.append(create());
  texts.forEach((text, place) => setText(row.children[place + 1], text));
}
