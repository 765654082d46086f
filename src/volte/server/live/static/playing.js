/** The person's actions at the table: their hand, their buttons, and their consents. */

import { Toolbar, label } from "../../../web/static/buttons.js";
import { Hand, playButton } from "../../../web/static/hand.js";
import { keyOf } from "../../../web/static/keys.js";
import { alone, at, by, lang, say, setText } from "../../../web/static/page.js";
import { forget, isOver, remember, restore } from "./chosen.js";

/**
 * @typedef {import("./connection.js").Message} Message
 * @typedef {import("../../../web/static/page.js").Card} Card
 * @typedef {import("../../../web/static/page.js").News} News
 * @typedef {import("../../../web/static/page.js").Scene} Scene
 * @typedef {import("../../../web/static/buttons.js").Choice} Choice
 */

/**
 * The person's means to act and to be told things.
 * @typedef {{
 *   give: (command: Record<string, unknown>) => Promise<Message | null>,
 *   show: (lines: string[], refused: boolean, cards?: readonly string[]) => void,
 *   tell: (lines: string[]) => void,
 *   hint: () => void,
 *   bear: (focus: (text: string) => boolean) => void,
 * }} Line
 * `give` returns the server's answer to a command; `show` is for eyes and ears, `tell` for ears
 * alone.
 */

export class Playing {
  /** @type {Scene | null} */
  scene = null;
  person = "";
  /** @type {readonly Choice[]} */
  #choices = [];
  /** The seats whose people agree to a short clock. @type {Set<number>} */
  #agreed = new Set();

  /** Changes that refereed and wider tables make to the buttons; see referee.js and wider.js. */
  /** @type {((choices: Choice[], scene: Scene) => Choice[])[]} */
  adapts = [];
  /** Further buttons with keys, beside those of the toolbars; see meeting.js. */
  /** @type {(() => Choice[])[]} */
  offers = [];
  /** Cards of the pass, in the order in which they are given. @type {() => string[]} */
  order = () => [...this.hand.chosen];
  /** Cards of the pass in their order before a reload; see wider.js. @type {string[]} */
  arranged = [];
  /** The words for a card that has just been chosen or put back. @type {(card: Card) => string} */
  chosen = () => "";

