/**
 * The summary on the table between deals and after a match: points, a moon, the settlement; at a
 * refereed table also before the cut, while a revoke can still be claimed.
 * The sentences are the server's; the focus stays where it is.
 */

import { alone, at, by, lang, make, picture, say, setAttribute, table, written } from "../../../web/static/page.js";
import { paintFace } from "../../../web/static/seats.js";
import { Score, called, headed, listed, stakesOf, star } from "../../../history/static/score.js";

/** @typedef {import("../../../web/static/page.js").Scene} Scene */

export class Ending {
  #score = new Score();
  #shown = "";
  /** Sentences about the last deal's end, by event. @type {Map<string, string[]>} */
  #told = new Map();

  /** @param {(command: Record<string, unknown>) => void} give gives a command to the table */
  constructor(give) {
    this.give = give;
  }

  /** @param {import("../../../web/static/page.js").News} news */
  see({ happening, lines }) {
    this.#score.see(happening);
    const { event } = happening;
    if (event === "Dealt" || event === "MatchStarted") this.#told.clear();
    if (event === "RevokeClaimed" && !happening.clause) return; // a claim without a revoke
    if (event === "RevokeClaimed") lines = [...this.#said(event), ...lines];
    if (ENDS.has(event)) this.#told.set(event, lines);
  }

  /** @param {Scene} scene */
  paint(scene) {
    const score = this.#score;
    score.read(scene.sheet);
    const fits = score.players === scene.seats.length;
    const over = score.winners.length > 0;
    const stands = scene.reckoning ?? null;
    const shown = (stands !== null || score.between) && fits && scene.phase !== "waiting";
    if (!shown) {
      this.#hide();
      return;
    }
    const names = called(scene);
    const deal = score.last;
    const { taken = [], luck } = scene;
    const both = scene.beside ?? null;
    const again = scene.may.includes("DealAgain");
    const now = JSON.stringify(
      [names, deal, score.net, over, scene.next, scene.left, stands, taken, luck, both, again],
    );
    if (now === this.#shown) return;
    this.#shown = now;
    const name = over ? "match_over" : stands ? "deal_reckoned" : "deal_over";
    const title = say(name, { number: deal.number });
    const until = stands?.last ? "until_accepted" : "until_cut";
    const line = over ? scene.left : stands ? say(until) : scene.next;
    const box = by("ending");
    const focused = document.activeElement;
    const held = focused !== box && box.contains(focused) ? focused?.textContent : null;
    box.replaceChildren(
      make("h2", { id: "ending-title" }, title),
      ...this.#story(over, both?.line),
      standings(score, headed(scene), stands, scene),
      ...paragraphs("luck", over && luck ? [luck] : []),
      ...(over ? beside(scene) : []),
      ...paragraphs("next", line ? [line] : []),
      ...(over ? links(scene, () => this.give({ do: "DealAgain" })) : []),
    );
    if (held !== null) keepFocus(box, held);
    box.classList.toggle("over", over);
    box.hidden = false;
    // People without a pointer scroll it by keys.
    setAttribute(box, "tabindex", box.scrollHeight > box.clientHeight ? "0" : null);
  }

  /**
   * Paragraphs about the moon, the winners and the settlement.
   * @param {boolean} over
   * @param {string} [same] the sentence about the same cards, which stands elsewhere
   */
  #story(over, same) {
    const { moon, slam, provisional } = this.#score.last;
    const end = provisional ? "Reckoned" : "DealScored";
    const event = moon !== null || slam !== null ? this.#said(end).slice(0, 1) : [];
    return [
      ...paragraphs("stopped", this.#said("RevokeClaimed")),
      ...paragraphs("moon", event),
      ...paragraphs("winner", over ? this.#said("MatchEnded").filter((each) => each !== same) : []),
      ...paragraphs("stakes", [...this.#said("LotsDrawn"), ...this.#said("Settled")]),
    ];
  }

  /** @param {string} event */
  #said(event) {
    return this.#told.get(event) ?? [];
  }

  #hide() {
    const box = by("ending");
    if (box.contains(document.activeElement)) leave();
    box.hidden = true;
    this.#shown = "";
  }
}

/**
 * @param {string} kind
 * @param {string[]} lines
 */
function paragraphs(kind, lines) {
  return lines.map((line) => make("p", { class: kind }, line));
}

const ENDS = new Set([
  "RevokeClaimed",
  "Reckoned",
  "DealScored",
  "LotsDrawn",
  "Settled",
  "MatchEnded",
]);

/**
 * Moves the focus to the control of that name, which has been made anew; away if it is gone.
 * @param {HTMLElement} box
 * @param {string | undefined} name
 */
function keepFocus(box, name) {
  const controls = [...box.querySelectorAll("a, button")];
  const same = controls.find((each) => each.textContent === name);
  if (same instanceof HTMLElement) same.focus();
  else leave();
}

/** Moves the focus from here, before it goes away, to the hand, or to the page for watchers. */
function leave() {
  const hand = by("hand-section").hidden ? by("content") : by("hand");
  const first = hand.querySelector("[role=option][tabindex='0']");
  /** @type {HTMLElement} */ (first ?? hand).focus();
}

/**
 * The points of this deal and the totals, the best first.
 * @param {Score} score
 * @param {string[]} names
 * @param {import("../../../web/static/page.js").Reckoning | null} stands
 * @param {Scene} scene
 */
function standings(score, names, stands, { seats, taken = [] }) {
  const { points, totals: sums, revoked, halved } = score.last;
  const first = stands ? [] : score.first;
  const sides = [...score.sides].sort(
    ([one], [other]) =>
      Number(first.includes(other)) - Number(first.includes(one)) || sums[one] - sums[other],
  );
  const staked = score.stakes.length > 0;
  const heads = [say("ending_deal"), say("ending_total")];
  const shown = taken.length > 0;
  if (staked) heads.push(say("stakes"));
  const accepted = (/** @type {number[]} */ side) =>
    side.every((seat) => stands?.accepted.includes(seat));
  const lines = sides.map((side) => {
    const [seat] = side;
    const counts = [written(points[seat]), written(sums[seat])];
    if (staked) counts.push(stakesOf(side, score.stakes));
    const leads = first.includes(seat);
    return make("tr", { role: "row", class: leads ? "leads" : "" }, [
      make("th", { scope: "row", role: "rowheader" }, [
        ...side.map((each) => portrait(seats[each])),
        ...(leads ? star() : []),
        new Text(listed(side.map((each) => names[each]))),
        ...(halved.includes(seat) ? mark("halved", say("halved")) : []),
        ...(side.some((each) => revoked.includes(each)) ? mark("revoke", say("revoke")) : []),
        ...(accepted(side) ? mark("accepted", say("has_accepted")) : []),
      ]),
      ...(shown ? [pile(taken.filter((each) => side.includes(each.seat)))] : []),
      ...counts.map((count) => make("td", { class: "number", role: "cell" }, count)),
    ]);
  });
  // The roles are told in full, as a narrow table is laid out as no table.
  const column = { scope: "col", role: "columnheader" };
  const head = [
    make("th", column, say("ending_player")),
    ...(shown ? [make("th", { ...column, class: "taken" }, say("ending_taken"))] : []),
    ...heads.map((each) => make("th", { ...column, class: "number" }, each)),
  ];
  return make("table", { role: "table", "aria-labelledby": "ending-title" }, [
    make("thead", { role: "rowgroup" }, [make("tr", { role: "row" }, head)]),
    make("tbody", { role: "rowgroup" }, lines),
  ]);
}

/**
 * This match beside the one whose cards it has dealt again.
 * @param {Scene} scene
 */
function beside({ beside: both }) {
  if (!both) return [];
  const cells = (/** @type {string[]} */ [first, ...others]) => [
    make("th", { scope: "row", role: "rowheader" }, first),
    ...others.map((each, place) =>
      make("td", { role: "cell", ...(place % 2 ? {} : { class: "number" }) }, each),
    ),
  ];
  const heads = both.heads.map((each, place) =>
    make("th", { scope: "col", role: "columnheader", ...(place % 2 ? { class: "number" } : {}) }, each),
  );
  return [
    make("h3", { id: "beside-title" }, both.title),
    ...paragraphs("same", both.line ? [both.line] : []),
    make("table", { class: "beside", role: "table", "aria-labelledby": "beside-title" }, [
      make("thead", { role: "rowgroup" }, [make("tr", { role: "row" }, heads)]),
      make(
        "tbody",
        { role: "rowgroup" },
        both.rows.map((row) => make("tr", { role: "row" }, cells(row))),
      ),
    ]),
  ];
}

/** @param {import("../../../web/static/page.js").Seat} seat */
function portrait(seat) {
  const face = make("span", { class: "portrait", "aria-hidden": "true" });
  paintFace(face, seat, seat.name);
  return face;
}

/**
 * A cell with cards: small ones for eyes, their names for ears.
 * @param {readonly import("../../../web/static/page.js").Laid[]} cards
 */
function pile(cards) {
  const drawn = cards.map(({ card }) => make("span", {}, [picture(card)]));
  return make("td", { class: "taken", role: "cell" }, [
    make("span", { class: "hidden" }, listed(cards.map(({ name }) => name))),
    make("span", { class: "small-cards", "aria-hidden": "true" }, drawn),
  ]);
}

/**
 * A mark beside a name.
 * @param {string} kind
 * @param {string} text
 */
function mark(kind, text) {
  return [new Text(" "), make("small", { class: kind }, `(${text})`)];
}

/**
 * Links to the review of the match, for its players and where there is a server, and to its replay,
 * proof and record; first the way to play the same cards again, or to invite others, where somebody
 * has left.
 * @param {Scene} scene
 * @param {() => void} dealAgain
 */
function links({ seat, left, may }, dealAgain) {
  const played = seat !== null;
  const places = ["replay", "proof", "record"];
  const all = (played && !alone ? ["review", ...places] : places).map((place) => {
    const path = `/tables/${table}/${place}`;
    const target = { class: "button", href: at(alone ? `/${lang}/matches/?at=${path}` : path) };
    const saves = place === "record" && !alone;
    return make("a", saves ? { ...target, download: "" } : target, say(`to_${place}`));
  });
  const invite = make("button", { type: "button", class: "button" }, say("invite_again"));
  invite.addEventListener("click", () => by("invite-part").setAttribute("open", ""));
  const again = make("button", { type: "button", class: "button" }, say("deal_again"));
  again.addEventListener("click", dealAgain);
  const first = [...(may.includes("DealAgain") ? [again] : []), ...(left ? [invite] : [])];
  return [make("p", { class: "buttons" }, [...first, ...all])];
}
