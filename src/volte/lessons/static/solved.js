/** The puzzles that a person has solved: stored in this browser, and sent to nobody. */

import { lasting } from "../../web/static/storage.js";

const SHELF = "volte.puzzles";
/** Length of a day, in milliseconds. */
const DAY = 86_400_000;

/**
 * The stored record: numbers of puzzles, and the days whose puzzle of the day was solved.
 * @typedef {{solved: number[], days: string[]}} Kept
 */

/** @returns {Kept} empty, if the browser stores nothing, or something else */
function kept() {
  const { solved, days } = lasting.value(SHELF, { solved: [], days: [] });
  return { solved: Array.isArray(solved) ? solved : [], days: Array.isArray(days) ? days : [] };
}

/** The numbers of the solved puzzles. */
export function solved() {
  return new Set(kept().solved);
}

/**
 * Store that a puzzle is solved.
 * @param {number} number
 * @param {string} day the day, for a puzzle of the day; else empty
 */
export function keep(number, day) {
  const { solved, days } = kept();
  const now = { solved: [...new Set([...solved, number])], days: [...new Set([...days, day])] };
  lasting.set(SHELF, JSON.stringify({ ...now, days: now.days.filter(Boolean) }));
}

/**
 * The number of days in a row whose puzzle was solved, up to today, or to yesterday.
 * @param {string} today as in an address: `2026-11-22`
 */
export function daysInARow(today) {
  const days = new Set(kept().days);
  let day = Date.parse(today);
  if (!days.has(written(day))) day -= DAY;
  let count = 0;
  for (; days.has(written(day)); day -= DAY) count += 1;
  return count;
}

/** @param {number} day */
function written(day) {
  return new Date(day).toISOString().slice(0, 10);
}
