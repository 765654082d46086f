/** What all parts of the page of a table share: its sentences, and how the person likes things. */

import { by } from "./dom.js";

/**
 * What the server sends to be shown; see `Scene` in docs/wire.md.
 * @typedef {{number: number, phase: string, status: string, seat: number | null,
 *   seats: Seat[], hand: Card[], trick: Laid[], last: Laid[], turn: number | null,
 *   leader: number | null, dealer: number | null, deal: number, pass_to: number | null,
 *   pass_count: number, broken: boolean | null, next: string, may: string[], clock: number | null,
 *   open: number[], answer_within: number, asked: string, watching: string, hands: Laid[],
 *   refereed?: boolean, full?: boolean, reckoning?: Reckoning | null, sheet?: Sheet | null,
 *   wider?: Wider | null, settled?: boolean, leads?: number[]}} Scene
 * @typedef {{name: string, level: string, state: string, cards: number, points: number,
 *   total: number, passed: boolean, host: boolean, asker?: string,
 *   asker_name?: string, face?: string, hue?: number}} Seat
 * @typedef {{card: string, name: string, short: string, legal: boolean, why: string,
 *   passed: boolean, giver?: number | null}} Card
 * @typedef {{seat: number, card: string, name: string, short: string, early?: boolean,
 *   cancelled?: boolean}} Laid
 * @typedef {{scatter: number[], held: Laid[], held_points: number,
 *   last_held: boolean, sides: number[][], moon: string[], shooter: number | null}} Wider
 * @typedef {{rows: Row[], totals: number[], winners: number[], net: number[] | null,
 *   tied?: number[]}} Sheet
 * @typedef {{number: number, points: number[], totals: number[], leaders: number[],
 *   moon: number | null, slam: number | null, revoked: number[], provisional: boolean,
 *   trickless: number[], halved: number[]}} Row
 * @typedef {{last: boolean, cutter: number, accepted: number[]}} Reckoning
 *
 * One happening: its lines in the person's verbosity, and whether it is news (not caught up with).
 * @typedef {{number: number, happening: Record<string, any>, lines: string[],
 *   fresh: boolean}} News
 *
 * A part of the page. Whatever comes is given to all parts in turn: data goes one way.
 * @typedef {{see?: (news: News) => void, paint?: (scene: Scene) => void,
 *   suit?: () => void}} Part
 * `suit` is called at the start and whenever the settings have changed.
 *
 * @typedef {(name: string, places?: Record<string, string | number>) => string} Say
 */

const root = by("table");
/** @type {Record<string, string>} */
const words = JSON.parse(root.dataset.words ?? "{}");

/** As they are kept by the server. @type {Record<string, any>} */
export const settings = JSON.parse(root.dataset.settings ?? "{}");
export const table = root.dataset.table ?? "";
export const lang = root.dataset.lang ?? "";

/**
 * A sentence of the page, its places filled in.
 * @type {Say}
 */
export function say(name, places = {}) {
  return (words[name] ?? "").replace(/\{(\w+)\}/g, (_, place) => String(places[place] ?? ""));
}

/**
 * With a real minus.
 * @param {number} number
 */
export function written(number) {
  return String(number).replace("-", "−");
}

/**
 * The settings that change how pages look stand at the root, as the server writes them there.
 */
export function suitLooks() {
  for (const name of ["theme", "contrast", "motion", "colours", "large", "back"]) {
    document.documentElement.dataset[name] = String(settings[name]);
  }
}
