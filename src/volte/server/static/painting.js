/** What everybody at the table sees: the trick, the players, the score sheet, the log. */

import { keyed, make, setAttribute, setText } from "./dom.js";
import { suitClass } from "./hand.js";

/**
 * @typedef {{seat: number, card: string, name: string, short: string}} Laid
 * @typedef {{name: string, level: string, state: string, cards: number, points: number,
 *   total: number, passed: boolean, host: boolean}} Seat
 * @typedef {(name: string, places?: Record<string, string | number>) => string} Say
 */

/** Lines of the log that are kept. */
const MOST_LINES = 400;

/**
 * Cards on the table, or of the last trick, in the order in which they were played.
 * @param {HTMLElement} list
 * @param {readonly Laid[]} laid
 * @param {readonly Seat[]} seats
 */
export function paintCards(list, laid, seats) {
  keyed(
    list,
    laid,
    (each) => `${each.seat} ${each.card}`,
    (each) =>
      make("li", {}, [
        make("span", { class: "who" }),
        make("span", { class: `card ${suitClass(each.card)}`, "aria-hidden": "true" }),
        make("span", { class: "hidden" }),
      ]),
    (element, each) => {
      const [who, short, name] = element.children;
      setText(who, `${seats[each.seat]?.name ?? ""} `);
      setText(short, each.short);
      setText(name, each.name);
    },
  );
}

/**
 * The hands of everybody, for those who watch with all of them open.
 * @param {HTMLElement} list
 * @param {readonly Laid[]} held
 * @param {readonly Seat[]} seats
 */
export function paintHands(list, held, seats) {
  keyed(
    list,
    held.length === 0 ? [] : seats,
    (_, place) => String(place),
    () => make("li", {}, [make("span", { class: "who" }), make("ul", { class: "cards" })]),
    (element, seat, place) => {
      const [who, cards] = element.children;
      setText(who, seat.name);
      keyed(
        cards,
        held.filter((each) => each.seat === place),
        (each) => each.card,
        (each) =>
          make("li", { class: `card ${suitClass(each.card)}` }, [
            make("span", { "aria-hidden": "true" }, each.short),
            make("span", { class: "hidden" }, each.name),
          ]),
        () => {},
      );
    },
  );
}

/**
 * @param {HTMLElement} body
 * @param {{seats: readonly Seat[], seat: number | null, turn: number | null,
 *   dealer: number | null}} scene
 * @param {Say} say
 */
export function paintSeats(body, scene, say) {
  keyed(
    body,
    scene.seats,
    (_, place) => String(place),
    () =>
      make("tr", {}, [
        make("th", { scope: "row" }),
        ...Array.from({ length: 4 }, () => make("td")),
      ]),
    (row, seat, place) => {
      const [name, state, ...numbers] = row.children;
      const called = seat.name || say("seat_number", { number: place + 1 });
      setText(name, place === scene.seat ? `${called} (${say("you")})` : called);
      setText(state, stateOf(seat, place, scene, say));
      [seat.cards, seat.points, seat.total].forEach((number, column) =>
        setText(numbers[column], String(number).replace("-", "−")),
      );
      setAttribute(row, "aria-current", place === scene.turn ? "true" : null);
    },
  );
}

/**
 * @param {Seat} seat
 * @param {number} place
 * @param {{turn: number | null, dealer: number | null}} scene
 * @param {Say} say
 */
function stateOf(seat, place, scene, say) {
  const parts = [say(`state_${seat.state}`)];
  if (seat.level) parts.push(say(`level_${seat.level}`));
  if (seat.host) parts.push(say("host"));
  if (place === scene.dealer) parts.push(say("dealer"));
  if (place === scene.turn) parts.push(say("turn"));
  if (seat.passed) parts.push(say("has_passed"));
  return parts.join(", ");
}

/** The score sheet, made from the deals that were told. */
export class Sheet {
  /** @type {number[][]} */
  #deals = [];

  /**
   * @param {HTMLElement} heads
   * @param {HTMLElement} rows
   * @param {HTMLElement} totals
   */
  constructor(heads, rows, totals) {
    this.heads = heads;
    this.rows = rows;
    this.totals = totals;
  }

  /** @param {Record<string, any>} happening */
  see(happening) {
    if (happening.event === "MatchStarted") this.#deals = [];
    if (happening.event === "DealScored") this.#deals.push(happening.points);
  }

  /** @param {readonly Seat[]} seats */
  paint(seats) {
    const names = seats.map((seat) => seat.name || "–");
    cells(this.heads, names, () => make("th", { scope: "col" }));
    cells(this.totals, seats.map((seat) => written(seat.total)), () => make("td"));
    keyed(
      this.rows,
      this.#deals,
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

/** @param {number} number */
function written(number) {
  return String(number).replace("-", "−");
}

/**
 * Adds to the log; whoever has scrolled back stays where they are.
 * @param {HTMLElement} log
 * @param {readonly string[]} lines
 */
export function addToLog(log, lines) {
  const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 8;
  log.append(...lines.map((line) => make("p", {}, line)));
  while (log.children.length > MOST_LINES) log.firstElementChild?.remove();
  if (atEnd) log.scrollTop = log.scrollHeight;
}
