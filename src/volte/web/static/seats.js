/** Seats of the table: a sentence for ears, a plate for eyes, and their places on the felt. */

import {
  back,
  by,
  keyed,
  levelName,
  make,
  say,
  setAttribute,
  setText,
  sign,
  stepsTo,
  written,
} from "./page.js";
import { inMatch, rolesOf, sentenceOf } from "./scenes.js";

/** @typedef {import("./page.js").Scene} Scene */
/** @typedef {import("./page.js").Seat} Seat */

// Places: the table is seen from the own seat, and the left neighbour comes next

/**
 * The direction of a seat from the middle of the table.
 * @param {number} place
 * @param {Scene} scene
 */
export function direction(place, scene) {
  const angle = (0.25 + stepsTo(place, scene) / scene.seats.length) * 2 * Math.PI;
  return { cos: Math.cos(angle).toFixed(4), sin: Math.sin(angle).toFixed(4), angle };
}

/**
 * @param {HTMLElement} element
 * @param {number} place the seat beside which it lies
 * @param {Scene} scene
 */
export function lay(element, place, scene) {
  const { cos, sin } = direction(place, scene);
  element.style.setProperty("--cos", cos);
  element.style.setProperty("--sin", sin);
}

/**
 * @param {number} place
 * @returns {HTMLElement | null}
 */
export const seatAt = (place) => by("seats").querySelector(`:scope > [data-key="${place}"]`);

/**
 * @param {HTMLElement} list
 * @param {Scene} scene
 * @param {(item: HTMLElement, place: number, scene: Scene) => void} adapt
 */
export function paintSeats(list, scene, adapt) {
  const places = scene.seats.map((_, place) => place);
  keyed(
    list,
    places.sort((one, other) => stepsTo(one, scene) - stepsTo(other, scene)),
    String,
    createSeat,
    (item, place) => {
      paintSeat(item, place, scene);
      adapt(item, place, scene);
    },
  );
}

/** Creates a seat: a sentence for ears, and a plate for eyes. */
function createSeat() {
  /** @type {(name: string, called: string) => HTMLElement} */
  const figure = (name, called) =>
    make("span", { class: name }, [make("b"), make("i", {}, called)]);
  return make("li", { class: "seat" }, [
    make("span", { class: "hidden" }),
    make("span", { class: "backs", "aria-hidden": "true" }),
    make("span", { class: "count", "aria-hidden": "true" }),
    make("span", { class: "plate", "aria-hidden": "true" }, [
      make("span", { class: "portrait" }),
      make("span", { class: "states" }),
      make("span", { class: "name" }),
      make("span", { class: "signs" }),
      make("span", { class: "figures" }, [
        figure("total", say("figure_total")),
        figure("taken", say("figure_taken")),
      ]),
      make("span", { class: "kind" }),
    ]),
  ]);
}

/**
 * @param {HTMLElement} item
 * @param {number} place
 * @param {Scene} scene
 */
function paintSeat(item, place, scene) {
  const seat = scene.seats[place];
  const [sentence, backs, count, plate] = item.children;
  const [face, states, name, signs, figures, kind] = plate.children;
  const called = seat.name || say("seat_number", { number: place + 1 });
  lay(item, place, scene);
  setText(sentence, sentenceOf(place, scene));
  setAttribute(item, "aria-current", place === scene.turn ? "true" : null);
  item.classList.toggle("own", place === scene.seat);
  item.classList.toggle("away", seat.state === "gone" || seat.state === "free");
  setAttribute(plate, "title", called);
  paintFace(face, seat, called);
  paintSigns(states, STATES.includes(seat.state) ? [seat.state] : [], seat.level);
  setText(name, called);
  paintSigns(signs, signsOf(place, scene));
  const unusual = seat.state === "gone" || seat.state === "stand_in";
  setText(kind, unusual ? say(`state_${seat.state}`) : "");
  const [total, taken] = /** @type {HTMLElement[]} */ ([...figures.children]);
  setText(total.children[0], written(seat.total));
  setText(taken.children[0], (seat.points < 0 ? "" : "+") + written(seat.points));
  taken.hidden = scene.phase === "between" || scene.phase === "ended";
  /** @type {HTMLElement} */ (figures).hidden = !inMatch(scene) || seat.state === "free";
  const held = place === scene.seat ? 0 : seat.cards;
  setText(count, held === 0 ? "" : String(held));
  item.style.setProperty("--held", String(held));
  keyed(
    backs,
    Array.from({ length: held }, (_, at) => String(at)),
    String,
    () => make("span", {}, [back()]),
    () => {},
  );
}

/** States that are shown beside a face. */
const STATES = ["gone", "stand_in", "free"];

/**
 * Paints a picture in a colour, or the first letter of the name.
 * @param {Element} holder
 * @param {Seat} seat
 * @param {string} called
 */
export function paintFace(holder, { state, face = "initials", hue = 0 }, called) {
  const drawn = state === "free" ? "" : face === "initials" ? [...called][0] : `face-${face}`;
  const now = `${drawn} ${hue}`;
  if (/** @type {HTMLElement} */ (holder).dataset.face === now) return;
  /** @type {HTMLElement} */ (holder).dataset.face = now;
  /** @type {HTMLElement} */ (holder).style.setProperty("--hue", `var(--hue-${hue})`);
  holder.replaceChildren(face === "initials" ? new Text(drawn) : sign(drawn));
}

/**
 * Signs of a player's roles: leader of the trick or the match, dealer, has passed.
 * @param {number} place
 * @param {Scene} scene
 */
function signsOf(place, scene) {
  const roles = rolesOf(place, scene).filter((name) => name !== "host");
  return scene.leads?.includes(place) ? [...roles, "crown"] : roles;
}

/**
 * @param {Element} holder
 * @param {readonly string[]} names
 * @param {string} [level] of the bot, shown with its sign
 */
function paintSigns(holder, names, level = "") {
  keyed(
    holder,
    names,
    String,
    (name) => make("span", { class: name }, [sign(name)]),
    (element, name) => {
      const meaning = say(holder.className === "states" ? `state_${name}` : name);
      setAttribute(element, "title", level ? `${meaning}, ${levelName(level)}` : meaning);
    },
  );
}
