/**
 * Additions of tables of the wider family, fetched only there: a card for each of the others, cards
 * that cancel each other and wait, partners, and the choice of a moon.
 */

import {
  by,
  keyed,
  linkStyle,
  make,
  picture,
  say,
  setAttribute,
  setText,
  sign,
} from "./page.js";
import { counted } from "./scenes.js";

/** @typedef {import("./page.js").Scene} Scene @typedef {import("./page.js").Card} Card */
/** @typedef {import("./buttons.js").Choice} Choice */
/** @typedef {import("../../server/live/static/playing.js").Playing} Playing */

/** The most faces of a pile that are drawn; the rest lies under them. */
const MOST_FACES = 10;

linkStyle("web/static/wider.css");

export class Wider {
  /** @type {Scene | null} */
  #scene = null;
  /** The card given at each place of a scatter. @type {string[]} */
  #given = [];
  /** The own scattered cards once they are passed and can still be taken back. */
  /** @type {string[]} */
  #passed = [];
  #painted = false;
  #pile = make("p", { id: "pile", class: "pile", hidden: "" });
  #nobody = make("p", { id: "last-held", class: "help", hidden: "" });
  #each = make("section", { id: "each", class: "each", "aria-labelledby": "each-title" });
  #moon = make("section", { id: "moon", class: "ending", "aria-labelledby": "moon-title" });

