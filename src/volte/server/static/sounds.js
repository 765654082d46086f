/** A few soft sounds, made by Web Audio; each can be switched off, and none is the only sign. */

import { settings } from "./page.js";

/** @typedef {import("./page.js").News} News @typedef {import("./page.js").Scene} Scene */

/**
 * A note: hertz, seconds after the first one, seconds until it has died away, loudness up to 1.
 * @typedef {[number, number, number, number]} Note
 *
 * A sound: the setting that it obeys, how many seconds it leaves to what happens at the same time,
 * the seconds within which it is not heard again (so that a burst of cards does not rattle).
 * @typedef {{setting: string, after: number, rest: number, notes: Note[]}} Sound
 */

/** @type {Record<string, Sound>} */
export const SOUNDS = {
  card: { setting: "sound_cards", after: 0, rest: 0.12, notes: [[196, 0, 0.09, 0.5]] },
  turn: {
    setting: "sound_turn",
    after: 0.3,
    rest: 0.5,
    notes: [
      [659, 0, 0.25, 0.3],
      [880, 0.12, 0.4, 0.3],
    ],
  },
  mine: {
    setting: "sound_tricks",
    after: 0.1,
    rest: 0.3,
    notes: [
      [370, 0, 0.2, 0.35],
      [277, 0.1, 0.35, 0.35],
    ],
  },
  theirs: { setting: "sound_tricks", after: 0.1, rest: 0.3, notes: [[330, 0, 0.3, 0.25]] },
  deal: {
    setting: "sound_ends",
    after: 0.4,
    rest: 1,
    notes: [
      [523, 0, 0.4, 0.25],
      [415, 0.16, 0.4, 0.25],
      [349, 0.32, 0.7, 0.25],
    ],
  },
  moon: {
    setting: "sound_ends",
    after: 0.4,
    rest: 1,
    notes: [
      [262, 0, 1.6, 0.22],
      [392, 0.18, 1.5, 0.22],
      [494, 0.36, 1.4, 0.22],
      [740, 0.54, 1.3, 0.2],
      [1109, 0.72, 1.8, 0.16],
    ],
  },
  match: {
    setting: "sound_ends",
    after: 1.6,
    rest: 1,
    notes: [
      [294, 0, 1.2, 0.22],
      [440, 0.14, 1.1, 0.22],
      [587, 0.28, 1, 0.22],
      [1175, 0.42, 1.4, 0.14],
    ],
  },
  coming: {
    setting: "sound_people",
    after: 0.2,
    rest: 1,
    notes: [
      [466, 0, 0.25, 0.25],
      [622, 0.14, 0.35, 0.25],
    ],
  },
  going: {
    setting: "sound_people",
    after: 0.2,
    rest: 1,
    notes: [
      [622, 0, 0.25, 0.25],
      [466, 0.14, 0.35, 0.25],
    ],
  },
};

/** What else happens that is heard, and as what. @type {Record<string, string>} */
const HAPPENINGS = {
  Played: "card",
  Exchanged: "card",
  MatchEnded: "match",
  Sat: "coming",
  CameBack: "coming",
  Stood: "going",
  StoodIn: "going",
  Barred: "going",
};

/** What the person is asked for. */
const ASKED = ["Play", "Pass", "AnswerUndo"];

const LOUDNESS = 0.4;
/** Seconds in which a note swells, so that it does not click. */
const SWELL = 0.012;

export class Sounds {
  /** Made at the first gesture: before, browsers would not let it be heard. */
  /** @type {AudioContext | null} */
  #context = null;
  /** When each was heard last. @type {Map<Sound, number>} */
  #heard = new Map();
  /** @type {number | null} */
  #seat = null;
  /** The moment at which it was the person's turn; null before the first scene. */
  /** @type {string | null} */
  #turn = null;

  constructor() {
    if (navigator.userActivation?.hasBeenActive) this.#wake();
    for (const gesture of ["click", "keydown"]) {
      addEventListener(gesture, () => this.#wake(), { once: true, capture: true });
    }
  }

  /** @param {News} news */
  see({ happening, fresh }) {
    if (!fresh) return;
    switch (happening.event) {
      case "TrickTaken":
        this.#play(happening.seat === this.#seat ? "mine" : "theirs");
        break;
      case "DealScored":
        this.#play((happening.moon ?? happening.slam ?? null) === null ? "deal" : "moon");
        break;
      default:
        if (happening.event in HAPPENINGS) this.#play(HAPPENINGS[happening.event]);
    }
  }

  /** @param {Scene} scene */
  paint(scene) {
    this.#seat = scene.seat;
    const { may, deal, phase, hand, asked } = scene;
    const due = ASKED.some((action) => may.includes(action));
    const turn = due ? `${deal} ${phase} ${hand.length} ${asked}` : "";
    if (due && this.#turn !== null && turn !== this.#turn) this.#play("turn");
    this.#turn = turn;
  }

  #wake() {
    try {
      this.#context ??= new AudioContext();
    } catch {
      // Without sound everything is said and shown all the same.
    }
  }

  /** @param {string} name */
  #play(name) {
    const context = this.#context;
    const sound = SOUNDS[name];
    if (!context || !settings[sound.setting]) return;
    if (document.hidden && name !== "turn") return;
    if (context.state !== "running") {
      context.resume().catch(() => {}); // it may have been put to sleep with the page
      return;
    }
    const now = context.currentTime;
    if (now - (this.#heard.get(sound) ?? -Infinity) < sound.rest) return;
    this.#heard.set(sound, now);
    for (const note of sound.notes) strike(context, now + sound.after, note);
  }
}

/**
 * One note that swells and dies away.
 * @param {AudioContext} context
 * @param {number} from
 * @param {Note} note
 */
function strike(context, from, [pitch, after, length, loudness]) {
  const start = from + after;
  const tone = new OscillatorNode(context, { type: "sine", frequency: pitch });
  const loud = new GainNode(context, { gain: 0 });
  loud.gain.setValueAtTime(0, start);
  loud.gain.linearRampToValueAtTime(loudness * LOUDNESS, start + SWELL);
  loud.gain.exponentialRampToValueAtTime(0.0005, start + length);
  tone.connect(loud).connect(context.destination);
  tone.start(start);
  tone.stop(start + length);
}
