/**
 * Additions of a refereed table, fetched only there: its buttons and their keys, objections,
 * claims, and the last ruling, to be read.
 */

import { closeDialog, headed, open } from "../../../web/static/dialog.js";
import { keyOf } from "../../../web/static/keys.js";
import { by, linkStyle, make, say, setText } from "../../../web/static/page.js";

/** @typedef {import("../../../web/static/page.js").Scene} Scene */
/** @typedef {import("../../../web/static/page.js").News} News */
/** @typedef {import("../../../web/static/buttons.js").Choice} Choice */
/** @typedef {import("./playing.js").Playing} Playing */
/** @typedef {(what: string) => Promise<import("./connection.js").Message | null>} Question */

/** Happenings that come with a ruling. */
const RULED = ["Objected", "TakenBack", "RevokeClaimed", "TricksMixed", "Misdealt"];
/** Happenings after which the last ruling is out of date. */
const OVER = ["Dealt", "TrickTaken", "TrickHeld", "DealScored"];
/** Rulings that replace the last one; `TakenBack` only adds to the objection before it. */
const BEGINS = ["Objected", "RevokeClaimed", "TricksMixed", "Misdealt"];

linkStyle("server/live/static/referee.css");

export class Referee {
  /** The last ruling. @type {string[]} */
  #ruling = [];
  #painted = false;
  #strip = make("p", { id: "ruling", class: "ruling" });

  /**
   * @param {Playing} playing
   * @param {Question} question
   */
  constructor(playing, question) {
    this.playing = playing;
    this.question = question;
    by("facts").after(this.#strip);
    playing.adapts.push((choices, scene) => this.#adapt(choices, scene));
  }

  /** @param {News} news */
  see({ happening: { event, clause }, lines }) {
    if (OVER.includes(event) || BEGINS.includes(event) || clause === "I4") this.#ruling = [];
    if (RULED.includes(event)) this.#ruling.push(...lines);
  }

  /** @param {Scene} scene */
  paint(scene) {
    this.#strip.hidden = scene.refereed !== true;
    this.#strip.classList.toggle("fresh", this.#ruling.length > 0);
    setText(this.#strip, this.#ruling.join(" ") || say("has_referee"));
    if (!this.#painted) this.playing.paint(scene); // its buttons were painted without ours
    this.#painted = true;
  }

  // Buttons

  /**
   * Adds the referee's buttons; the action that is waited for comes first.
   * @param {Choice[]} choices
   * @param {Scene} scene
   * @returns {Choice[]}
   */
  #adapt(choices, scene) {
    if (!scene.refereed) return choices;
    const play = choices.find(({ key }) => key === "Play");
    const at = play ? choices.indexOf(play) + 1 : 0;
    if (play && scene.full) play.first = false; // a lead turns the trick down as well
    const next = choices.find(({ key }) => key === "Next");
    if (next && scene.reckoning) next.label = say("nothing_to_claim");
    return [
      ...this.#due(scene),
      ...choices.slice(0, at),
      ...this.#early(scene),
      ...this.#more(scene),
      ...choices.slice(at),
    ];
  }

  /** @param {Scene} scene */
  #due(scene) {
    const act = (/** @type {string} */ action) => () => this.playing.act({ action });
    return [
      { key: "TurnDown", label: say("turn_down"), shortcut: keyOf("turn_down") },
      { key: "Cut", label: say("cut"), shortcut: keyOf("cut") },
      { key: "Accept", label: say("accept"), shortcut: keyOf("accept") },
    ]
      .filter(({ key }) => scene.may.includes(key))
      .map((each) => ({ ...each, first: true, run: act(each.key) }));
  }

  /**
   * The button that plays the focused card out of turn.
   * @param {Scene} scene
   * @returns {Choice[]}
   */
  #early({ may }) {
    const { card } = this.playing.hand;
    if (!card || !may.includes("PlayEarly")) return [];
    const label = say("play_early", { card: card.name });
    const run = () => this.playing.act({ action: "Play", card: card.card });
    return [{ key: "PlayEarly", label, run }];
  }

  /** @param {Scene} scene */
  #more(scene) {
    return [
      {
        key: "TakeBack",
        label: say("put_right"),
        shortcut: keyOf("put_right"),
        run: () => this.playing.act({ action: "TakeBack" }),
      },
      {
        key: "Object",
        label: say("object"),
        shortcut: keyOf("object"),
        run: () => this.#object(scene),
      },
      {
        key: "ClaimRevoke",
        label: say("claim_revoke"),
        shortcut: keyOf("claim_revoke"),
        run: () => void this.#claim(scene),
      },
    ].filter(({ key }) => scene.may.includes(key));
  }

