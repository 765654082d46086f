/** The score sheet of a match, from the server: data for the sheet and the endings. */

import { isolated, lang, make, say, written } from "../../web/static/page.js";

/** @typedef {import("../../web/static/page.js").Row} Row */
/** @typedef {import("../../web/static/page.js").Sheet} Sheet */

/** Seats to the left, by direction; see `Direction.target`. @type {Record<string, number>} */
const STEPS = { left: 1, right: -1, second_left: 2, second_right: -2, hold: 0 };

/** @type {Sheet} */
const EMPTY = { rows: [], totals: [], winners: [], net: [], sides: [] };

export class Score {
  /** @type {Record<string, any> | null} */
  rules = null;
  /** Number of a deal → its dealer and the direction of its pass. */
  /** @type {Map<number, {dealer: number, direction: string}>} */
  dealt = new Map();
  /** Stakes of the last settlement, by seat: won above zero. @type {number[]} */
  stakes = [];
  #sheet = EMPTY;

  /** @param {Record<string, any>} happening */
  see(happening) {
    switch (happening.event) {
      case "MatchStarted":
        this.rules = happening.rules;
        this.dealt.clear();
        this.stakes = [];
        this.#sheet = EMPTY;
        break;
      case "Dealt":
        this.dealt.set(happening.number, /** @type {any} */ (happening));
        this.stakes = [];
        break;
      case "Settled":
        this.stakes = happening.drawn.map(
          (/** @type {number} */ drawn, /** @type {number} */ seat) => drawn - happening.paid[seat],
        );
        break;
    }
  }

  /** @param {Sheet | null | undefined} sheet as it came with a scene */
  read(sheet) {
    this.#sheet = sheet ?? EMPTY;
  }

  /** @returns {number} */
  get players() {
    return this.#sheet.totals.length;
  }

  /** The deals whose score is final. */
  get scored() {
    return this.#sheet.rows.filter((row) => !row.provisional);
  }

  /** The last deal, even if a revoke in it can still be claimed. */
  get last() {
    return this.#sheet.rows[this.#sheet.rows.length - 1];
  }

  /** Whether the last deal is over, and no other has begun. */
  get between() {
    return this.dealt.size > 0 && this.dealt.size === this.scored.length;
  }

  /** The seats of each side (W10); each seat by itself where nobody has partners. */
  get sides() {
    return this.#sheet.sides;
  }

  /** The totals by seat after the deals whose score is final. @type {number[]} */
  get totals() {
    return this.scored.at(-1)?.totals ?? this.#sheet.totals.map(() => 0);
  }

  /** Stakes won so far, by seat. */
  get net() {
    return this.#sheet.net ?? [];
  }

  get winners() {
    return this.#sheet.winners;
  }

  /** The limit of points that ends the match; null without one. @type {number | null} */
  get limit() {
    const end = this.rules?.ending.match_end;
    return end?.kind === "limit" ? end.number : null;
  }

  /** Whether stakes change hands at this table. */
  get staked() {
    return (this.rules?.stakes.settlement ?? "none") !== "none";
  }

  /** The seats whose tie for the lowest total keeps the match going (W9). */
  get tied() {
    return this.#sheet.tied ?? [];
  }

  /** The winners' seats, or before the end the seats with the lowest total. @returns {number[]} */
  get first() {
    return this.winners.length > 0 ? this.winners : (this.scored.at(-1)?.leaders ?? []);
  }
}

/**
 * The seat that gets what a seat passes; not for a scatter, in which all the others get a card.
 * @param {number} seat
 * @param {string} direction
 * @param {number} players
 */
export function takerOf(seat, direction, players) {
  const steps = direction === "across" ? Math.floor(players / 2) : STEPS[direction];
  return (seat + steps + players) % players;
}

/**
 * The names of the players within a sentence; the person at the page is "you".
 * @param {import("../../web/static/page.js").Scene} scene
 */
export function called({ seats, seat }) {
  return seats.map(({ name }, place) =>
    place === seat ? say("you") : isolated(name) || say("seat_number", { number: place + 1 }),
  );
}

/**
 * The names of the players as headings; the person at the page is "You".
 * @param {import("../../web/static/page.js").Scene} scene
 */
export function headed(scene) {
  const names = called(scene);
  return names.map((name, seat) =>
    seat === scene.seat ? name.charAt(0).toUpperCase() + name.slice(1) : name,
  );
}

/** "a, b and c". @param {string[]} texts */
export function listed(texts) {
  return new Intl.ListFormat(lang || "en", { type: "conjunction" }).format(texts);
}

/** The mark of a leader: a star for the eyes, a word for the ears. */
export function star() {
  return [
    make("span", { class: "star", "aria-hidden": "true" }, "★\u00a0"),
    make("span", { class: "hidden" }, `${say("first")} `),
  ];
}

/**
 * The stakes that the seats of a side have won or lost, written once if they are all the same.
 * @param {number[]} side
 * @param {number[]} stakes by seat
 */
export function stakesOf(side, stakes) {
  return [...new Set(side.map((seat) => signed(stakes[seat])))].join(" / ");
}

/**
 * A number with its sign.
 * @param {number} number
 */
export function signed(number) {
  return number > 0 ? `+${number}` : written(number);
}
