/**
 * Open hands: on the felt, at their seats, for eyes; and as lists with names, for ears. People who
 * watch a deal that is over see them, and people at a replay.
 */

import { by, keyed, linkStyle, make, picture, setText } from "./page.js";
import { seatAt } from "./seats.js";

/** @typedef {import("./page.js").Seat} Seat @typedef {import("./page.js").Laid} Laid */

linkStyle("web/static/hands.css");

/** @type {import("./page.js").Part} */
export const hands = {
  paint({ hands: held, seats }) {
    paintLists(by("hands"), held, seats);
    by("hands-section").hidden = held.length === 0;
    by("felt").classList.toggle("open", held.length > 0);
    seats.forEach((_, place) => {
      paintFan(
        place,
        held.filter(({ seat }) => seat === place),
      );
    });
  },
};

/**
 * @param {number} place
 * @param {readonly Laid[]} held
 */
function paintFan(place, held) {
  const seat = seatAt(place);
  if (!seat) return;
  let fan = seat.querySelector(".open-hand");
  if (!fan) {
    fan = make("span", { class: "open-hand", "aria-hidden": "true" });
    seat.append(fan);
  }
  keyed(
    fan,
    held,
    ({ card }) => card,
    ({ card }) => make("span", {}, [picture(card)]),
    () => {},
  );
}

/**
 * Paints the lists of all hands, for people who watch with open hands.
 * @param {HTMLElement} list
 * @param {readonly Laid[]} held
 * @param {readonly Seat[]} seats
 */
function paintLists(list, held, seats) {
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
          make("li", { class: "card" }, [
            picture(each.card),
            make("span", { class: "hidden" }, each.name),
          ]),
        () => {},
      );
    },
  );
}
