/** Scenes in words: what a player is, a seat in a sentence, answers without the server. */

import { joined } from "./announcer.js";
import { isolated, lang, levelName, say, written } from "./page.js";

/** @typedef {import("./page.js").Scene} Scene */

const plural = new Intl.PluralRules(lang || "en");

/** @param {Scene} scene */
export const leaderOf = ({ phase, leader, reckoning }) =>
  phase === "playing" && !reckoning ? leader : null;

/** @param {Scene} scene */
export const inMatch = ({ phase }) => phase !== "waiting" && phase !== "closed";

/**
 * Roles of a player, by the names of their signs.
 * @param {number} place
 * @param {Scene} scene
 */
export function rolesOf(place, scene) {
  const roles = [];
  if (place === leaderOf(scene)) roles.push("leads");
  if (place === scene.dealer && inMatch(scene)) roles.push("dealer");
  if (scene.seats[place].passed) roles.push("has_passed");
  if (scene.seats[place].host) roles.push("host");
  return roles;
}

/**
 * One short sentence, such as “Alice, bot, casual: 9 cards, 3 points, total 12; to play”.
 * @param {number} place
 * @param {Scene} scene
 */
export function sentenceOf(place, scene) {
  const seat = scene.seats[place];
  const called = calledAt(place, scene.seats);
  const who = [place === scene.seat ? `${called} (${say("you")})` : called];
  if (seat.state !== "here") who.push(say(`state_${seat.state}`));
  if (seat.level) who.push(levelName(seat.level));
  const figures = [
    counted("cards", seat.cards),
    counted("points", seat.points),
    say("total_now", { number: written(seat.total) }),
  ];
  const roles = rolesOf(place, scene).map((name) => say(name));
  if (place === scene.turn) roles.unshift(say("turn"));
  const together = partnersOf(place, scene);
  if (together !== "") roles.push(together);
  let sentence = who.join(", ");
  if (inMatch(scene) && seat.state !== "free") {
    sentence = say("seat_figures", { name: sentence, names: figures.join(", ") });
  }
  if (roles.length > 0) sentence = say("seat_roles", { name: sentence, names: roles.join(", ") });
  return sentence;
}

/**
 * @param {number} place
 * @param {readonly import("./page.js").Seat[]} seats
 */
function calledAt(place, seats) {
  return isolated(seats[place].name) || say("seat_number", { number: place + 1 });
}

/**
 * The page's own answer from the last scene, while the server cannot answer.
 * @param {string} what a question
 * @param {number} number of a card of the trick, 0 for none; or of a seat
 * @param {Scene} scene
 * @returns {string} empty if the page does not know
 */
export function remembered(what, number, scene) {
  /** @type {(laid: readonly {seat: number, name: string}[]) => string} */
  const listed = (laid) =>
    laid.map(({ seat, name }) => `${isolated(scene.seats[seat].name)}: ${name}`).join("; ");
  switch (what) {
    case "turn":
      return scene.status;
    case "situation":
      return joined(["turn", "table", "hand"].map((each) => remembered(each, 0, scene)));
    case "seat":
      return number < scene.seats.length ? sentenceOf(number, scene) : "";
    case "hand":
      return scene.hand.map(({ name }) => name).join(", ") || say("no_cards");
    case "table":
      return (
        listed(number > 0 ? scene.trick.slice(number - 1, number) : scene.trick) ||
        say("nothing_on_table")
      );
    case "last":
      return listed(scene.last);
    case "points":
    case "scores":
    case "who":
      return joined(scene.seats.map((_, place) => sentenceOf(place, scene)));
    default:
      return "";
  }
}

/**
 * Names of a player's partners, without the person; empty if everybody plays alone.
 * @param {number} place
 * @param {Scene} scene
 */
function partnersOf(place, { wider, seat: own, seats }) {
  const side = wider?.sides.find((each) => each.includes(place)) ?? [];
  const others = side.filter((each) => each !== place);
  if (others.length === 0) return "";
  if (own !== null && others.includes(own)) return say("partner_yours");
  const names = others.map((each) => calledAt(each, seats));
  return say("partner_of", { names: names.join(", ") });
}

/**
 * @param {"cards" | "points"} what
 * @param {number} number
 */
export function counted(what, number) {
  const one = plural.select(Math.abs(number)) === "one";
  const name = { cards: ["cards_one", "cards_many"], points: ["points_one", "points_many"] }[what];
  return say(name[one ? 0 : 1], { number: written(number) });
}