  // Dialogs

  /**
   * Asks whose card the person objects to.
   * @param {Scene} scene
   */
  #object({ trick, seat: own, seats }) {
    const cards = trick.filter(({ seat }) => seat !== own);
    const buttons = cards.map(({ seat, name, early }) => {
      const card = early ? say("early_card", { card: name }) : name;
      const text = say("object_to", { name: seats[seat].name, card });
      const button = make("button", { type: "button" }, text);
      button.addEventListener("click", () => {
        closeDialog();
        this.playing.act({ action: "Object", against: seat });
      });
      return make("li", {}, [button]);
    });
    const list = make("ul", { class: "choose", role: "list" }, buttons);
    const last = make("p", { class: "buttons" }, [neverMind()]);
    this.#ask(say("object_title"), say("object_about"), [list, last]);
  }

  /**
   * Asks for the player who has revoked, and the trick, out of those turned down.
   * @param {Scene} scene
   */
  async #claim({ seat: own, seats }) {
    const answer = await this.question("tricks");
    if (!answer?.ok) return;
    const players = seats.map(({ name }, value) => ({
      value,
      text: value === own ? say("claim_own") : name,
    }));
    const tricks = answer.lines.map((/** @type {string} */ text, /** @type {number} */ place) => ({
      value: place + 1,
      text,
    }));
    const who = oneOf("against", say("claim_who"), players);
    const which = oneOf("trick", say("claim_which"), tricks.reverse());
    const fault = make("span", { id: "claim-fault", class: "fault", hidden: "" });
    const sure = make("button", { type: "button", class: "first" }, say("claim_sure"));
    sure.addEventListener("click", () => {
      const [against, trick] = [who, which].map(chosen);
      if (against === null || trick === null) {
        const missing = against === null ? who : which;
        setText(fault, say(against === null ? "claim_no_one" : "claim_no_trick"));
        fault.hidden = false;
        missing.querySelector("input")?.focus();
        return;
      }
      closeDialog();
      this.playing.act({ action: "ClaimRevoke", against, trick });
    });
    const buttons = make("p", { class: "buttons" }, [fault, sure, neverMind()]);
    this.#ask(say("claim_title"), say("claim_about"), [], [who, which, buttons]);
  }

  /**
   * @param {string} title
   * @param {string} about
   * @param {Node[]} content
   * @param {Node[]} [rest] what is too long for one breath
   */
  #ask(title, about, content, rest) {
    open([...headed(title, about), ...content], () => this.playing.home(), rest);
  }
}

/** The button that only closes the dialog. */
function neverMind() {
  const button = make("button", { type: "button" }, say("never_mind"));
  button.addEventListener("click", closeDialog);
  return button;
}

/**
 * A group of radio buttons, none chosen at first. Tab stops at one of them, arrows go on.
 * @param {string} name
 * @param {string} legend
 * @param {readonly {value: number, text: string}[]} options
 */
function oneOf(name, legend, options) {
  const inputs = options.map(({ value }, place) => {
    const told = { "aria-describedby": "claim-fault", tabindex: place === 0 ? "0" : "-1" };
    return make("input", { type: "radio", name, value: String(value), ...told });
  });
  const lines = options.map(({ text }, place) =>
    make("label", {}, [inputs[place], make("span", {}, text)]),
  );
  const group = make("fieldset", { class: "one-of" }, [
    make("legend", {}, [make("h3", {}, legend)]),
    ...lines,
  ]);
  group.addEventListener("change", ({ target }) => {
    for (const input of inputs) input.tabIndex = input === target ? 0 : -1;
  });
  return group;
}

/**
 * The value that is chosen in a group; null for none.
 * @param {HTMLElement} group
 */
function chosen(group) {
  const input = group.querySelector("input:checked");
  return input ? Number(/** @type {HTMLInputElement} */ (input).value) : null;
}
