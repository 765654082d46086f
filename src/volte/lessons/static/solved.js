/** Which puzzles somebody has solved: kept by this browser, and told to nobody. */

import { lasting } from "./storage.js";

const SHELF = "volte.puzzles";
/** Milliseconds. */
const DAY = 86_400_000;

/**
 * What is kept: numbers of puzzles, and the days on which the one of that day was solved.
 * @typedef {{solved: number[], days: string[]}} Kept
 */

/** @returns {Kept} nothing, where the browser keeps nothing, or something else */
function kept() {
  const { solved, days } = lasting.value(SHELF, { solved: [], days: [] });
  return { solved: [...(solved ?? [])], days: [...(days ?? [])] };
}

/** The numbers of those that are solved. */
export function solved() {
  return new Set(kept().solved);
}

/**
 * Keeps that one is solved.
 * @param {number} number
 * @param {string} day of which it is the puzzle; empty for none
 */
export function keep(number, day) {
  const { solved, days } = kept();
  const now = { solved: [...new Set([...solved, number])], days: [...new Set([...days, day])] };
  lasting.set(SHELF, JSON.stringify({ ...now, days: now.days.filter(Boolean) }));
}

/**
 * For how many days in a row the puzzle of the day was solved, up to today, or to yesterday.
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
