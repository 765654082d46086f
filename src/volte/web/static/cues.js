/** The notes of each sound and its place; buttons on the page of settings play them. */

/**
 * A note: hertz, seconds after the first one, seconds until it has died away, loudness up to 1.
 * @typedef {[number, number, number, number]} Note
 *
 * A sound: the setting that it obeys, how many seconds it leaves to what happens at the same time,
 * the seconds within which it is not heard again (so that a burst of cards does not rattle), and
 * how its notes are made, where they are no plain tones.
 * @typedef {{setting: string, after: number, rest: number, notes: Note[],
 *   type?: OscillatorType}} Sound
 *
 * Place of a sound: -1 for the left, 0 for the middle, 1 for the right; `deep` tells the own seat
 * from the one across.
 * @typedef {{pan: number, deep: boolean}} Place
 */

/** @type {Record<string, Sound>} */
export const SOUNDS = {
  // A tone of a knock, with a click that tells ears better where it is.
  card: {
    setting: "sound_cards",
    after: 0,
    rest: 0.12,
    notes: [
      [196, 0, 0.09, 0.5],
      [1180, 0, 0.04, 0.15],
    ],
  },
  lead: {
    setting: "sound_cards",
    after: 0,
    rest: 0.12,
    notes: [
      [262, 0, 0.09, 0.5],
      [1570, 0, 0.04, 0.15],
      [392, 0.1, 0.16, 0.45],
    ],
  },
  queen: {
    setting: "sound_cards",
    after: 0.1,
    rest: 0.3,
    type: "triangle",
    notes: [
      [208, 0, 0.7, 0.35],
      [220, 0, 0.7, 0.35],
    ],
  },
  broken: {
    setting: "sound_cards",
    after: 0.2,
    rest: 0.3,
    type: "triangle",
    notes: [
      [988, 0, 0.14, 0.3],
      [740, 0.08, 0.14, 0.3],
      [494, 0.16, 0.35, 0.3],
    ],
  },
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

/** Loudness by the setting `sounds`. @type {Record<string, number>} */
export const LOUDNESS = { off: 0, quiet: 0.12, on: 0.4, names: 0.4 };

/** Seconds in which a note swells, so that it does not click. */
const SWELL = 0.012;
/** The farthest to the side: below 1, so that people with one ear still hear all sounds. */
const WIDTH = 0.9;
/** Pitch of the own seat against the others, in cents: a fourth deeper. */
const DEEPER = -500;

/** Place of a sound that belongs to no seat. @type {Place} */
export const MIDDLE = { pan: 0, deep: false };

/**
 * Place of a seat's sounds: the others sit in a row from left to right, in the order of play, so
 * that each has a place of its own; the own seat is in the middle.
 * @param {number} steps places to the left of the own seat
 * @param {number} count number of seats
 * @returns {Place}
 */
export function placeOf(steps, count) {
  if (steps === 0) return { pan: 0, deep: true };
  return { pan: count > 2 ? WIDTH * ((2 * (steps - 1)) / (count - 2) - 1) : 0, deep: false };
}

/**
 * Plays a sound.
 * @param {BaseAudioContext} context
 * @param {string} name
 * @param {{from: number, loudness: number, place?: Place}} how `from`: when it begins, by the
 *   clock of the context
 */
export function strike(context, name, { from, loudness, place = MIDDLE }) {
  const side = new StereoPannerNode(context, { pan: place.pan });
  side.connect(context.destination);
  const { notes, type = "sine" } = SOUNDS[name];
  for (const [frequency, after, length, strength] of notes) {
    const start = from + after;
    const detune = place.deep ? DEEPER : 0;
    const tone = new OscillatorNode(context, { type, frequency, detune });
    const loud = new GainNode(context, { gain: 0 });
    // The note swells, and dies away.
    loud.gain.setValueAtTime(0, start);
    loud.gain.linearRampToValueAtTime(strength * loudness, start + SWELL);
    loud.gain.exponentialRampToValueAtTime(0.0005, start + length);
    tone.connect(loud).connect(side);
    tone.start(start);
    tone.stop(start + length);
  }
}

// On the page of settings, and at the table while the settings are open

/** Name of the example that plays a sound from all places. */
const PLACES = "places";
/** Seconds between the sounds of the example. */
const APART = 0.6;

/** @type {AudioContext | null} */
let context = null;

/**
 * Plays a sound as loud as is chosen beside it; quietly if sounds are off.
 * @param {string} name
 */
async function hear(name) {
  context ??= new AudioContext();
  await context.resume();
  const field = document.querySelector("#settings-form [name=sounds]");
  const chosen = field instanceof HTMLSelectElement ? field.value : "on";
  const loudness = LOUDNESS[chosen] || LOUDNESS.quiet;
  const from = context.currentTime;
  if (name !== PLACES) {
    strike(context, name, { from, loudness });
    return;
  }
  for (const steps of [1, 2, 3]) {
    const place = placeOf(steps, 4);
    strike(context, "card", { from: from + (steps - 1) * APART, loudness, place });
  }
}

/** Shows the buttons that play the sounds, if the browser can play them. */
export function offer() {
  if (!("AudioContext" in window)) return;
  for (const button of document.querySelectorAll("button[data-hear]")) {
    if (!(button instanceof HTMLButtonElement)) continue;
    button.hidden = false;
    button.onclick = () => void hear(button.dataset.hear ?? "");
  }
}

offer();
