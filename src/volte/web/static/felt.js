/** The table for eyes: seats, the trick, the last trick, open hands. */

import { by, keyed, make, moves, picture, say, setText, settings, sign, written } from "./page.js";
import { inMatch, leaderOf } from "./scenes.js";
import { direction, lay, paintSeats, seatAt } from "./seats.js";

/** @typedef {import("./page.js").Scene} Scene @typedef {import("./page.js").Seat} Seat */
/** @typedef {import("./page.js").Laid} Laid */
/** @typedef {{giver: number, taker: number, cards: string[] | null}} Transfer */

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
/** Milliseconds that a card of a pass flies, and between two that go the same way. */
const FLOWN = 420;
const APART = 70;
/** Milliseconds after which they have landed in any case, also on a page that is not drawn. */
const LANDED = 2000;
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
  /** Seats whose people have come since the last scene. @type {number[]} */
  #came = [];
  /** Celebration due with the next scene. @type {"" | "moon" | "end"} */
  #moment = "";
  /** Points of each seat when it was last painted, and their deal. */
  #points = { deal: 0, taken: /** @type {number[]} */ ([]) };
  /** Transfers of a pass that are not shown yet. @type {readonly Transfer[]} */
  #transfers = [];
  /** Flights of a pass; no card is played over them. @type {Animation[] | null} */
  #flights = null;
  /** @type {Scene | null} */
  #scene = null;

  /** @param {import("./page.js").News} news */
  see({ happening, fresh }) {
    if (happening.event === "Exchanged") this.#transfers = happening.transfers;
    if (!fresh) return;
    if (happening.event === "TrickTaken") this.#taker = happening.seat;
    if (happening.event === "TrickHeld") this.#taker = NOBODY;
    if (happening.event === "Sat") this.#came.push(happening.seat);
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
    const seeking = scene.phase === "waiting" ? "" : scene.seeking; // there is little room
    const status = [scene.status, seeking].filter(Boolean).join(" ");
    setText(by("status"), status);
    by("status").classList.toggle("long", status.length > LONG);
    paintFacts(by("facts"), scene);
    paintSeats(by("seats"), scene, this.adapt);
    this.#count(scene);
    this.#greet(scene);
    this.#exchange(scene);
    this.#celebrate(scene);
    const lying = this.#flights ? { ...scene, trick: [] } : scene;
    paintTrick(by("trick"), lying, true);
    this.#sweep(scene);
    paintCards(by("last"), scene.last, scene.seats);
    paintWay(by("way"), by("trick-empty"), lying);
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
   * Shows at their seats who has come.
   * @param {Scene} scene
   */
  #greet({ seats, seat }) {
    for (const place of this.#came.splice(0)) {
      const line = say("has_come", { name: seats[place]?.name ?? "" });
      if (place !== seat) briefly(({ bubble }) => bubble(seatAt(place), line));
    }
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
   * Makes the cards of a pass fly: the own ones to the seats that get them, the received ones from
   * the seats that have passed them. Whoever plays meanwhile need not wait for them.
   * @param {Scene} scene
   */
  #exchange(scene) {
    const seen = this.#scene !== null;
    this.#scene = scene;
    const played = scene.last.length > 0 || scene.trick.some(({ seat }) => seat === scene.seat);
    if (played && this.#flights) this.#land();
    const cards = this.#transfers.flatMap(({ giver, taker, cards }) =>
      (cards ?? []).map((card, at) => ({ giver, taker, card, at })),
    );
    this.#transfers = [];
    const given = cards.filter(({ giver }) => giver === scene.seat);
    const received = cards.filter(({ taker }) => taker === scene.seat);
    if (given.length + received.length === 0 || played || !seen || scene.phase !== "playing") return;
    const news = scene.hand.filter(({ giver }) => typeof giver === "number");
    if (news.length > 0) briefly(({ receive }) => receive(news));
    if (!moves()) return;
    by("hand-section").classList.add("receiving");
    this.#flights = given.flatMap(({ card, taker, at }) => flyAway(card, taker, at) ?? []);
    // Once the received cards are in the hand, and before anything is drawn.
    queueMicrotask(() => {
      const come = received.flatMap(({ card, giver, at }) => flyIn(card, giver, at) ?? []);
      const flights = (this.#flights = [...(this.#flights ?? []), ...come]);
      const landed = Promise.allSettled(flights.map(({ finished }) => finished));
      const late = new Promise((over) => window.setTimeout(over, LANDED));
      void Promise.race([landed, late]).then(() => {
        if (this.#flights !== flights) return;
        this.#land();
        this.paint(this.#scene ?? scene);
      });
    });
  }

  /** Ends the flights of a pass. */
  #land() {
    for (const each of this.#flights ?? []) each.cancel();
    this.#flights = null;
    for (const each of document.querySelectorAll(".flying")) each.remove();
    by("hand-section").classList.remove("receiving");
  }

  /**
   * Shows a saying beside its speaker's seat.
   * @param {import("../../server/live/static/connection.js").Message} said
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

// The pass

/**
 * Makes a card that is about to leave the hand fly to the seat that gets it.
 * @param {string} card
 * @param {number} taker
 * @param {number} at
 */
function flyAway(card, taker, at) {
  const box = faceOf(card)?.getBoundingClientRect();
  if (!box) return null;
  const shown = make("span", { class: "flying", "aria-hidden": "true" }, [picture(card)]);
  const { left, top, width } = box;
  Object.assign(shown.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` });
  document.body.append(shown);
  return flight(shown, taker, at, "normal");
}

/**
 * Makes a card fly into the hand from the seat that has passed it.
 * @param {string} card
 * @param {number} giver
 * @param {number} at
 */
function flyIn(card, giver, at) {
  const face = faceOf(card);
  return face ? flight(face, giver, at, "reverse") : null;
}

/**
 * @param {Element} card
 * @param {number} seat
 * @param {number} at place among those that fly the same way
 * @param {PlaybackDirection} direction normal from the hand to the seat
 */
function flight(card, seat, at, direction) {
  const far = wayTo(card, seatAt(seat), 0.4);
  const frames = [{}, { opacity: 1, offset: 0.8 }, { transform: far, opacity: 0 }];
  /** @type {KeyframeAnimationOptions} */
  const way = { duration: FLOWN, delay: at * APART, direction, fill: "both", easing: "ease-in-out" };
  return far ? card.animate(frames, way) : null;
}

/** @param {string} card in the hand */
const faceOf = (card) => document.querySelector(`#card-${CSS.escape(card)} .face`);

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
 * @param {Element} card
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
 * Paints cards on the table, or of the last trick, in the order in which they were played.
 * @param {HTMLElement} list
 * @param {readonly Laid[]} laid
 * @param {readonly Seat[]} seats
 */
function paintCards(list, laid, seats) {
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

/** Pixels that stay free beside an answer over the felt. */
const MARGIN = 8;

/** The last answer, for eyes: over the felt, beside the cards that it speaks of. */
export class Shown {
  /** The moment for which it holds; null if it lasts until the person's next act. */
  /** @type {string | null} */
  #moment = null;

  /**
   * @param {() => void} closed
   * @param {AbortSignal} [signal] ends it
   */
  constructor(closed, signal) {
    this.section = by("answer-section");
    const close = by("answer-close");
    close.setAttribute("aria-label", say("close_answer"));
    close.addEventListener("click", () => {
      this.close();
      closed();
    });
    /** @param {KeyboardEvent} event */
    const press = ({ key }) => {
      if (key === "Escape") this.close();
    };
    /** @param {PointerEvent} event */
    const touch = ({ target }) => {
      const here = target instanceof Element && target.closest("#answer-section, #menu, #actions");
      if (!here && this.#moment === null) this.close();
    };
    document.addEventListener("keydown", press, { signal });
    document.addEventListener("pointerdown", touch, { signal });
  }

  /**
   * @param {readonly string[]} lines
   * @param {{refused: boolean, moment: string | null, at: number | null}} about `at`: pixels from
   *   the left of the window to the cards that it is about; null for none
   */
  show(lines, { refused, moment, at }) {
    const { section } = this;
    const { style } = section;
    section.hidden = true; // so that browsers do not count it as moved
    this.#moment = moment;
    style.removeProperty("translate");
    if (lines.length === 0 || !section.parentElement) return;
    const board = by("felt").getBoundingClientRect();
    section.classList.toggle("refused", refused);
    section.classList.toggle("pointing", at !== null);
    by("answer").replaceChildren(...lines.map((line) => make("p", {}, line)));
    section.hidden = false;
    if (at === null) return;
    const { left, width } = section.getBoundingClientRect();
    const farthest = board.right - MARGIN - width;
    const wanted = Math.max(board.left + MARGIN, Math.min(at - width / 2, farthest));
    style.setProperty("translate", `${(wanted - left).toFixed(1)}px`);
    style.setProperty("--tail", `${Math.max(14, Math.min(at - wanted, width - 14)).toFixed(1)}px`);
  }

  /**
   * Closes an answer about another moment; when the person acts, one about no moment.
   * @param {string | null} moment the table's; null when the person acts
   */
  closeBut(moment) {
    if (moment === null ? this.#moment === null : this.#moment !== null && this.#moment !== moment)
      this.close();
  }

  close() {
    this.section.hidden = true;
  }
}
