/**
 * The own hand: a listbox of one Tab stop. The focus stays on its card whatever the others do,
 * and goes to the neighbour when its card is played; an empty hand keeps it for the next deal.
 */

import { keyed, make, setAttribute, setText } from "./dom.js";
import { moved } from "./toolbar.js";

/**
 * @typedef {{card: string, name: string, short: string, legal: boolean, why: string,
 *   passed: boolean}} Card
 */

const SUITS = { C: "clubs", D: "diamonds", S: "spades", H: "hearts", J: "joker" };

/**
 * The class that gives a card its colour.
 * @param {string} card
 */
export function suitClass(card) {
  return SUITS[/** @type {keyof typeof SUITS} */ (card.slice(-1))] ?? "";
}

export class Hand {
  /** Cards chosen for the pass. @type {Set<string>} */
  chosen = new Set();
  choosing = false;
  /** @type {readonly Card[]} */
  #cards = [];
  #current = "";

  /**
   * @param {HTMLElement} list
   * @param {HTMLElement} whys where the reasons stand why cards may not be played
   * @param {(card: string) => void} use what happens to a card that is pressed
   * @param {() => void} proceed what Enter does while there are no cards
   */
  constructor(list, whys, use, proceed) {
    this.list = list;
    this.whys = whys;
    this.use = use;
    this.proceed = proceed;
    list.addEventListener("keydown", (event) => this.#press(event));
    list.addEventListener("focusin", (event) => {
      const key = /** @type {HTMLElement} */ (event.target).dataset.key;
      if (key !== undefined) this.#stand(key);
    });
  }

  /**
   * @param {readonly Card[]} cards
   * @param {boolean} choosing whether cards for a pass are chosen now
   */
  paint(cards, choosing) {
    const had = this.list.contains(document.activeElement);
    const place = this.#cards.findIndex((each) => each.card === this.#current);
    this.#cards = cards;
    this.choosing = choosing;
    const held = new Set(cards.map((each) => each.card));
    for (const card of this.chosen) if (!choosing || !held.has(card)) this.chosen.delete(card);
    keyed(
      this.list,
      cards,
      (each) => each.card,
      (each) => this.#create(each),
      (element, each) => this.#paintCard(element, each),
    );
    keyed(
      this.whys,
      cards.filter((each) => each.why !== ""),
      (each) => each.card,
      (each) => make("span", { id: `why-${each.card}` }),
      (element, each) => setText(element, each.why),
    );
    setAttribute(
      this.list,
      "aria-multiselectable",
      choosing || cards.some((each) => each.passed) ? "true" : null,
    );
    if (!held.has(this.#current)) {
      const neighbour = cards[Math.min(Math.max(place, 0), cards.length - 1)];
      this.#current = neighbour?.card ?? "";
    }
    this.#stand(this.#current);
    this.list.tabIndex = cards.length === 0 ? 0 : -1;
    if (had && document.activeElement !== this.#element(this.#current)) this.focus();
  }

  focus() {
    (this.#element(this.#current) ?? this.list).focus();
  }

  /** @param {Card} each */
  #create(each) {
    const attributes = { role: "option", id: `card-${each.card}` };
    const element = make("div", { ...attributes, class: `card ${suitClass(each.card)}` }, [
      make("span", { "aria-hidden": "true" }),
      make("span", { class: "hidden" }),
    ]);
    element.addEventListener("click", () => {
      element.focus();
      this.use(each.card);
    });
    return element;
  }

  /**
   * @param {HTMLElement} element
   * @param {Card} each
   */
  #paintCard(element, each) {
    setText(element.children[0], each.short);
    setText(element.children[1], each.name);
    const marked = this.choosing || this.#cards.some((card) => card.passed);
    const selected = this.chosen.has(each.card) || each.passed;
    setAttribute(element, "aria-selected", marked ? String(selected) : null);
    setAttribute(element, "aria-disabled", each.why === "" ? null : "true");
    setAttribute(element, "aria-describedby", each.why === "" ? null : `why-${each.card}`);
    setAttribute(element, "title", each.why === "" ? null : each.why);
  }

  /** @param {string} card */
  #stand(card) {
    this.#current = card;
    for (const { card: each } of this.#cards) {
      const element = this.#element(each);
      if (element) element.tabIndex = each === card ? 0 : -1;
    }
  }

  /** @param {string} card */
  #element(card) {
    return card === "" ? null : document.getElementById(`card-${card}`);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.#cards.findIndex((each) => each.card === this.#current);
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (event.repeat) return;
      if (at >= 0) this.use(this.#current);
      else this.proceed();
      return;
    }
    const to = moved(event.key, at, this.#cards.length);
    if (to === null || at < 0) return;
    event.preventDefault();
    this.#element(this.#cards[to].card)?.focus();
  }
}
