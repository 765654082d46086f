/** The table as it is seen: who sits there, the trick, the last one, open hands. */

import { by, keyed, make, setAttribute, setText } from "./dom.js";
import { suitClass } from "./hand.js";
import { say } from "./page.js";

/** @typedef {import("./page.js").Scene} Scene @typedef {import("./page.js").Seat} Seat */
/** @typedef {import("./page.js").Laid} Laid */

export class Felt {
  /** @param {Scene} scene */
  paint(scene) {
    setText(by("status"), scene.status);
    paintSeats(by("seats"), scene);
    paintCards(by("trick"), scene.trick, scene.seats);
    paintCards(by("last"), scene.last, scene.seats);
    setText(by("trick-empty"), scene.trick.length === 0 ? say("nothing_on_table") : "");
    paintHands(by("hands"), scene.hands, scene.seats);
    by("hands-section").hidden = scene.hands.length === 0;
    const names = scene.watching.join(", ");
    setText(by("watching"), names === "" ? "" : say("watching", { names }));
  }
}

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
function paintHands(list, held, seats) {
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
 * @param {HTMLElement} list
 * @param {Scene} scene
 */
function paintSeats(list, scene) {
  keyed(
    list,
    scene.seats,
    (_, place) => String(place),
    () => make("li", {}, [make("span", { class: "name" }), make("span", { class: "state" })]),
    (item, seat, place) => {
      const called = seat.name || say("seat_number", { number: place + 1 });
      setText(item.children[0], place === scene.seat ? `${called} (${say("you")})` : called);
      setText(item.children[1], stateOf(seat, place, scene));
      setAttribute(item, "aria-current", place === scene.turn ? "true" : null);
    },
  );
}

/**
 * @param {Seat} seat
 * @param {number} place
 * @param {Scene} scene
 */
function stateOf(seat, place, scene) {
  const parts = [say(`state_${seat.state}`)];
  if (seat.level) parts.push(say(`level_${seat.level}`));
  if (seat.host) parts.push(say("host"));
  if (place === scene.dealer) parts.push(say("dealer"));
  if (place === scene.turn) parts.push(say("turn"));
  if (seat.passed) parts.push(say("has_passed"));
  return parts.join(", ");
}
