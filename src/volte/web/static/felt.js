/** The table for eyes: seats, the trick, the last trick, open hands. */

import { inMatch, leaderOf, rolesOf, sentenceOf } from "./listening.js";
import {
  back,
  by,
  keyed,
  levelName,
  make,
  moves,
  picture,
  say,
  setAttribute,
  setText,
  settings,
  sign,
  stepsTo,
  written,
} from "./page.js";

/** @typedef {import("./page.js").Scene} Scene @typedef {import("./page.js").Seat} Seat */
/** @typedef {import("./page.js").Laid} Laid */

/** Characters from which a status is written smaller. */
const LONG = 60;
/**
 * Fetches moments.js when it is first needed, and shows a moment; nothing if that fails.
 * @param {(moments: typeof import("./moments.js")) => void} show
 */
const briefly = (show) => void import("./moments.js").then(show, () => {});

/** Whether a match is played on this page, not only looked at. */
const LIVE = document.getElementById("corner") !== null;
/** Milliseconds that a trick takes on its way to its taker. */
const SWEPT = 400;
/** In the place of a taker: a trick goes to nobody, and waits in the middle of the table. */
const NOBODY = -1;

export class Felt {
  /** Changes that a table of the wider family makes to a seat; see wider.js. */
  /** @type {(item: HTMLElement, place: number, scene: Scene) => void} */
  adapt = () => {};
  /** Taker of a trick that has not lain on the table yet. @type {number | null} */
  #taker = null;
  /** @type {number | undefined} */
  #sweeping;
  /** Celebration due with the next scene. @type {"" | "moon" | "end"} */
  #moment = "";
  /** Points of each seat when it was last painted, and their deal. */
  #points = { deal: 0, taken: /** @type {number[]} */ ([]) };
  /** Number of the deal whose received cards have been shown. */
  #received = 0;
  /** Whether a scene has been painted; cards in the first scene have not just come. */
  #painted = false;

  /** @param {import("./page.js").News} news */
  see({ happening, fresh }) {
    if (!fresh) return;
    if (happening.event === "TrickTaken") this.#taker = happening.seat;
    if (happening.event === "TrickHeld") this.#taker = NOBODY;
    const { event, moon, slam } = happening;
    if (event === "MatchEnded") this.#moment = "end";
    else if (event === "DealScored" && typeof (moon ?? slam) === "number") this.#moment = "moon";
  }

  /** @param {Scene} scene */
  paint(scene) {
    const felt = by("felt");
    felt.style.setProperty("--seats", String(scene.seats.length));
    felt.classList.toggle("many", scene.seats.length > 4);
    felt.classList.toggle("crowded", scene.seats.length > 5);
    felt.classList.toggle("full", scene.seats.length > 7);
    setText(by("status"), scene.status);
    by("status").classList.toggle("long", scene.status.length > LONG);
    paintFacts(by("facts"), scene);
    paintSeats(by("seats"), scene, this.adapt);
    this.#count(scene);
    this.#greet(scene);
    this.#celebrate(scene);
    paintTrick(by("trick"), scene, true);
    this.#sweep(scene);
    paintCards(by("last"), scene.last, scene.seats);
    paintWay(by("way"), by("trick-empty"), scene);
    setText(by("watching"), scene.watching);
  }

  /**
   * Makes points that somebody has just taken rise from their seat.
   * @param {Scene} scene
   */
  #count({ deal, phase, seats }) {
    const before = this.#points;
    this.#points = { deal, taken: seats.map(({ points }) => points) };
    if (phase !== "playing" || before.deal !== deal || !LIVE) return;
    seats.forEach(({ points }, place) => {
      const more = points - (before.taken[place] ?? points);
      if (more === 0) return;
      const text = (more > 0 ? "+" : "") + written(more);
      briefly(({ rise }) => rise(seatAt(place), text));
    });
  }

  /**
   * Celebrates a moon or the end of a match.
   * @param {Scene} scene
   */
  #celebrate({ seats, leads = [] }) {
    const what = this.#moment;
    this.#moment = "";
    if (what === "" || !moves()) return;
    briefly(({ moon, triumph }) => {
      if (what === "moon") moon();
      else triumph(leads.map((place) => seats[place]));
    });
  }

  /**
   * Makes received cards come in from the seats that have passed them.
   * @param {Scene} scene
   */
  #greet({ deal, hand }) {
    const given = hand.filter(({ giver }) => typeof giver === "number");
    const news = this.#painted;
    this.#painted = true;
    const known = given.length === 0 || this.#received === deal;
    this.#received = given.length === 0 ? 0 : deal;
    if (news && !known) briefly(({ receive }) => receive(given, seatAt));
  }

  /**
   * Shows a saying beside its speaker's seat.
   * @param {import("./connection.js").Message} said
   * @param {Scene} scene
   */
  speak({ name, line }, scene) {
    const place = scene.seats.findIndex((each) => each.name === name);
    if (place >= 0) briefly(({ bubble }) => bubble(seatAt(place), line));
  }

  /**
   * Sends a full trick to its taker after a while; for eyes only, and nothing waits.
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
    const lies = scene.refereed ? SWEPT : settings.trick_pace; // there it was turned down
    paintTrick(taken, { ...scene, trick: scene.last, winning: taker });
    for (const card of taken.children) leave(/** @type {HTMLElement} */ (card), taker, lies);
    this.#sweeping = window.setTimeout(() => taken.replaceChildren(), lies);
  }
}

