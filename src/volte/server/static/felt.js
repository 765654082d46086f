/** The table as it is seen: who sits there, the trick, the last one, open hands. */

import { back, picture } from "./cards.js";
import { by, keyed, make, setAttribute, setText } from "./dom.js";
import { lang, say, settings, written } from "./page.js";

/** @typedef {import("./page.js").Scene} Scene @typedef {import("./page.js").Seat} Seat */
/** @typedef {import("./page.js").Laid} Laid */

const SVG = "http://www.w3.org/2000/svg";
const SIGNS = new URL("cards.svg", import.meta.url).pathname;
/** Milliseconds for which a trick goes to its taker. */
const SWEPT = 400;
/** In the place of a taker: a trick goes to nobody, and waits in the middle of the table. */
const NOBODY = -1;
const plural = new Intl.PluralRules(lang || "en");

export class Felt {
  /** What a table of the wider family makes of a seat; see wider.js. */
  /** @type {(item: HTMLElement, place: number, scene: Scene) => void} */
  adapt = () => {};
  /** Who has just taken a trick that nobody has seen lie. @type {number | null} */
  #taker = null;
  /** @type {number | undefined} */
  #sweeping;

  /** @param {import("./page.js").News} news */
  see({ happening, fresh }) {
    if (!fresh) return;
    if (happening.event === "TrickTaken") this.#taker = happening.seat;
    if (happening.event === "TrickHeld") this.#taker = NOBODY;
  }

  /** @param {Scene} scene */
  paint(scene) {
    const felt = by("felt");
    felt.classList.toggle("many", scene.seats.length > 4);
    felt.classList.toggle("crowded", scene.seats.length > 5);
    felt.classList.toggle("full", scene.seats.length > 7);
    setText(by("status"), scene.status);
    paintFacts(by("facts"), scene);
    paintSeats(by("seats"), scene, this.adapt);
    paintTrick(by("trick"), scene);
    this.#sweep(scene);
    paintCards(by("last"), scene.last, scene.seats);
    paintWay(by("way"), by("trick-empty"), scene);
    paintHands(by("hands"), scene.hands, scene.seats);
    by("hands-section").hidden = scene.hands.length === 0;
    setText(by("watching"), scene.watching);
  }

  /**
   * A full trick lies for a while before it goes to its taker; for eyes only, and nothing waits.
   * @param {Scene} scene
   */
  #sweep(scene) {
    const taken = by("taken");
    const taker = this.#taker;
    this.#taker = null;
    if (scene.trick.length === 0 && taker === null && scene.phase === "playing") return;
    window.clearTimeout(this.#sweeping);
    taken.replaceChildren();
    if (scene.trick.length > 0 || taker === null || !(settings.trick_pace > 0)) return;
    const { cos, sin } = taker === NOBODY ? { cos: "0", sin: "0" } : direction(taker, scene);
    taken.style.setProperty("--to-cos", cos);
    taken.style.setProperty("--to-sin", sin);
    const lies = scene.refereed ? SWEPT : settings.trick_pace; // there it has been looked at
    taken.style.setProperty("--lies", `${lies}ms`);
    paintTrick(taken, { ...scene, trick: scene.last });
    this.#sweeping = window.setTimeout(() => taken.replaceChildren(), lies);
  }
}

// Where things lie: the table is seen from the own seat, and the left neighbour comes next

/** @param {Scene} scene */
const nearest = ({ seat }) => seat ?? 0;

/**
 * The direction of a seat from the middle of the table.
 * @param {number} place
 * @param {Scene} scene
 */
function direction(place, scene) {
  const count = scene.seats.length;
  const turn = ((place - nearest(scene) + count) % count) / count;
  const angle = (0.25 + turn) * 2 * Math.PI;
  return { cos: Math.cos(angle).toFixed(4), sin: Math.sin(angle).toFixed(4), angle };
}

/**
 * @param {HTMLElement} element
 * @param {number} place the seat beside which it lies
 * @param {Scene} scene
 */
function lay(element, place, scene) {
  const { cos, sin } = direction(place, scene);
  element.style.setProperty("--cos", cos);
  element.style.setProperty("--sin", sin);
}

/** @param {string} name */
function sign(name) {
  const drawn = document.createElementNS(SVG, "svg");
  drawn.setAttribute("class", "sign");
  drawn.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${SIGNS}#${name}`);
  drawn.append(use);
  return drawn;
}

// Seats

/**
 * @param {HTMLElement} list
 * @param {Scene} scene
 * @param {(item: HTMLElement, place: number, scene: Scene) => void} adapt
 */
export function paintSeats(list, scene, adapt) {
  const count = scene.seats.length;
  keyed(
    list,
    scene.seats.map((_, step) => (nearest(scene) + step) % count),
    String,
    createSeat,
    (item, place) => {
      paintSeat(item, place, scene);
      adapt(item, place, scene);
    },
  );
}

