/**
 * What the person does at the table: commands and questions, each sent once, and the answers, shown
 * and said.
 */

import { keyOf } from "../../../web/static/keys.js";
import { by, opened, say } from "../../../web/static/page.js";
import { connection } from "./connection.js";

/** @typedef {import("./connection.js").Message} Message */
/** @typedef {import("../../../web/static/page.js").Scene} Scene */

/** The actions of keys. @type {Record<string, string>} */
const ACTIONS = {
  turn_down: "TurnDown",
  object: "Object",
  claim_revoke: "ClaimRevoke",
  cut: "Cut",
  accept: "Accept",
};

/** Key of the state that a refusal is about. @param {Scene} now */
const moment = (now) => `${now.deal} ${now.phase} ${now.turn} ${now.hand.length}`;

export class Acting {
  /** Unanswered commands, so that a second press does not give them twice. @type {Set<string>} */
  #onTheirWay = new Set();
  /** Commands that could not be stored, to be given again when the store is back. */
  /** @type {{command: Record<string, unknown>, quiet: boolean}[]} */
  #unsaved = [];
  /** The command, as text, that waits for the line; empty for none. */
  #waits = "";
  /** Number of questions that the person has asked. */
  #asked = 0;
  /** The moment of the previous scene. */
  #lastMoment = "";

  /**
   * @param {{
   *   scene: () => Scene | null,
   *   playing: import("./playing.js").Playing,
   *   underway: import("./underway.js").Underway,
   *   shown: import("../../../web/static/felt.js").Shown,
   *   announcer: import("../../../web/static/announcer.js").Announcer,
   *   listening: import("./listening.js").Listening,
   *   talk: () => void,
   *   rules: () => Promise<void>,
   *   turnTrick: () => void,
   *   home: () => void,
   * }} means `scene`: the last one; `talk`: opens the chat; `rules`: fetches the rules, unless they
   *   are there; `turnTrick`: shows the last trick
   */
  constructor(means) {
    this.means = means;
  }

  /**
   * Gives a command, and returns the answer; null where none can come.
   * @param {Record<string, unknown>} command
   * @param {boolean} [quiet] whether a refusal need not be told
   */
  async give(command, quiet = false) {
    const { announcer, shown, underway } = this.means;
    const scene = this.means.scene();
    const name = JSON.stringify(command);
    if (this.#onTheirWay.has(name)) return null;
    const card = playedBy(command);
    if (card && underway.any && connection.open) return null; // one card a turn
    const barred = scene?.hand.find((each) => each.card === card)?.why;
    if (barred && !connection.open && !this.#waits) {
      this.show([barred], true, [card]); // it would wait for the line in vain
      return null;
    }
    if (!connection.open && !quiet) {
      announcer.answer([say(this.#waits ? "one_waits" : "unsent")]);
      if (this.#waits) return null;
      this.#waits = name;
    }
    this.#onTheirWay.add(name);
    if (!quiet) shown.closeBut(null);
    const asked = connection.ask({ say: "do", command, seen: connection.seen });
    if (card && scene && !quiet) underway.leave(command, card, scene, moment(scene));
    const answer = await asked;
    this.#onTheirWay.delete(name);
    if (this.#waits === name) this.#waits = "";
    if (!answer?.ok) underway.comeBack(command);
    if (answer && !answer.ok && !quiet) this.show(answer.lines, true, card ? [card] : []);
    if (answer?.refusal?.reason === "not_saved") this.#unsaved.push({ command, quiet });
    return answer;
  }

  /** Gives the commands again that could not be stored. */
  giveAgain() {
    for (const { command, quiet } of this.#unsaved.splice(0)) void this.give(command, quiet);
  }

  /**
   * Asks what a key or a button of a question stands for.
   * @param {string} what
   * @param {number} number of a card of the trick, or of a seat, counted from the person's own
   */
  async ask(what, number) {
    const { announcer, home, listening, playing } = this.means;
    const scene = this.means.scene();
    const show = this.show.bind(this);
    if (what === "keys") {
      const { showKeys } = await import("../../../web/static/help.js");
      const now = this.means.scene();
      if (now) await showKeys(now, playing.choices, home);
      return;
    }
    if (what === "talk") return this.means.talk();
    if (what === "verbosity") {
      const failed = () => show([say("not_saved")], true);
      return import("./verbosity.js").then(({ change }) => change(show, failed), failed);
    }
    if (what === "rules") {
      await this.means.rules();
      return announcer.answer(opened(by("rules-part")));
    }
    if (what === "cards") {
      const { typeCards } = await import("./typing.js");
      return typeCards(playing, (text) => this.question("cards", { text }), show);
    }
    if (what === "last") this.means.turnTrick();
    if (what === "sheet") by("sheet-part").setAttribute("open", "");
    const seats = scene?.seats.length ?? 0;
    const seat = ((scene?.seat ?? 0) + number - 1) % Math.max(seats, number);
    const about = what === "seat" ? seat : number;
    if (!connection.open && scene) return listening.recall(what, about);
    const mine = (this.#asked += 1);
    const answer = await this.question(what, what === "seat" ? { seat } : { card: number });
    if (!answer && mine === this.#asked && !connection.open) listening.recall(what, about);
    if (!answer) return;
    const cards = answer.cards ?? [];
    show(answer.lines, !answer.ok, cards);
    if (what === "hint") playing.hand.advise(cards);
  }

  /**
   * Does what a key is for, if the person may; else the table says why not.
   * @param {string} what
   */
  act(what) {
    const { listening, playing } = this.means;
    const scene = this.means.scene();
    if (!scene || by("game").inert) return; // a dialog is open
    const choice = playing.choices.find(({ shortcut }) => shortcut && shortcut === keyOf(what));
    if (choice) return choice.run();
    if (!connection.open) return listening.recall(what, 0);
    const { refereed, seat, phase } = scene;
    const undone = phase === "passing" ? "TakeBackPass" : refereed ? "TakeBack" : "AskUndo";
    const action = ACTIONS[what] ?? undone;
    const act = { action, seat: seat ?? 0, against: seat ? 0 : 1, trick: 1 };
    void this.give({ do: "Act", action: act });
  }

  /**
   * @param {string} what
   * @param {Record<string, unknown>} [more]
   */
  question(what, more = {}) {
    return connection.ask({ say: "ask", what, places: false, ...more });
  }

  /**
   * Shows an answer, and says it.
   * @param {readonly string[]} lines
   * @param {boolean} refused
   * @param {readonly string[]} [cards] the cards that it is about
   */
  show(lines, refused, cards = []) {
    const { announcer, playing, shown } = this.means;
    const scene = this.means.scene();
    const lasting = (refused || cards.length > 0) && scene ? moment(scene) : null;
    shown.show(lines, { refused, moment: lasting, at: playing.hand.middle(cards) });
    if (refused) for (const card of cards) playing.hand.shake(card);
    announcer.answer(lines, "answer", refused);
  }

  /**
   * Takes answers away that held for the moment before a scene only.
   * @param {Scene} scene
   */
  dropOutdated(scene) {
    const { playing, shown, underway } = this.means;
    const now = moment(scene);
    if (now !== this.#lastMoment) playing.hand.advise([]);
    underway.forget(now);
    this.#lastMoment = now;
    shown.closeBut(now);
  }
}

/**
 * The card that a command plays; empty for any other command.
 * @param {Record<string, any>} command
 * @returns {string}
 */
function playedBy({ action }) {
  return action?.action === "Play" ? action.card : "";
}
