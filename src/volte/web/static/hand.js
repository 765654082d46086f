/**
 * The own hand: a listbox of one Tab stop. The focus stays on its card whatever the others do,
 * and goes to the neighbour when its card is played; an empty hand keeps it for the next deal.
 */

import { moved } from "./buttons.js";
import { fanned } from "./fan.js";
import { keyed, make, picture, say, setAttribute, setText, settings } from "./page.js";

/** @typedef {import("./page.js").Card} Card */
/** @typedef {import("../../server/live/static/connection.js").Message} Message */

/** The most milliseconds that the focus waits for a played card to be told. */
const LONGEST_TO_TELL = 1500;

/** @type {Record<string, string>} */
const SUITS = { C: "clubs", D: "diamonds", S: "spades", H: "hearts", J: "joker" };
const RANKS = "AKQJT98765432";

/**
 * The class that gives a card its colour.
 * @param {string} card
 */
function suitClass(card) {
  return SUITS[card[1]] ?? "";
}

/**
 * Callbacks of a hand.
 * @typedef {{
 *   use: (card: Card) => Promise<Message | null> | null,
 *   proceed: () => void,
 *   changed: () => void,
 *   bear: (focus: (text: string) => boolean) => void,
 *   raised: (card: Card, again: boolean) => void,
 * }} Handler
 * `use`: a card is to be played, or chosen. `proceed`: Enter, while there are no cards.
 * `changed`: the buttons are about another card now. `bear`: the next news are to
 * be said by a move of the focus. `raised`: a card was touched and waits to be
 * touched `again`, or for its button.
 */

export class Hand {
  /** Cards chosen for the pass. @type {Set<string>} */
  chosen = new Set();
  choosing = false;
  /** Cards that a hint advises. @type {ReadonlySet<string>} */
  hinted = new Set();
  /** Whether a card must be pressed twice in any case, as it is not the person's turn. */
  cautious = false;
  /** The words for a card, chosen or not; see wider.js. */
  /** @type {(each: Card, chosen: boolean, element: HTMLElement) => string} */
  told = ({ name }, chosen) => (chosen ? say("to_pass", { card: name }) : name);
  /** The cards in the order in which they are shown. @type {readonly Card[]} */
  #cards = [];
  /** The card that has the focus, or gets it next. */
  #current = "";
  /** Whether the person has chosen that card: gone to it, pressed or raised it. */
  #picked = false;
  /** Whether the focus is being moved by this page, not by the person. */
  #moving = false;
  /** The card that has been played, while it has the focus still, and its place. */
  /** @type {{each: Card, place: number} | null} */
  #leaving = null;
  /** Whether a key is being pressed on a card. */
  #pressing = false;
  /** Timer of a focus that waits for news. @type {number | undefined} */
  #waiting;
  #raised = "";
  /** The reason against the focused card that was last heard. */
  #heard = "";
  /** The last pointer on the hand: mouse, pen or touch. */
  #pointer = "mouse";
  /** The most cards of this deal: there is room for them until the next one. */
  #most = 13;