  /**
   * @param {Playing | null} playing null on a page for looking only
   * @param {import("./felt.js").Felt} felt
   */
  constructor(playing, felt) {
    this.playing = playing;
    this.felt = felt;
    felt.adapt = paintSide;
    by("trick-empty").after(this.#pile);
    by("last").after(this.#nobody);
    if (!playing) return;
    this.#each.hidden = true;
    this.#moon.hidden = true;
    by("hand-section").after(this.#each);
    by("ending").before(this.#moon);
    playing.hand.told = (...card) => this.#told(...card);
    playing.order = () => this.#order();
    playing.chosen = (card) => this.#chosen(card);
    playing.adapts.push((choices, scene) => this.#adapt(choices, scene));
  }

  /** @param {import("./page.js").News} news */
  see({ happening: { event, seat, cards } }) {
    if (event === "Passed" && cards) this.#passed = cards; // other people's are not known
    const back = event === "PassTakenBack" && seat === this.#scene?.seat;
    if (back || event === "Dealt" || event === "Exchanged") this.#passed = [];
  }

  /** @param {Scene} scene */
  paint(scene) {
    this.#scene = scene;
    const held = scene.wider?.held ?? [];
    this.#pile.hidden = held.length === 0;
    if (held.length > 0) paintPile(this.#pile, scene);
    const nobody = scene.wider?.last_held === true;
    this.#nobody.hidden = !nobody;
    setText(this.#nobody, nobody ? say("last_held") : "");
    if (this.playing) {
      this.#paintMoon(scene);
      this.#paintEach();
    }
    if (!this.#painted) {
      this.#painted = true; // both were painted without us
      this.felt.paint(scene);
      this.playing?.paint(scene);
    }
  }

  // A card for each of the others (W1)

  /** The seats that get a card, in the order of the cards. */
  get #takers() {
    return this.#scene?.wider?.scatter ?? [];
  }

  /** @param {number} place in the scatter */
  #name(place) {
    return this.#scene?.seats[this.#takers[place]]?.name ?? "";
  }

  /** Orders the chosen cards: a card put back leaves its place to the next one chosen. */
  #order() {
    const playing = /** @type {Playing} */ (this.playing);
    const { chosen } = playing.hand;
    if (this.#takers.length === 0) return [...chosen];
    if (playing.arranged.length > 0) this.#given = playing.arranged;
    playing.arranged = [];
    if (this.#passed.length > 0) {
      this.#given = [...this.#passed];
      return this.#given;
    }
    this.#given = this.#takers.map((_, place) => {
      const card = this.#given[place] ?? "";
      return chosen.has(card) ? card : "";
    });
    for (const card of chosen) {
      const free = this.#given.indexOf("");
      if (!this.#given.includes(card) && free >= 0) this.#given[free] = card;
    }
    return this.#given;
  }

  /**
   * The words for a card in the hand, with its taker's name.
   * @param {Card} card
   * @param {boolean} chosen
   * @param {HTMLElement} element
   */
  #told({ card, name }, chosen, element) {
    const place = chosen && this.#takers.length > 0 ? this.#order().indexOf(card) : -1;
    const whose = place < 0 ? "" : this.#name(place);
    let tag = element.querySelector(".for");
    if (!tag && whose !== "") {
      tag = make("span", { class: "for", "aria-hidden": "true" });
      element.append(tag);
    }
    if (tag && whose === "") tag.remove();
    else if (tag) {
      setText(tag, whose);
      setAttribute(tag, "title", whose); // the name may be too long for a card
    }
    if (whose !== "") return say("for_one", { card: name, name: whose });
    return chosen ? say("to_pass", { card: name }) : name;
  }

  /**
   * The words for a card that has just been chosen.
   * @param {Card} card
   */
  #chosen({ card, name }) {
    if (this.#takers.length === 0) return "";
    const place = this.#order().indexOf(card);
    this.#paintEach();
    return place < 0 ? "" : say("now_for", { card: name, name: this.#name(place) });
  }

  /** Paints each taker with their card, below the hand; neighbours can be swapped. */
  #paintEach() {
    const scene = this.#scene;
    const box = this.#each;
    const hidden = !scene || this.#takers.length === 0;
    if (hidden && box.contains(document.activeElement)) this.playing?.home();
    box.hidden = hidden;
    if (hidden) {
      this.#given = [];
      return;
    }
    if (box.children.length === 0) {
      box.append(
        make("h2", { id: "each-title" }, say("each_title")),
        make("p", { class: "help" }, say("each_about")),
        make("ol", { role: "list" }),
      );
    }
    const cards = this.#order();
    const passed = this.#passed.length > 0;
    keyed(
      box.children[2],
      this.#takers,
      String,
      () => {
        const swap = make("button", { type: "button", class: "quiet" });
        return make("li", {}, [make("span", { class: "whose" }), make("span"), swap]);
      },
      (item, seat, place) => {
        const [whose, card, swap] = /** @type {HTMLElement[]} */ ([...item.children]);
        const held = scene.hand.find((each) => each.card === cards[place]);
        setText(whose, say("each_for", { name: this.#name(place) }));
        setText(card, held?.name ?? say("each_none"));
        card.classList.toggle("help", !held);
        swap.hidden = passed || place === 0 || !cards[place] || !cards[place - 1];
        setText(swap, say("each_swap", { name: this.#name(place - 1) }));
        swap.onclick = () => this.#swap(place);
      },
    );
  }

  /** @param {number} place of the card that goes to the one before, whose card comes here */
  #swap(place) {
    const scene = /** @type {Scene} */ (this.#scene);
    const [one, other] = [this.#given[place - 1], this.#given[place]];
    this.#given[place - 1] = other;
    this.#given[place] = one;
    this.playing?.keep();
    this.playing?.paint(scene);
    this.#paintEach();
    const told = [place - 1, place].map((at) => {
      const card = scene.hand.find((each) => each.card === this.#given[at])?.name ?? "";
      return say("now_for", { card, name: this.#name(at) });
    });
    this.playing?.line.tell(told);
  }

  // How a moon counts (W7)

  /** @param {Scene} scene */
  #paintMoon({ wider }) {
    const box = this.#moon;
    const [minus = "", plus = ""] = wider?.moon ?? [];
    const had = box.contains(document.activeElement);
    box.hidden = minus === "";
    if (box.hidden) {
      box.replaceChildren();
      if (had) this.playing?.home();
      return;
    }
    if (box.children.length === 0) {
      box.append(
        make("h2", { id: "moon-title" }, say("moon_title")),
        this.#way("moon_minus", true),
        this.#way("moon_plus", false),
      );
    }
    setText(box.children[1].children[1], minus);
    setText(box.children[2].children[1], plus);
  }

  /**
   * @param {string} name of its sentence, and its id
   * @param {boolean} minus
   */
  #way(name, minus) {
    const about = make("p", { id: `${name}-about` });
    const button = make("button", { type: "button", id: name, "aria-describedby": about.id });
    setText(button, say(name));
    button.addEventListener("click", () => this.playing?.act({ action: "ChooseMoon", minus }));
    return make("div", { class: "moon-way" }, [button, about]);
  }

  /**
   * @param {Choice[]} choices
   * @param {Scene} scene
   * @returns {Choice[]}
   */
  #adapt(choices, scene) {
    if (!scene.wider?.moon.length) return choices;
    const run = () => this.#moon.querySelector("button")?.focus();
    const others = choices.map((each) => ({ ...each, first: false }));
    return [{ key: "ChooseMoon", label: say("choose_moon"), run, first: true }, ...others];
  }
}

/**
 * Paints the mark of a side on a plate, and the word on a partner's (W10).
 * @param {HTMLElement} item
 * @param {number} place
 * @param {Scene} scene
 */
function paintSide(item, place, { wider, seat }) {
  const sides = wider?.sides ?? [];
  const at = sides.findIndex((each) => each.includes(place));
  const plate = /** @type {HTMLElement} */ (item.querySelector(".plate"));
  let side = plate.querySelector(".side");
  if (at < 0) {
    side?.remove();
    return;
  }
  if (!side) {
    side = make("span", { class: "side" }, [make("i"), make("span")]);
    plate.append(side);
  }
  const [mark, word] = side.children;
  if (mark.getAttribute("data-side") !== String(at)) {
    mark.replaceChildren(sign(`mark-${at}`));
    setAttribute(mark, "data-side", String(at));
  }
  const partner = seat !== null && place !== seat && sides[at].includes(seat);
  setText(word, partner ? say("partner") : "");
}

/**
 * Paints the cards that go to the winner of the next trick (W11).
 * @param {HTMLElement} box
 * @param {Scene} scene
 */
function paintPile(box, { wider }) {
  const { held, held_points: worth } = /** @type {import("./page.js").Wider} */ (wider);
  if (box.children.length === 0) {
    box.append(
      make("span", { class: "hidden" }, `${say("held")} `),
      make("span", { class: "faces", "aria-hidden": "true" }),
      make("span", { class: "count-of" }),
    );
  }
  const [, faces, count] = box.children;
  keyed(
    faces,
    held.slice(-MOST_FACES),
    ({ card }) => card,
    ({ card }) => make("span", {}, [picture(card)]),
    () => {},
  );
  setText(count, `${counted("cards", held.length)}, ${counted("points", worth)}`);
}