/** A sentence for ears, and a plate for eyes. */
function createSeat() {
  /** @type {(name: string, called: string) => HTMLElement} */
  const figure = (name, called) =>
    make("span", { class: name }, [make("b"), make("i", {}, called)]);
  return make("li", { class: "seat" }, [
    make("span", { class: "hidden" }),
    make("span", { class: "backs", "aria-hidden": "true" }),
    make("span", { class: "count", "aria-hidden": "true" }),
    make("span", { class: "plate", "aria-hidden": "true" }, [
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
  const [states, name, signs, figures, kind] = plate.children;
  const called = seat.name || say("seat_number", { number: place + 1 });
  lay(item, place, scene);
  setText(sentence, sentenceOf(place, scene));
  setAttribute(item, "aria-current", place === scene.turn ? "true" : null);
  item.classList.toggle("own", place === scene.seat);
  item.classList.toggle("away", seat.state === "gone" || seat.state === "free");
  setAttribute(plate, "title", called);
  paintSigns(states, [seat.state], seat.level);
  setText(name, called);
  paintSigns(signs, rolesOf(place, scene));
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

/**
 * @param {Element} holder
 * @param {readonly string[]} names
 * @param {string} [level] of the bot, told with its sign
 */
function paintSigns(holder, names, level = "") {
  keyed(
    holder,
    names,
    String,
    (name) => make("span", { class: name }, [sign(name)]),
    (element, name) => {
      const meaning = say(holder.className === "states" ? `state_${name}` : name);
      setAttribute(element, "title", level ? `${meaning}, ${say(`level_${level}`)}` : meaning);
    },
  );
}

/** @param {Scene} scene */
const leaderOf = ({ phase, leader, reckoning }) =>
  phase === "playing" && !reckoning ? leader : null;

/** @param {Scene} scene */
const inMatch = ({ phase }) => phase !== "waiting" && phase !== "closed";

/**
 * What somebody is besides a player, by the names of the signs.
 * @param {number} place
 * @param {Scene} scene
 */
function rolesOf(place, scene) {
  const roles = [];
  if (place === leaderOf(scene)) roles.push("leads");
  if (place === scene.dealer && inMatch(scene)) roles.push("dealer");
  if (scene.seats[place].passed) roles.push("has_passed");
  if (scene.seats[place].host) roles.push("host");
  return roles;
}

/**
 * One short sentence, such as “Alice, bot, casual: 9 cards, 3 points, total 12; on turn”.
 * @param {number} place
 * @param {Scene} scene
 */
function sentenceOf(place, scene) {
  const seat = scene.seats[place];
  const called = seat.name || say("seat_number", { number: place + 1 });
  const who = [place === scene.seat ? `${called} (${say("you")})` : called];
  if (seat.state !== "here") who.push(say(`state_${seat.state}`));
  if (seat.level) who.push(say(`level_${seat.level}`));
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
 * Whose partner somebody is, other than oneself; empty where everybody plays alone.
 * @param {number} place
 * @param {Scene} scene
 */
function partnersOf(place, { wider, seat: own, seats }) {
  const side = wider?.sides.find((each) => each.includes(place)) ?? [];
  const others = side.filter((each) => each !== place);
  if (others.length === 0) return "";
  if (own !== null && others.includes(own)) return say("partner_yours");
  const names = others.map((each) => seats[each].name || say("seat_number", { number: each + 1 }));
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

// What lies on the table

/**
 * The trick, each card before its seat.
 * @param {HTMLElement} list
 * @param {Scene} scene
 */
export function paintTrick(list, scene) {
  paintCards(list, scene.trick, scene.seats);
  scene.trick.forEach((each, at) => {
    lay(/** @type {HTMLElement} */ (list.children[at]), each.seat, scene);
  });
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
        make("span", { class: "card" }, [picture(each.card)]),
        make("span", { class: "hidden" }),
      ]),
    (element, each) => {
      const [who, , name] = element.children;
      setText(who, `${seats[each.seat]?.name ?? ""} `);
      const told = each.early ? "early_card" : each.cancelled ? "cancelled_card" : "";
      setText(name, told === "" ? each.name : say(told, { card: each.name }));
      element.classList.toggle("early", each.early === true);
      element.classList.toggle("cancelled", each.cancelled === true);
    },
  );
}

/**
 * The hands of everybody, for those who watch with all of them open.
 * @param {HTMLElement} list
 * @param {readonly Laid[]} held
 * @param {readonly Seat[]} seats
 */
export function paintHands(list, held, seats) {
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

/**
 * Where the cards of the pass go, and otherwise that there is no card yet.
 * @param {HTMLElement} way an arrow
 * @param {HTMLElement} text
 * @param {Scene} scene
 */
function paintWay(way, text, scene) {
  const passing = scene.pass_to !== null;
  if (way.children.length === 0) way.append(sign("way"));
  way.hidden = !passing;
  if (scene.pass_to !== null) {
    const name = scene.seats[scene.pass_to].name;
    way.style.setProperty("--angle", `${direction(scene.pass_to, scene).angle}rad`);
    setText(text, say("passes_to", { name }));
  } else {
    const idle = scene.wider?.scatter.length ? say("passes_all") : say("nothing_on_table");
    setText(text, scene.trick.length === 0 && inMatch(scene) ? idle : "");
  }
}

/**
 * @param {HTMLElement} list
 * @param {Scene} scene
 */
function paintFacts(list, scene) {
  /** @type {{sign: string, text: string}[]} */
  const facts = [];
  if (inMatch(scene) && scene.deal > 0) {
    facts.push({ sign: "", text: say("deal_number", { number: scene.deal }) });
  }
  if (scene.phase === "playing") {
    if (scene.broken !== null) {
      const heart = scene.broken ? "broken" : "whole";
      facts.push({ sign: heart, text: say(scene.broken ? "hearts_broken" : "hearts_whole") });
    }
    const leader = leaderOf(scene);
    if (leader !== null) facts.push({ sign: "leads", text: leading(scene, leader) });
  }
  keyed(
    list,
    facts,
    (fact) => `${fact.sign} ${fact.text}`,
    ({ sign: name, text }) =>
      make("li", { class: name }, name ? [sign(name), make("span", {}, text)] : text),
    () => {},
  );
}

/**
 * @param {Scene} scene
 * @param {number} leader
 */
function leading({ seat, seats, trick }, leader) {
  if (leader === seat) return say(trick.length === 0 ? "you_lead" : "you_led");
  return say(trick.length === 0 ? "one_leads" : "one_led", { name: seats[leader].name });
}
