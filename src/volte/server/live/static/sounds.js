/** The sounds of a table: few, soft, each from its player's place, and none the only sign. */

import { LOUDNESS, MIDDLE, SOUNDS, placeOf, strike } from "../../../web/static/cues.js";
import { settings, stepsTo } from "../../../web/static/page.js";

/** @typedef {import("../../../web/static/page.js").News} News */
/** @typedef {import("../../../web/static/page.js").Scene} Scene */

/** Sounds of other happenings, by event. @type {Record<string, string>} */
const HAPPENINGS = {
  Exchanged: "card",
  MatchEnded: "match",
  Sat: "coming",
  CameBack: "coming",
  Stood: "going",
  StoodIn: "going",
  Barred: "going",
};

/** Actions whose request is heard. */
const ASKED = ["Play", "Pass", "AnswerUndo"];

const QUEEN = "QS";
/** Seconds between two cards that only a sound tells, so that ears can tell them apart. */
const APART = 0.22;
/** Seconds by which such a card may be late; one that would come later is told by words. */
const LATEST = 2;

export class Sounds {
  /** The audio context, made at the first gesture: before that, browsers keep it silent. */
  /** @type {AudioContext | null} */
  #context = null;
  /** When each sound was last heard. @type {Map<string, number>} */
  #heard = new Map();
  /** Time of the last card's sound, on the clock of the context. */
  #last = -Infinity;
  /** The table; null before the first scene. @type {Scene | null} */
  #scene = null;
  /** Key of the person's last turn that was heard. */
  #turn = "";
  /** Number of cards in the trick. */
  #lying = 0;
  /** Seat that has played since the last scene. @type {number | null} */
  #player = null;
  /** Whether the queen of spades counts in this match. */
  #feared = false;

  constructor() {
    if (navigator.userActivation?.hasBeenActive) this.#wake();
    for (const gesture of ["click", "keydown"]) {
      addEventListener(gesture, () => this.#wake(), { once: true, capture: true });
    }
  }

  /** Whether the next card will be heard from its player's place, so that words need no name. */
  get naming() {
    const running = this.#context?.state === "running" && !document.hidden && this.#scene;
    return settings.sounds === "names" && settings.sound_cards && running && this.#late < LATEST;
  }

  /** Seconds that the next card has to wait for earlier ones. */
  get #late() {
    return this.#last + APART - (this.#context?.currentTime ?? 0);
  }

  /** @param {News} news */
  see({ happening, fresh }) {
    const { event, seat = null } = happening;
    if (event === "MatchStarted") {
      /** @type {[string, number][]} */
      const worth = happening.rules?.points.table ?? [];
      this.#feared = worth.some(([card]) => card === QUEEN);
    }
    if (!fresh) return;
    switch (event) {
      case "Played":
        this.#lay(seat, happening.card);
        break;
      case "TrickTaken":
        this.#lying = 0;
        if (seat === this.#scene?.seat) this.#play("mine");
        else this.#play("theirs", seat);
        break;
      case "TrickHeld":
        this.#lying = 0;
        break;
      case "DealScored":
        this.#play((happening.moon ?? happening.slam ?? null) === null ? "deal" : "moon");
        break;
      default:
        if (event in HAPPENINGS) this.#play(HAPPENINGS[event], seat);
    }
  }

  /** Plays the sound of somebody who comes without a seat. */
  come() {
    this.#play("coming");
  }

  /** @param {Scene} scene */
  paint(scene) {
    const before = this.#scene;
    this.#scene = scene;
    this.#lying = scene.trick.length;
    if (this.#player !== null && before?.broken === false && scene.broken) {
      this.#play("broken", this.#player);
    }
    this.#player = null;
    const { may, deal, phase, hand, asked } = scene;
    const due = ASKED.some((action) => may.includes(action));
    const turn = due ? `${deal} ${phase} ${hand.length} ${asked}` : "";
    const ready = scene.next_table && !before?.next_table;
    if (before !== null && (ready || (due && turn !== this.#turn))) this.#play("turn");
    this.#turn = turn;
  }

  /**
   * Plays the sound of a card laid on the table.
   * @param {number} seat
   * @param {string} card
   */
  #lay(seat, card) {
    this.#play(this.#lying === 0 ? "lead" : "card", seat);
    this.#lying += 1;
    this.#player = seat;
    if (this.#feared && card.replace("'", "") === QUEEN) this.#play("queen", seat);
  }

  #wake() {
    try {
      this.#context ??= new AudioContext();
    } catch {
      // Everything that has a sound is also said and shown.
    }
  }

  /**
   * @param {string} name
   * @param {number | null} [seat] the seat that it comes from
   */
  #play(name, seat = null) {
    const context = this.#context;
    const { setting, after, rest } = SOUNDS[name];
    const loudness = LOUDNESS[settings.sounds];
    if (!context || !settings[setting] || !loudness) return;
    if (document.hidden && name !== "turn" && name !== "coming") return;
    if (context.state !== "running") {
      context.resume().catch(() => {}); // it may have been put to sleep with the page
      return;
    }
    const now = context.currentTime;
    let from = Math.max(now, this.#last) + after;
    if (name === "card" || name === "lead") {
      if (this.naming) from = now + Math.max(0, this.#late);
      else if (now - this.#last < rest) return;
      this.#last = from;
    } else {
      if (now - (this.#heard.get(name) ?? -Infinity) < rest) return;
      this.#heard.set(name, now);
    }
    strike(context, name, { from, loudness, place: this.#placeOf(seat) });
  }

  /** @param {number | null} seat */
  #placeOf(seat) {
    const scene = this.#scene;
    if (seat === null || scene === null) return MIDDLE;
    return placeOf(stepsTo(seat, scene), scene.seats.length);
  }
}