  /** @param {Line} line */
  constructor(line) {
    this.line = line;
    this.hand = new Hand(by("hand"), by("whys"), {
      use: (card) => this.#use(card),
      proceed: () => this.#choices.find((each) => each.first)?.run(),
      changed: () => this.#paintActions(),
      bear: line.bear,
      raised: (card, again) => {
        const name = !again ? "raised_button" : this.hand.cautious ? "raised_early" : "raised_tap";
        line.tell([say(name, { card: card.name })]);
      },
    });
    this.bar = new Toolbar(by("actions"), () => this.home());
    this.more = new Toolbar(by("more"), () => this.home());
    // For eyes; ears find these buttons in the menu.
    setText(by("settled"), say("claim"));
    by("settled").addEventListener("click", () => this.act({ action: "Claim" }));
    this.menu = new Menu(by("menu"), () => this.#paintActions());
    for (const { id, run } of answers(this)) by(id).addEventListener("click", run);
  }

  settingsChanged() {
    for (const each of answers(this)) label(by(each.id), each);
  }

  /** The present buttons. */
  get choices() {
    const asked = this.scene?.asked ? answers(this) : [];
    return [...asked, ...this.offers.flatMap((offer) => offer()), ...this.#choices];
  }

  /** Moves the focus to the hand, or to the buttons for a person without a hand. */
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
    by("hand-section").hidden = by("to-hand").hidden = !seated;
    this.hand.cautious = scene.may.includes("PlayEarly");
    const passes = scene.may.includes("Pass");
    if (isOver(scene)) forget(this);
    else restore(this);
    this.hand.paint(scene.hand, passes);
    setText(by("hand-empty"), seated && scene.hand.length === 0 ? say("no_cards") : "");
    setText(by("asked-text"), scene.asked === "" ? "" : say("asks_undo", { name: scene.asked }));
    by("asked").hidden = scene.asked === "";
    const settled = scene.settled === true && scene.may.includes("Claim");
    by("settled").hidden = !settled;
    this.#paintActions();
    if (held && !this.#holdsFocus()) this.home();
  }

  /** Whether a shown button has the focus: a hidden one keeps it until the page is drawn again. */
  #holdsFocus() {
    const active = document.activeElement;
    const parts = ["hand-section", "actions", "more", "asked"].map(by);
    return parts.some((part) => !part.hidden && part.contains(active));
  }

  #paintActions() {
    const scene = this.scene;
    if (!scene) return;
    const choices = actionsOf(scene, {
      give: (command) => this.line.give(command),
      act: (action) => this.act(action),
      use: (card) => this.#use(card),
      tell: (lines) => this.line.show(lines, false),
      pass: () => this.#pass(),
      hint: () => this.line.hint(),
      home: () => this.home(),
      card: this.hand.card,
      chosen: this.hand.chosen,
      agreed: scene.seat !== null && this.#agreed.has(scene.seat),
    });
    this.#choices = this.adapts.reduce((all, adapt) => adapt(all, scene), choices);
    const { main, beside, others } = placed(this.#choices);
    this.bar.paint([...main, ...beside, this.menu.choice]);
    this.more.paint(others.map((each) => ({ ...each, icon: ICONS[each.key] })));
  }

  /** @param {Record<string, unknown>} action */
  act(action) {
    return this.line.give({ do: "Act", action: { ...action, seat: this.scene?.seat } });
  }

  /**
   * Plays or passes the cards that were typed; too few for a pass are chosen. Whether it worked.
   * @param {readonly string[]} cards
   */
  async type(cards) {
    const { hand, may, pass_count: most } = /** @type {Scene} */ (this.scene);
    const held = hand.filter(({ card }) => cards.includes(card));
    if (!may.includes("Pass")) {
      const [card] = held;
      if (card) this.hand.stepAside(card.card);
      const answer = await (card ? this.hand.use(card) : this.act({ action: "Play", card: cards[0] }));
      return answer?.ok === true;
    }
    const all = new Set([...this.hand.chosen, ...cards]);
    if (cards.length >= most || held.length < cards.length) {
      return (await this.act({ action: "Pass", cards }))?.ok === true;
    }
    const more = held.filter(({ card }) => !this.hand.chosen.has(card));
    if (all.size > most) this.line.show([say("too_many_chosen", { most })], true, [...cards]);
    else for (const each of more) this.#choose(each);
    return all.size <= most;
  }

  /**
   * Plays a card, or chooses it for the pass. If it may not be played, the table says why and
   * names the legal ones; out of turn, it says whose turn it is.
   * @param {Card} card
   */
  #use(card) {
    const waits = this.scene?.trick.some((each) => each.waiting);
    if (this.hand.choosing) this.#choose(card);
    else if (card.legal || card.why || waits) return this.act({ action: "Play", card: card.card });
    else this.line.show([this.scene?.status ?? ""], true, [card.card]);
    return null;
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
        this.line.show([say("too_many_chosen", { most })], true, [card]);
        return;
      }
      chosen.add(card);
    }
    const whose = this.chosen(one);
    this.keep();
    this.hand.paint(scene.hand, true);
    this.#paintActions();
    this.line.tell([whose, say("chosen", { count: chosen.size })].filter(Boolean));
  }

  /** Keeps the cards chosen for the pass, and their order, for a page that is loaded again. */
  keep() {
    remember(this);
  }

  #pass() {
    const most = this.scene?.pass_count ?? 0;
    const cards = this.order();
    if (cards.length === most) this.act({ action: "Pass", cards });
    else this.line.show([say("pass_first", { most, count: cards.length })], true);
  }
}