  /**
   * @param {HTMLElement} list
   * @param {HTMLElement} whys holds the reasons why cards may not be played
   * @param {Handler} handler
   * @param {AbortSignal} [signal] ends it
   */
  constructor(list, whys, handler, signal) {
    this.list = list;
    this.whys = whys;
    this.handler = handler;
    this.#most = Number(list.dataset.dealt ?? this.#most);
    list.addEventListener("keydown", (event) => this.#press(event));
    list.addEventListener("focusin", ({ target, relatedTarget }) => {
      const key = /** @type {HTMLElement} */ (target).dataset.key;
      if (key === undefined) return;
      // A window that is shown again gives the focus back from nowhere.
      const back = relatedTarget === null && key === this.#current;
      if (this.#moving || back) this.#stand(key);
      else this.#pick(key);
      this.#describe();
    });
    list.addEventListener("focusout", ({ target }) => {
      /** @type {Element} */ (target).removeAttribute("aria-label");
      this.#describe(); // a reason that was heard is over
      if (target === list) this.#own();
    });
    list.addEventListener("pointerdown", (event) => {
      this.#pointer = event.pointerType;
    });
    const renew = (/** @type {any} */ { detail }) => this.#renew(detail);
    document.addEventListener("uncovered", renew, { signal });
    const resized = new ResizeObserver(() => this.#arrange(list.clientWidth));
    resized.observe(/** @type {Element} */ (list.parentElement));
    /** @param {PointerEvent} event */
    const touch = ({ target }) => {
      const here = target instanceof Element && target.closest("[role=option], #actions, .backdrop");
      if (!here) this.lower();
    };
    document.addEventListener("pointerdown", touch, { signal });
  }

  /** The card that buttons are about: the one that the person has chosen, or a hint has. */
  get card() {
    const [hint = ""] = this.hinted.size === 1 ? this.hinted : [];
    return this.#held(this.#picked ? this.#current : hint);
  }

  /**
   * @param {readonly Card[]} cards by suit
   * @param {boolean} choosing whether cards for a pass are chosen now
   */
  paint(cards, choosing) {
    const had = this.list.contains(document.activeElement);
    const place = this.#cards.findIndex((each) => each.card === this.#current);
    const before = this.#cards.length;
    const waited = !this.#cards.some((each) => each.legal);
    // Measured once new cards are in the list, they come from its left end, as only dealt ones should.
    const room = this.list.clientWidth;
    this.#cards = settings.order === "rank" ? byRank(cards) : cards;
    if (choosing !== this.choosing) this.#picked = false;
    this.choosing = choosing;
    const held = new Set(cards.map((each) => each.card));
    for (const card of this.chosen) if (!held.has(card)) this.chosen.delete(card);
    if (!cards.some((each) => each.card === this.#raised && each.legal)) this.#raised = "";
    const shown = [...this.#cards];
    const { each: gone = null, place: left = 0 } = this.#leaving ?? {};
    const stays = gone !== null && this.#element(gone.card) === document.activeElement;
    if (stays && !held.has(gone.card)) shown.splice(left, 0, gone);
    keyed(
      this.list,
      shown,
      (each) => each.card,
      (each) => this.#create(each),
      (element, each) => this.#paintCard(element, each),
    );
    const dealt = before === 0 && cards.length > 0;
    if (dealt || cards.length > this.#most) this.#most = cards.length;
    this.#arrange(dealt ? this.list.clientWidth : room);
    if (cards.every((each) => each.why === "")) this.#heard = "";
    this.#describe();
    let current = this.#held(this.#current);
    current ??= this.#cards[Math.min(Math.max(place, 0), cards.length - 1)] ?? null;
    // People who are not in the hand when their turn begins find a legal card when they come.
    const leads = settings.first_playable === true && !choosing;
    if (waited && (leads || (!had && !this.#picked && current?.why))) {
      current = this.#cards.find((each) => each.legal) ?? current;
    }
    this.#stand(current?.card ?? "");
    this.list.tabIndex = cards.length === 0 ? 0 : -1;
    if (!had || cards.length > 0) this.#own();
    if (!had || stays || document.activeElement === this.#element(this.#current)) return;
    if (waited && leads) this.#bear();
    else this.focus();
  }

  /**
   * Gives an empty hand the sentence beside it: Orca passes over a listbox without anything in it in
   * silence. Not while the focus is in it, where the end of a deal would be told with its name.
   */
  #own() {
    const sentence = document.getElementById("hand-empty");
    if (!sentence) return;
    const empty = this.#cards.length === 0;
    setAttribute(sentence, "role", empty ? "option" : null); // what a listbox must have
    setAttribute(sentence, "aria-disabled", empty ? "true" : null);
    for (const name of ["aria-owns", "aria-describedby"]) {
      setAttribute(this.list, name, empty ? sentence.id : null);
    }
  }

  /**
   * Lays the cards side by side. Each is placed by a translation only: when a card is played, the
   * others close up, and nothing else on the page moves.
   * @param {number} room pixels from left to right
   */
  #arrange(room) {
    if (room === 0) return;
    const { wide, step, high, places } = fanned(room, this.#most, this.#cards.length);
    const { style } = this.list;
    style.setProperty("--w", `${wide.toFixed(1)}px`);
    style.setProperty("--step", `${step.toFixed(1)}px`);
    style.height = `${high}px`;
    this.#cards.forEach(({ card }, at) => {
      const element = this.#element(card);
      if (!element) return;
      const { left, top, whole } = places[at];
      element.style.translate = `${left.toFixed(1)}px ${top.toFixed(1)}px`;
      element.classList.toggle("whole", whole);
    });
  }

  /**
   * Makes the cards anew after a dialog, but for the one that has the focus again. Readers built
   * the page anew: Orca lost the hand of cards that were there before, and fell silent at them.
   * @param {Element | null} focused
   */
  #renew(focused) {
    for (const each of [...this.list.children]) if (each !== focused) each.remove();
    this.paint(this.#cards, this.choosing);
  }

  /**
   * Marks the cards that a hint advises, and no others. Buttons are about one that it advises alone.
   * @param {readonly string[]} cards
   */
  advise(cards) {
    this.hinted = new Set(cards);
    if (cards.length === 1) this.#picked = false;
    this.handler.changed();
    for (const each of this.#cards) {
      this.#element(each.card)?.classList.toggle("hinted", this.hinted.has(each.card));
    }
  }

  /**
   * Lets a card go: its neighbour is next. If the card was played by a key, the focus follows it
   * with the news of it, so that they are heard first.
   * @param {string} card
   */
  stepAside(card) {
    const place = this.#cards.findIndex((each) => each.card === card);
    const beside = (this.#cards[place + 1] ?? this.#cards[place - 1])?.card ?? "";
    const element = this.#element(card);
    if (!element || beside === "" || card !== this.#current) return;
    this.#stand(beside);
    if (element !== document.activeElement) return;
    this.#leaving = { each: this.#cards[place], place };
    element.classList.add("left");
    const next = this.#element(beside);
    next?.classList.add("next");
    for (const name of ["aria-disabled", "aria-describedby"]) next?.removeAttribute(name);
    if (this.#pressing) this.#bear();
    else this.follow();
  }

  /** Moves the focus to the present card with the next news, or without them after a while. */
  #bear() {
    this.handler.bear((text) => this.follow(text));
    window.clearTimeout(this.#waiting);
    this.#waiting = window.setTimeout(() => this.follow(), LONGEST_TO_TELL);
  }

  /**
   * Moves the focus to the present card, if it waits for that. Whether it has.
   * @param {string} [text] news that a reader says before the name of the card
   */
  follow(text = "") {
    window.clearTimeout(this.#waiting);
    const waited = this.#waiting !== undefined || this.#leaving !== null;
    const gone = this.#element(this.#leaving?.each.card ?? "");
    const next = this.#element(this.#current);
    this.#waiting = undefined;
    this.#leaving = null;
    for (const each of this.list.querySelectorAll(".next")) each.classList.remove("next");
    gone?.classList.remove("left");
    const moves = waited && next !== null && this.list.contains(document.activeElement);
    if (moves && next !== document.activeElement) {
      if (text) next.setAttribute("aria-label", `${text} ${next.textContent}`);
      this.#move(next);
    }
    const key = gone?.dataset.key ?? "";
    // Readers must hear of the new focus before the old one is gone.
    window.setTimeout(() => this.#held(key) ?? gone?.remove(), 30);
    return moves && next.hasAttribute("aria-label");
  }

  /**
   * Puts the focus back on a card that has come back, if the person plays from the hand.
   * @param {string} card
   */
  comeBack(card) {
    this.#element(card)?.classList.remove("left");
    this.#leaving = null;
    this.#pick(card);
    if (this.list.contains(document.activeElement)) this.focus();
  }

  /**
   * Shakes a card that was refused.
   * @param {string} card
   */
  shake(card) {
    const element = this.#element(card);
    element?.classList.add("shaken");
    const still = () => element?.classList.remove("shaken");
    element?.addEventListener("animationend", still, { once: true });
  }

  /**
   * Pixels from the left of the window to the middle of the cards; null if none is in the hand.
   * @param {readonly string[]} cards
   */
  middle(cards) {
    const boxes = cards.flatMap((card) => this.#element(card)?.getBoundingClientRect() ?? []);
    if (boxes.length === 0) return null;
    return boxes.reduce((sum, { left, width }) => sum + left + width / 2, 0) / boxes.length;
  }

  /** Takes the focus; false if it cannot, as for people who only watch. */
  focus() {
    this.#move(this.#element(this.#current) ?? this.list);
    return this.list.contains(document.activeElement);
  }

  /**
   * Gives the focus to an element to which the person has not gone.
   * @param {HTMLElement} element
   */
  #move(element) {
    this.#moving = true;
    element.focus();
    this.#moving = false;
  }

  /** Puts a raised card back among the others. */
  lower() {
    this.#element(this.#raised)?.classList.remove("raised");
    this.#raised = "";
  }

  /**
   * Plays a card, or chooses it; out of turn, only once it is raised. Returns the table's answer.
   * @param {Card} card
   */
  async use(card) {
    if (this.cautious && card.legal && this.#raised !== card.card) {
      this.#raise(card, true);
      return null;
    }
    this.lower();
    return this.handler.use(card);
  }

  /** @param {Card} each */
  #create({ card }) {
    const attributes = { role: "option", id: `card-${card}`, class: `card ${suitClass(card)}` };
    const name = make("span", { class: "hidden" });
    const element = make("div", attributes, [picture(card), name]);
    element.addEventListener("click", (event) => {
      this.#tap(/** @type {PointerEvent} */ (event), element);
    });
    return element;
  }

  /**
   * @param {HTMLElement} element
   * @param {Card} each
   */
  #paintCard(element, each) {
    // With aria-selected, readers say of every other card that it is not.
    const chosen = this.chosen.has(each.card) || each.passed;
    setText(element.children[1], this.told(each, chosen, element));
    element.classList.toggle("chosen", chosen);
    element.classList.toggle("received", typeof each.giver === "number");
    element.classList.toggle("raised", each.card === this.#raised);
    element.classList.toggle("hinted", this.hinted.has(each.card));
    setAttribute(element, "aria-disabled", each.why === "" ? null : "true");
  }

  /**
   * Describes cards that may not be played by the reason, in full for the first of them in a turn.
   * A description that changes while its card has the focus would be read out.
   */
  #describe() {
    const active = document.activeElement;
    const described = this.list.contains(active) && active?.hasAttribute("aria-describedby");
    if (described) this.#heard = this.#held(this.#current)?.why ?? "";
    for (const { card, why } of this.#cards) {
      const element = this.#element(card);
      if (!element || (why !== "" && element === active)) continue;
      const told = why === this.#heard ? say("barred") : why;
      setAttribute(element, "aria-describedby", why === "" ? null : this.#placeOf(told));
    }
  }

  /**
   * Id of the element with a reason.
   * @param {string} reason
   */
  #placeOf(reason) {
    const places = /** @type {HTMLElement[]} */ ([...this.whys.children]);
    const there = places.find((each) => each.textContent === reason);
    if (there) return there.id;
    const id = `why-${places.length}`;
    this.whys.append(make("span", { id }, reason));
    return id;
  }

  /**
   * Makes a card the one that the person has chosen.
   * @param {string} card
   */
  #pick(card) {
    if (this.#picked && card === this.#current) return;
    this.#stand(card, true);
    this.handler.changed();
  }

  /**
   * @param {string} card
   * @param {boolean} [picked] whether the person has chosen it
   */
  #stand(card, picked = this.#picked && card === this.#current) {
    this.#current = card;
    this.#picked = picked;
    if (this.#raised !== card) this.lower();
    for (const { card: each } of this.#cards) {
      const element = this.#element(each);
      if (element) element.tabIndex = each === card ? 0 : -1;
    }
  }

  /** @param {string} card */
  #held(card) {
    return this.#cards.find((each) => each.card === card) ?? null;
  }

  /** @param {string} card */
  #element(card) {
    return card === "" ? null : document.getElementById(`card-${card}`);
  }

  /**
   * Plays a clicked card, or raises it first, as the person has chosen.
   * @param {PointerEvent} event
   * @param {HTMLElement} element
   */
  #tap(event, element) {
    element.focus();
    const card = this.#held(element.dataset.key ?? "");
    if (!card) return;
    this.#pick(card.card);
    const raised = this.#raised === card.card;
    // The second half of a double click would hit the card that has moved up.
    if (event.detail > 1 && (!raised || this.cautious)) return;
    const way = wayOf(event, this.#pointer);
    if (way === "once" || this.choosing || !card.legal || (way === "twice" && raised)) {
      void this.use(card);
    } else if (raised) {
      this.lower();
    } else {
      this.#raise(card, way === "twice");
    }
  }

  /**
   * @param {Card} card
   * @param {boolean} again whether a second press plays it
   */
  #raise(card, again) {
    this.#raised = card.card;
    this.#element(card.card)?.classList.add("raised");
    this.handler.raised(card, again);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    this.follow();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") this.lower();
    const at = this.#cards.findIndex((each) => each.card === this.#current);
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (event.repeat) return;
      if (at < 0) return this.handler.proceed();
      this.#pick(this.#current);
      this.#pressing = true;
      void this.use(this.#cards[at]);
      this.#pressing = false;
      return;
    }
    const to = this.#jumped(event.key, at) ?? moved(event.key, at, this.#cards.length);
    if (to === null || at < 0) return;
    event.preventDefault();
    const skips = settings.skip_barred === true && event.key.startsWith("Arrow") && !event.shiftKey;
    const { card } = this.#cards[skips ? this.#playable(at, to) : to];
    this.#pick(card);
    this.#element(card)?.focus();
  }

  /**
   * Place of the first legal card on the way to a place and beyond it; the place itself while no
   * card is legal, and the present one if there are no more that way.
   * @param {number} at
   * @param {number} to
   */
  #playable(at, to) {
    const legal = this.#cards.flatMap((each, place) => (each.legal ? [place] : []));
    if (legal.length === 0) return to;
    if (to >= at) return legal.find((place) => place > at && place >= to) ?? at;
    return legal.reverse().find((place) => place <= to) ?? at;
  }

  /**
   * Place that a key leads to by suits, or by ranks in a hand sorted by rank.
   * @param {string} key
   * @param {number} at
   */
  #jumped(key, at) {
    const down = key === "ArrowDown" || key === "PageDown";
    if (at < 0 || (!down && key !== "ArrowUp" && key !== "PageUp")) return null;
    const sign = settings.order === "rank" ? 0 : 1;
    const signs = this.#cards.map((each) => each.card[sign]);
    const starts = signs.flatMap((each, place) => (each === signs[place - 1] ? [] : [place]));
    const group = starts.filter((place) => place <= at).length - 1;
    return starts[down ? group + 1 : group - 1] ?? (down ? at : 0);
  }
}

/**
 * Sorts cards from high to low; jokers, which have no rank, come last.
 * @param {readonly Card[]} cards
 * @returns {readonly Card[]}
 */
function byRank(cards) {
  const place = (/** @type {Card} */ { card }) =>
    card[1] === "J" ? RANKS.length : RANKS.indexOf(card[0]);
  return [...cards].sort((one, other) => place(one) - place(other));
}

/**
 * Meaning of a click on a card: `once`, `twice` or `confirm`.
 * @param {PointerEvent} click
 * @param {string} pointer the last kind of pointer, for browsers whose clicks do not tell
 */
function wayOf(click, pointer) {
  // Screen readers and voice control click without a pointer, and on purpose.
  if (click.detail === 0 || click.pointerType === "") return "once";
  if (settings.tap !== "auto") return settings.tap;
  return (click.pointerType ?? pointer) === "mouse" ? "once" : "twice";
}

/**
 * The button that plays the card which the person has chosen. While there is none, it says what to
 * do, and plays nothing.
 * @param {Card | null} card
 * @param {(card: Card) => void} use
 * @param {(lines: string[]) => void} tell
 * @returns {import("./buttons.js").Choice}
 */
export function playButton(card, use, tell) {
  const key = "Play";
  if (!card) return { key, label: say("choose_one"), run: () => tell([say("choose_first")]) };
  const label = say("play_card", { card: card.name });
  return { key, label, run: () => use(card), first: card.legal, barred: !card.legal };
}
