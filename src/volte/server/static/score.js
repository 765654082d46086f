/** The score of a match, folded from what is told: sheet, drawing and endings show it. */

import { make } from "./dom.js";
import { lang, say, written } from "./page.js";

/**
 * A deal: who gave it and where cards were passed; its points, once it is over. At a refereed
 * table its points are `reckoned` before, and `offenders` have stopped it.
 * @typedef {{number: number, dealer: number, direction: string, points: number[],
 *   moon: number | null, slam: number | null, reckoned: number[], offenders: number[]}} Deal
 */

/** Seats to the left, by direction; see `Direction.target`. @type {Record<string, number>} */
const STEPS = { left: 1, right: -1, second_left: 2, second_right: -2, hold: 0 };

export class Score {
  /** @type {Record<string, any> | null} */
  rules = null;
  /** @type {Deal[]} */
  deals = [];
  /** Stakes of the last settlement, by seat: won above zero. @type {number[]} */
  stakes = [];
  /** Those of the whole match. @type {number[]} */
  net = [];
  /** @type {number[]} */
  winners = [];

  /** @param {Record<string, any>} happening */
  see(happening) {
    switch (happening.event) {
      case "MatchStarted":
        this.rules = happening.rules;
        this.deals = [];
        this.stakes = [];
        this.net = happening.players.map(() => 0);
        this.winners = [];
        break;
      case "Dealt": {
        const { number, dealer, direction } = happening;
        const unknown = { points: [], moon: null, slam: null, reckoned: [], offenders: [] };
        this.deals = this.deals.filter((deal) => deal.number !== number); // a misdeal
        this.deals.push({ number, dealer, direction, ...unknown });
        this.stakes = [];
        break;
      }
      case "Reckoned": {
        const { points, moon = null, slam = null, offenders = [] } = happening;
        Object.assign(this.deals.at(-1) ?? {}, { reckoned: points, moon, slam, offenders });
        break;
      }
      case "DealScored": {
        const { points, moon = null, slam = null } = happening;
        Object.assign(this.deals.at(-1) ?? {}, { points, moon, slam });
        break;
      }
      case "Settled":
        this.stakes = happening.drawn.map(
          (/** @type {number} */ drawn, /** @type {number} */ seat) => drawn - happening.paid[seat],
        );
        this.net = this.net.map((have, seat) => have + this.stakes[seat]);
        break;
      case "MatchEnded":
        this.winners = happening.winners;
        break;
    }
  }

  /** @returns {number} */
  get players() {
    return this.net.length;
  }

  /** The deals that are over. */
  get scored() {
    return this.deals.filter((deal) => deal.points.length > 0);
  }

  /** Whether the last deal is over, and no other has begun. */
  get between() {
    return this.deals.length > 0 && this.deals.length === this.scored.length;
  }

  /** The totals by seat: before the first deal, and after each. @type {number[][]} */
  get totals() {
    /** @type {number[][]} */
    const sums = [this.net.map(() => 0)];
    for (const { points } of this.scored) {
      sums.push(points.map((count, seat) => count + sums[sums.length - 1][seat]));
    }
    return sums;
  }

  /** Where the match ends; null where it ends after so many deals. @type {number | null} */
  get limit() {
    const end = this.rules?.ending.match_end;
    return end?.kind === "limit" ? end.number : null;
  }

  /** Whether stakes change hands at this table. */
  get staked() {
    return (this.rules?.stakes.settlement ?? "none") !== "none";
  }

  /** The seats with the lowest total, or those who have won. @returns {number[]} */
  get first() {
    if (this.winners.length > 0) return this.winners;
    const sums = this.totals[this.totals.length - 1];
    const least = Math.min(...sums);
    return [...sums.keys()].filter((seat) => sums[seat] === least);
  }
}

/**
 * The seat that gets what a seat passes.
 * @param {number} seat
 * @param {string} direction
 * @param {number} players
 */
export function takerOf(seat, direction, players) {
  const steps = direction === "across" ? Math.floor(players / 2) : STEPS[direction];
  return (seat + steps + players) % players;
}

/**
 * What people are called in a sentence: oneself is "you".
 * @param {import("./page.js").Scene} scene
 */
export function called({ seats, seat }) {
  return seats.map(({ name }, place) =>
    place === seat ? say("you") : name || say("seat_number", { number: place + 1 }),
  );
}

/**
 * The same at the head of a column or of a row: "You".
 * @param {import("./page.js").Scene} scene
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

/** Who leads, marked for eyes and for ears. */
export function star() {
  return [
    make("span", { class: "star", "aria-hidden": "true" }, "★\u00a0"),
    make("span", { class: "hidden" }, `${say("first")} `),
  ];
}

/**
 * With its sign.
 * @param {number} number
 */
export function signed(number) {
  return number > 0 ? `+${number}` : written(number);
}