/**
 * Asks once more; see dialog.js.
 * @param {Parameters<typeof import("../../../web/static/dialog.js").askOnceMore>} question
 */
async function askOnceMore(...question) {
  (await import("../../../web/static/dialog.js")).askOnceMore(...question);
}

/**
 * The answers to somebody who asks to take a card back.
 * @param {Playing} playing
 */
function answers(playing) {
  /** @type {(id: string, allow: boolean, key: string) => Choice & {id: string, shortcut: string | null}} */
  const one = (id, allow, key) => ({
    ...{ id, key: id, label: say(`${id}_undo`), shortcut: keyOf(key) },
    run: () => playing.act({ action: "AnswerUndo", allow }),
  });
  return [one("allow", true, "accept"), one("refuse", false, "turn_down")];
}

/** Icons of buttons in the menu. @type {Record<string, string>} */
const ICONS = {
  ...{ Pause: "pause", Away: "bot", Stand: "leave", Claim: "has_passed" },
  ...{ MoreTime: "clock", AcceptClock: "clock", Seek: "invite" },
};
/** Buttons beside the main one, each in a place of its own. */
const BESIDE = ["AskUndo", "Hint"];
/** Buttons that can be the main one, the first that is there. */
const MAIN = ["TurnDown", "Cut", "Accept", "Start", "Play", "Pass", "TakeBackPass", "Next"];
const MAIN_TOO = ["Unpause", "Back", "Sit", "ChooseMoon", "Onward"];

/**
 * Sorts the buttons: the main one, those beside it, and those in the menu.
 * @param {readonly Choice[]} choices
 */
function placed(choices) {
  const counts = choices.filter(({ key }) => [...MAIN, ...MAIN_TOO].includes(key.split(" ")[0]));
  const main = counts.find((each) => each.first) ?? counts[0];
  return {
    main: main ? [{ ...main, guarded: true }] : [],
    beside: choices.filter(({ key }) => BESIDE.includes(key)),
    others: choices.filter((each) => each !== main && !BESIDE.includes(each.key)),
  };
}

/** The menu of seldom used buttons: always there for ears and Tab; eyes see it while it is open. */
class Menu {
  #open = false;

  /**
   * @param {HTMLElement} drawer
   * @param {() => void} changed
   */
  constructor(drawer, changed) {
    this.drawer = drawer;
    this.changed = changed;
    document.addEventListener("pointerdown", ({ target }) => {
      const here = target instanceof Element && target.closest("#menu, [data-key='Menu']");
      if (!here) this.#turn(false);
    });
    drawer.addEventListener("click", ({ detail }) => {
      if (detail > 0) this.#turn(false);
    });
    document.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#turn(false);
    });
  }

  /** @returns {Choice} */
  get choice() {
    const run = () => this.#turn(!this.#open);
    return { key: "Menu", label: say("menu"), drawn: "menu", open: this.#open, run };
  }

  /** @param {boolean} open */
  #turn(open) {
    if (open === this.#open) return;
    this.#open = open;
    this.drawer.classList.toggle("open", open);
    this.changed();
  }
}

// The buttons for the actions that the server allows the person now.

/**
 * The state and the callbacks of the buttons.
 * @typedef {{
 *   give: (command: Record<string, unknown>) => void,
 *   act: (action: Record<string, unknown>) => void,
 *   use: (card: Card) => void,
 *   tell: (lines: string[]) => void,
 *   pass: () => void,
 *   hint: () => void,
 *   home: () => void,
 *   card: Card | null,
 *   chosen: ReadonlySet<string>,
 *   agreed: boolean,
 * }} Now
 * `use` plays or chooses the `card` that the person has chosen; `agreed`: whether to a short clock.
 */

/**
 * @param {Scene} scene
 * @param {Now} now
 * @returns {Choice[]}
 */