// Places: the table is seen from the own seat, and the left neighbour comes next

/**
 * The direction of a seat from the middle of the table.
 * @param {number} place
 * @param {Scene} scene
 */
function direction(place, scene) {
  const angle = (0.25 + stepsTo(place, scene) / scene.seats.length) * 2 * Math.PI;
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

// Seats

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
  /** @type {HTMLElement} */ (holder).style.setProperty("--hue", `var(--seat-${hue})`);
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

// Cards on the table

/**
 * Paints the trick, each card before its seat.
 * @param {HTMLElement} list
 * @param {Scene} scene
 * @param {boolean} [flies] whether new cards fly in from the hand or the seat
 */
export function paintTrick(list, scene, flies = false) {
  const there = new Set(list.children);
  paintCards(list, scene.trick, scene.seats);
  scene.trick.forEach((each, at) => {
    const card = /** @type {HTMLElement} */ (list.children[at]);
    lay(card, each.seat, scene);
    card.classList.toggle("winning", each.seat === scene.winning && !each.early);
    if (flies && !there.has(card)) fly(card, each.seat === scene.seat, each);
  });
}

/**
 * Makes a card fly in from the hand, or from the seat of its player.
 * @param {HTMLElement} card
 * @param {boolean} own
 * @param {Laid} laid
 */
function fly(card, own, { card: text, seat }) {
  const from = (own && document.getElementById(`card-${text}`)) || seatAt(seat);
  const far = moves() ? wayTo(card, from, own ? 0.9 : 0.5) : null;
  if (!far) return;
  const frames = [{ transform: far, opacity: own ? 1 : 0.3 }, { transform: "none", opacity: 1 }];
  card.animate(frames, { duration: 260, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)" });
}

/**
 * Sends a card of a trick to its taker, after it has lain for a while.
 * @param {HTMLElement} card
 * @param {number} taker
 * @param {number} lies milliseconds
 */
function leave(card, taker, lies) {
  const far = moves() ? wayTo(card, taker === NOBODY ? by("trick") : seatAt(taker), 0.35) : null;
  if (!far) return;
  const duration = Math.min(SWEPT, lies);
  const when = /** @type {const} */ ({ duration, delay: lies - duration, fill: "forwards" });
  card.animate([{}, { transform: far, opacity: 0 }], { ...when, easing: "ease-in" });
}

/**
 * Transform that moves a card to the place of another element; null if either is not shown.
 * @param {HTMLElement} card
 * @param {Element | null} place
 * @param {number} scale
 */
function wayTo(card, place, scale) {
  const far = (place?.querySelector(".plate") ?? place)?.getBoundingClientRect();
  const here = card.getBoundingClientRect();
  if (!far || far.width === 0 || here.width === 0) return null;
  const across = far.left + far.width / 2 - (here.left + here.width / 2);
  const down = far.top + far.height / 2 - (here.top + here.height / 2);
  // A card lies a little turned: its own axes are.
  const turned = (-parseFloat(getComputedStyle(card).rotate) || 0) * (Math.PI / 180);
  const [cos, sin] = [Math.cos(turned), Math.sin(turned)];
  return `translate(${across * cos - down * sin}px, ${across * sin + down * cos}px) scale(${scale})`;
}

/**
 * @param {number} place
 * @returns {HTMLElement | null}
 */
const seatAt = (place) => by("seats").querySelector(`:scope > [data-key="${place}"]`);

/**
 * Paints cards on the table, or of the last trick, in the order in which they were played.
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
      element.classList.toggle("waiting", each.waiting === true);
      element.classList.toggle("cancelled", each.cancelled === true);
    },
  );
}

/**
 * Paints the direction of the pass, or that no card lies on the table yet.
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
