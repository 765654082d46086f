/**
 * Short sights over the felt, fetched when the first one comes: points that rise, sayings, names of
 * received cards, a moon, and the end of a match. For eyes only: ears are told in sentences. They
 * move nothing else, and take no clicks.
 */

import { by, make, moves, say } from "./page.js";
import { paintFace, seatAt } from "./seats.js";

/** @typedef {import("./page.js").Seat} Seat @typedef {import("./page.js").Card} Card */

/** Milliseconds for which points are shown, and the least and the most for a saying. */
const RISING = 1400;
const SPOKEN = { least: 4000, most: 10000, letter: 60 };
/** Milliseconds of a moon, and of the end of a match. */
const LONG = 1500;
/** Pixels between a bubble and its seat, or the edge of the felt. */
const GAP = 6;

/**
 * Makes points that somebody has just taken rise from their seat.
 * @param {HTMLElement | null} seat
 * @param {string} text
 */
export function rise(seat, text) {
  const shown = make("span", { class: "gain", "aria-hidden": "true" }, text);
  if (!beside(seat, shown)) return;
  if (moves()) {
    const low = { opacity: 0, transform: "translateY(0.6em) scale(0.7)" };
    const there = { opacity: 1, transform: "none" };
    const high = { opacity: 0, transform: "translateY(-0.8em)" };
    shown.animate([low, { ...there, offset: 0.2 }, { ...there, offset: 0.7 }, high], RISING);
  }
  window.setTimeout(() => shown.remove(), RISING);
}

/**
 * Shows a saying beside its speaker's seat, in place of their last one.
 * @param {HTMLElement | null} seat
 * @param {string} line
 */
export function bubble(seat, line) {
  const whose = seat?.dataset.key ?? "";
  document.querySelector(`.bubble[data-seat="${whose}"]`)?.remove();
  const shown = make("span", { class: "bubble", "aria-hidden": "true", dir: "auto" }, line);
  shown.dataset.seat = whose;
  if (!beside(seat, shown)) return;
  if (moves()) shown.animate([{ opacity: 0, transform: "scale(0.8)" }, {}], 200);
  const long = Math.min(SPOKEN.most, SPOKEN.least + line.length * SPOKEN.letter);
  window.setTimeout(() => shown.remove(), long);
}

/**
 * Puts something on the felt beside a seat, towards the middle, and wholly inside.
 * @param {HTMLElement | null} seat
 * @param {HTMLElement} shown
 * @returns {boolean} whether there is such a seat
 */
function beside(seat, shown) {
  const felt = by("felt");
  const plate = seat?.querySelector(".plate")?.getBoundingClientRect();
  if (!plate) return false;
  felt.append(shown);
  const room = felt.getBoundingClientRect();
  const [left, top] = [room.left + felt.clientLeft, room.top + felt.clientTop];
  const { offsetWidth: wide, offsetHeight: high } = shown;
  const above = plate.top + plate.height / 2 > room.top + room.height / 2;
  const x = plate.left + (plate.width - wide) / 2 - left;
  let y = (above ? plate.top - high - GAP : plate.bottom + GAP) - top;
  const at = within(x, felt.clientWidth - wide);
  // A longer text grows towards the middle.
  if (at + wide / 2 < felt.clientWidth / 2) shown.style.left = `${at}px`;
  else shown.style.right = `${felt.clientWidth - at - wide}px`;
  // It must not cover the sayings of others.
  for (const each of felt.querySelectorAll(".bubble")) {
    const { offsetLeft, offsetWidth, offsetTop, offsetHeight } = /** @type {HTMLElement} */ (each);
    const apart = offsetLeft + offsetWidth <= at || at + wide <= offsetLeft;
    if (each === shown || apart || offsetTop + offsetHeight <= y || y + high <= offsetTop) continue;
    y = above ? offsetTop - high - GAP : offsetTop + offsetHeight + GAP;
  }
  shown.style.top = `${within(y, felt.clientHeight - high)}px`;
  return true;
}

/**
 * @param {number} at
 * @param {number} most
 */
const within = (at, most) => Math.max(GAP, Math.min(at, most - GAP));

/**
 * Names cards beside the seats that have passed them.
 * @param {readonly Card[]} cards
 */
export function receive(cards) {
  for (const giver of new Set(cards.map((each) => each.giver))) {
    const theirs = cards.filter((each) => each.giver === giver).map(({ short }) => short);
    bubble(seatAt(giver ?? -1), say("for_you", { names: theirs.join(", ") }));
  }
}

/** Makes a moon rise over the felt, as somebody has shot it. */
export function moon() {
  const disc = make("span", { class: "disc" });
  const sky = over("sky", [disc, make("span", { class: "stars" })]);
  sky.animate([{ opacity: 0 }, { opacity: 1, offset: 0.25 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }], LONG);
  const risen = { transform: "translateY(0)", offset: 0.7 };
  disc.animate([{ transform: "translateY(90%)" }, risen, { transform: "translateY(-6%)" }], {
    duration: LONG,
    easing: "ease-out",
  });
}

/**
 * Shows the faces of the winners of the match in a ring of light.
 * @param {readonly Seat[]} winners
 */
export function triumph(winners) {
  const shown = winners.slice(0, 3).map((seat) => {
    const face = make("span", { class: "portrait" });
    paintFace(face, seat, seat.name);
    return face;
  });
  const glow = over("glory", [make("span", { class: "winners" }, shown)]);
  glow.animate([{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 1, offset: 0.75 }, { opacity: 0 }], LONG);
  glow.firstElementChild?.animate([{ transform: "scale(0.6)" }, { transform: "none", offset: 0.3 }, {}], {
    duration: LONG,
    easing: "ease-out",
  });
}

/**
 * Shows elements over the whole felt, for a while.
 * @param {string} name
 * @param {HTMLElement[]} content
 */
function over(name, content) {
  const shown = make("div", { class: `spell ${name}`, "aria-hidden": "true" }, content);
  by("felt").append(shown);
  window.setTimeout(() => shown.remove(), LONG);
  return shown;
}