export function actionsOf(scene, { give, act, use, tell, pass, hint, home, card, chosen, agreed }) {
  /** @type {Choice[]} */
  const choices = [];
  /** @type {(name: string, label: string, run: () => void, more?: Partial<Choice>) => void} */
  const offer = (name, label, run, more = {}) => {
    if (scene.may.includes(name)) choices.push({ key: name, label, run, ...more });
  };
  const first = true;
  offer("Start", scene.again || say("start"), () => give({ do: "Start" }), { first });
  const { next_table: next, evening, board } = scene;
  const ended = scene.phase === "ended";
  const to = next || (ended && (evening || board));
  if (to) {
    const back = evening ? "to_evening" : alone ? "to_deal" : "to_board";
    const address = at(alone ? `/${lang}/deals/?at=${to}` : to);
    const run = () => location.assign(address);
    choices.push({ key: "Onward", label: say(next ? "to_next_table" : back), run, first: ended });
  }
  if (scene.may.includes("Play")) {
    const about = `${scene.deal} ${scene.hand.length} ${card === null}`;
    choices.push({ ...playButton(card, use, tell), about });
  }
  const enough = chosen.size === scene.pass_count;
  const count = { count: chosen.size, most: scene.pass_count };
  offer("Pass", say(enough ? "pass_these" : "choose", count), pass, { first: enough });
  if (card && scene.may.includes("Pass")) {
    const name = chosen.has(card.card) ? "put_back" : "choose_card";
    choices.push({ key: "Choose", label: say(name, { card: card.name }), run: () => use(card) });
  }
  const shortcut = keyOf("put_right");
  offer("TakeBackPass", say("take_back_pass"), () => act({ action: "TakeBackPass" }), { shortcut });
  offer("Next", scene.again || say("next"), () => give({ do: "Next" }), { first });
  offer("DealAgain", say("deal_again"), () => give({ do: "DealAgain" }));
  offer("Unpause", say("unpause"), () => give({ do: "Unpause" }), { first });
  offer("Back", say("back_again"), () => give({ do: "Back" }), { first });
  if (scene.may.includes("Sit")) {
    for (const place of scene.open) {
      const run = () => give({ do: "Sit", seat: place });
      const label = say(scene.ask?.includes(place) ? "ask_seat" : "sit", { number: place + 1 });
      const free = scene.seats[place].state === "free";
      choices.push({ key: `Sit ${place}`, label, run, first: free });
    }
  }
  offer("AskUndo", say("undo"), () => act({ action: "AskUndo" }), { drawn: "undo", shortcut });
  offer("Hint", say("ask_hint"), hint, { drawn: "hint", shortcut: keyOf("hint") });
  offer("Claim", say("claim"), () => {
    const words = { title: say("sure_claim"), about: say("about_claim") };
    const answers = { yes: say("yes_claim"), no: say("no_claim") };
    void askOnceMore({ ...words, ...answers }, () => act({ action: "Claim" }), home);
  });
  offer("MoreTime", say("more_time"), () => give({ do: "MoreTime" }));
  const clock = say(agreed ? "refuse_clock" : "accept_clock");
  offer("AcceptClock", clock, () => give({ do: "AcceptClock", accept: !agreed }));
  offer("Pause", say("pause"), () => give({ do: "Pause" }));
  offer("Away", say("away"), () => give({ do: "Away" }));
  if (scene.seat === null) offer("Stand", say("forgo"), () => give({ do: "Stand" }));
  else if (!alone) offer("Stand", say("stand"), () => {
    const playing = !["waiting", "ended", "closed"].includes(scene.phase);
    const about = say(playing ? "about_stand" : "about_stand_free");
    const words = { title: say("sure_stand"), about, yes: say("stand"), no: say("no_stand") };
    void askOnceMore(words, () => give({ do: "Stand" }), home);
  });
  return choices;
}
