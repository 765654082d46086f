/** What the person does at the table: their hand, their buttons, and what they agree to. */

import { actionsOf } from "./actions.js";
import { by, setText } from "./dom.js";
import { Hand } from "./hand.js";
import { say } from "./page.js";
import { Toolbar } from "./toolbar.js";

/**
 * @typedef {import("./connection.js").Message} Message
 * @typedef {import("./page.js").Card} Card
 * @typedef {import("./page.js").News} News
 * @typedef {import("./page.js").Scene} Scene
 * @typedef {import("./toolbar.js").Choice} Choice
 */

/**
 * How the person is connected with the table.
 * @typedef {{
 *   give: (command: Record<string, unknown>) => Promise<Message | null>,
 *   show: (lines: string[], refused: boolean) => void,
 *   tell: (lines: string[]) => void,
 * }} Line
 * `give` answers with what the server says to a command; `show` is for eyes and ears, `tell` for
 * ears alone.
 */

export class Playing {
  /** @type {Scene | null} */
  scene = null;
  person = "";
  /** @type {readonly Choice[]} */
  #choices = [];
  /** The seats whose people agree to a short clock. @type {Set<number>} */
  #agreed = new Set();

  /** What refereed and wider tables make of the buttons; see referee.js and wider.js. */
  /** @type {((choices: Choice[], scene: Scene) => Choice[])[]} */
  adapts = [];
  /** The cards of a pass in the order in which they are given. @type {() => string[]} */
  order = () => [...this.hand.chosen];
  /** That order from before a reload; see wider.js. @type {string[]} */
  arranged = [];
  /** What is said of a card that has been chosen, or put back. @type {(card: Card) => string} */
  chosen = () => "";

  /** @param {Line} line */
  constructor(line) {
    this.line = line;
    this.hand = new Hand(by("hand"), by("whys"), {
      use: (card) => this.#use(card),
      proceed: () => this.#choices.find((each) => each.first)?.run(),
      changed: () => this.#paintActions(),
      raised: (card, again) => {
        const name = !again ? "raised_button" : this.hand.cautious ? "raised_early" : "raised_tap";
        line.tell([say(name, { card: card.name })]);
      },
    });
    this.bar = new Toolbar(by("actions"), () => this.home());
    for (const [id, word, allow] of /** @type {const} */ ([
      ["allow", "allow_undo", true],
      ["refuse", "refuse_undo", false],
    ])) {
      by(id).textContent = say(word);
      by(id).addEventListener("click", () => this.act({ action: "AnswerUndo", allow }));
    }
  }

  /** The buttons that there are now. */
  get choices() {
    return this.#choices;
  }

  /** Takes the focus where the person plays from: the hand, or the buttons of who has none. */
  home() {
    if (this.hand.focus() || this.bar.focus()) return;
    /** @type {HTMLElement | null} */ (by("questions").querySelector("[tabindex='0']"))?.focus();
  }

  /** @param {Message} welcome */
  greet({ person, seats }) {
    this.person = person;
    this.#agreed.clear();
    seats.forEach((/** @type {{accepts_clock: boolean}} */ seat, /** @type {number} */ place) => {
      if (seat.accepts_clock) this.#agreed.add(place);
    });
  }

  /** @param {News} news */
  see({ happening }) {
    if (happening.event !== "ClockAccepted") return;
    if (happening.accepted) this.#agreed.add(happening.seat);
    else this.#agreed.delete(happening.seat);
  }

  /** @param {Scene} scene */
  paint(scene) {
    this.scene = scene;
    const held = this.#holdsFocus();
    const seated = scene.seat !== null;
    by("hand-section").hidden = !seated;
    this.hand.cautious = scene.may.includes("PlayEarly");
    const passes = scene.may.includes("Pass");
    if (!passes) sessionStorage.removeItem("volte pass");
    else if (!this.hand.choosing && "volte pass" in sessionStorage) this.keep("restore");
    this.hand.paint(scene.hand, passes);
    setText(by("hand-empty"), seated && scene.hand.length === 0 ? say("no_cards") : "");
    setText(by("asked-text"), scene.asked === "" ? "" : say("asks_undo", { name: scene.asked }));
    by("asked").hidden = scene.asked === "";
    this.#paintActions();
    if (held && !this.#holdsFocus()) this.home();
  }

  /** Whether it has the focus, and shows: what is hidden keeps it until the page is drawn again. */
  #holdsFocus() {
    const active = document.activeElement;
    const parts = ["hand-section", "actions", "asked"].map(by);
    return parts.some((part) => !part.hidden && part.contains(active));
  }

  #paintActions() {
    const scene = this.scene;
    if (!scene) return;
    const choices = actionsOf(scene, {
      give: (command) => this.line.give(command),
      act: (action) => this.act(action),
      use: (card) => this.#use(card),
      pass: () => this.#pass(),
      home: () => this.home(),
      card: this.hand.card,
      chosen: this.hand.chosen,
      agreed: scene.seat !== null && this.#agreed.has(scene.seat),
    });
    this.#choices = this.adapts.reduce((all, adapt) => adapt(all, scene), choices);
    this.bar.paint(this.#choices);
  }

  /** @param {Record<string, unknown>} action */
  act(action) {
    void this.line.give({ do: "Act", action: { ...action, seat: this.scene?.seat } });
  }

  /**
   * Plays a card, or chooses it for the pass. Where another card has to be played, the table
   * says why, and which; out of turn, whose turn it is.
   * @param {Card} card
   */
  #use(card) {
    if (this.hand.choosing) this.#choose(card);
    else if (card.legal || card.why) this.act({ action: "Play", card: card.card });
    else this.line.show([this.scene?.status ?? ""], true);
  }

  /** @param {Card} one */
  #choose(one) {
    const { card } = one;
    const scene = this.scene;
    const chosen = this.hand.chosen;
    if (!scene) return;
    const most = scene.pass_count;
    if (!chosen.delete(card)) {
      if (chosen.size === most) {
        this.line.show([say("too_many_chosen", { most })], true);
        return;
      }
      chosen.add(card);
    }
    const whose = this.chosen(one);
    this.keep("remember");
    this.hand.paint(scene.hand, true);
    this.#paintActions();
    this.line.tell([whose, say("chosen", { count: chosen.size, most })].filter(Boolean));
  }

  /** @param {"remember" | "restore"} what to do with the cards that are chosen for the pass */
  keep(what) {
    void import("./chosen.js").then((chosen) => chosen[what](this));
  }

  #pass() {
    const most = this.scene?.pass_count ?? 0;
    const cards = this.order();
    if (cards.length === most) this.act({ action: "Pass", cards });
    else this.line.show([say("pass_first", { most, count: cards.length })], true);
  }
}
