/** Help for newcomers, and the dialog of the keys that work now. */

import { DOUBLES, QUESTIONS, REVIEWS, keyOf } from "./keys.js";
import { at, by, make, request, say, settings } from "./page.js";
import { lasting } from "./storage.js";

/** @typedef {import("./page.js").Scene} Scene @typedef {import("./buttons.js").Choice} Choice */
/** @typedef {{keys: string, does: string}} Line one or several keys, and their effect */

/**
 * Shows the keys that work now, and their effects.
 * @param {Scene} scene
 * @param {readonly Choice[]} choices the present buttons
 * @param {() => void} home takes the focus if it cannot return
 */
export async function showKeys(scene, choices, home) {
  const groups = [
    part(say("keys_moving"), movesOf(scene, choices)),
    part(say("keys_referee"), rulingsOf(choices)),
    part(say("keys_asking"), asksOf(scene)),
    part(say("keys_hearing"), reviews()),
  ];
  const note = settings.keys === false ? [make("p", {}, say("keys_off"))] : [];
  const how = [make("h3", {}, say("intro_title")), listed(lessons())];
  const { showDialog } = await import("./dialog.js");
  showDialog(say("keys_title"), say("keys_about"), [...groups.flat(), ...note, ...how], home);
}

/**
 * @param {string} heading
 * @param {readonly Line[]} lines
 * @returns {Node[]} nothing, where there are no lines
 */
function part(heading, lines) {
  if (lines.length === 0) return [];
  const rows = lines.map(({ keys, does }) =>
    make("li", {}, [
      make("span", {}, [make("kbd", {}, keys), make("span", { class: "hidden" }, ": ")]),
      make("span", { class: "does" }, does),
    ]),
  );
  return [make("h3", {}, heading), make("ul", { class: "keys", role: "list" }, rows)];
}

/**
 * @param {Scene} scene
 * @param {readonly Choice[]} choices
 * @returns {Line[]}
 */
function movesOf(scene, choices) {
  /** @type {Line[]} */
  const lines = [];
  const first = choices.find((each) => each.first);
  if (scene.hand.length > 0) {
    const jump = settings.order === "rank" ? "does_jump_rank" : "does_jump";
    lines.push(
      { keys: say("key_sides"), does: say("does_sides") },
      { keys: say("key_ends"), does: say("does_ends") },
      { keys: say("key_jump"), does: say(jump) },
    );
    if (scene.may.includes("Pass")) lines.push({ keys: say("key_use"), does: say("does_choose") });
    if (scene.may.includes("Play")) lines.push({ keys: say("key_use"), does: say("does_play") });
    if (settings.keys !== false) lines.push({ keys: ".", does: say("does_type") });
  } else if (first) {
    lines.push({ keys: say("key_use"), does: first.label });
  }
  lines.push({ keys: say("key_tab"), does: say("does_tab") });
  if (scene.seat !== null) lines.push({ keys: say("key_escape"), does: say("does_escape") });
  return lines;
}

/**
 * Buttons that have keys: those of a refereed table.
 * @param {readonly Choice[]} choices
 * @returns {Line[]}
 */
function rulingsOf(choices) {
  return choices.flatMap(({ key, label, shortcut }) =>
    shortcut && key !== "Hint" ? [{ keys: shortcut.toUpperCase(), does: label }] : [],
  );
}

/**
 * @param {Scene} scene
 * @returns {Line[]}
 */
function asksOf(scene) {
  if (settings.keys === false) return [];
  const lines = linesOf(QUESTIONS, "ask").filter(({ what }) => answered(what, scene));
  if (scene.phase !== "playing") return lines;
  const seats = scene.seats.length;
  const keys = say(seats > 9 ? "key_digits_ten" : "key_digits", { number: seats });
  const digits = { keys, does: say("does_digits") };
  const shifted = { keys: say("key_shift", { keys }), does: say("does_seats") };
  return [lines[0], digits, ...lines.slice(1), shifted];
}

/**
 * Whether a question has an answer now.
 * @param {string} what
 * @param {Scene} scene
 */
function answered(what, scene) {
  switch (what) {
    case "table":
    case "points":
      return scene.phase === "playing";
    case "hand":
      return scene.hand.length > 0;
    case "last":
    case "tricks":
      return scene.last.length > 0;
    case "hint":
      return scene.may.includes("Hint");
    case "rules":
    case "talk":
    case "verbosity":
    case "keys":
    case "who":
    case "room":
      return true;
  }
  return scene.phase !== "waiting";
}

/** @returns {Line[]} */
function reviews() {
  if (settings.keys === false) return [];
  return linesOf(REVIEWS, "does");
}

/**
 * Lines about keys, and about the same with Shift.
 * @param {readonly string[]} names
 * @param {string} word that begins the names of their sentences
 */
function linesOf(names, word) {
  const single = names.map((what) => ({ what, keys: written(what) }));
  const double = single.flatMap(({ what, keys }) =>
    DOUBLES[what] ? [{ what: DOUBLES[what], keys: say("key_shift", { keys }) }] : [],
  );
  return [...single, ...double].map((each) => ({ ...each, does: say(`${word}_${each.what}`) }));
}

/**
 * Name of a key, to be shown; empty if there is none.
 * @param {string} what
 */
function written(what) {
  return keyOf(what)?.toUpperCase() ?? "";
}

// For newcomers

/**
 * The page in one minute: for ears it is there until it has been read once; for eyes it comes in
 * small notes, and in one piece whenever it is asked for. It never takes the focus by itself.
 */
export class Welcome {
  #panel = by("intro");
  #read = settings.helped === true;
  #notes = this.#read ? null : new Notes(() => this.#keep());

  /** @param {() => void} home takes the focus when the help is put away */
  constructor(home) {
    this.home = home;
    this.#show(!this.#read);
  }

  /** Shows the help to eyes too, and leads there. */
  open() {
    this.#show(true);
    this.#panel.classList.add("open");
    by("intro-title").focus();
  }

  /** Writes the help with the keys that work now. */
  settingsChanged() {
    const got = make("button", { type: "button", class: "first" }, say("intro_done"));
    got.addEventListener("click", () => this.#putAway());
    this.#panel.replaceChildren(
      make("h2", { id: "intro-title", tabindex: "-1" }, say("intro_title")),
      listed(lessons()),
      make("p", { class: "buttons" }, [got]),
    );
  }

  /** @param {Scene} scene */
  paint(scene) {
    this.#notes?.paint(scene);
  }

  #putAway() {
    this.#show(false);
    this.home();
    this.#keep();
  }

  /** Notes that the help has been read, by ear or note by note. */
  #keep() {
    if (!this.#read) void keepHelped();
    this.#read = true;
    this.#notes?.leave();
    this.#notes = null;
  }

  /** @param {boolean} shown */
  #show(shown) {
    this.#panel.hidden = !shown;
    this.#panel.classList.remove("open");
  }
}

/** @param {readonly string[]} lines */
const listed = (lines) => make("ul", {}, lines.map((line) => make("li", {}, line)));

/** Key in the browser's storage of the names of the notes that have been read. */
const READ = "volte notes";

/**
 * Notes for a newcomer, each shown once when and where it is needed: it goes when they have done
 * the act it is about. Ears have the page in one minute instead.
 */
class Notes {
  /** @type {string[]} */
  #read = lasting.value(READ, []);
  #shown = "";
  /** The moment at which the present note was shown. */
  #since = "";
  #box = by("note");

  /** @param {() => void} done when all have been read */
  constructor(done) {
    this.done = done;
    this.#box.addEventListener("click", () => this.#tick());
  }

  /** @param {Scene} scene */
  paint(scene) {
    const now = `${scene.deal} ${scene.hand.length}`;
    const due = NOTES.filter(({ when }) => when(scene));
    const stands = due.some(({ name }) => name === this.#shown) && now === this.#since;
    if (this.#shown !== "" && !stands) this.#tick();
    const next = due.find(({ name }) => !this.#read.includes(name));
    if (this.#shown !== "" || !next) return;
    this.#shown = next.name;
    this.#since = now;
    this.#box.replaceChildren(make("span", {}, next.text()));
  }

  /** Notes that the present note has been read. */
  #tick() {
    this.#read.push(this.#shown);
    lasting.set(READ, JSON.stringify(this.#read));
    this.#shown = "";
    this.#box.replaceChildren();
    if (NOTES.every(({ name }) => this.#read.includes(name))) this.done();
  }

  /** Leaves the line empty: the felt does not grow while it is looked at. */
  leave() {
    this.#box.replaceChildren();
  }
}

/** @param {Scene} scene */
const playing = ({ may }) => may.includes("Play");

/** @type {{name: string, when: (scene: Scene) => boolean, text: () => string}[]} */
const NOTES = [
  { name: "pass", when: ({ may }) => may.includes("Pass"), text: () => say(`${pressed()}_choose`) },
  {
    name: "play",
    when: (scene) => playing(scene) && !barred(scene),
    text: () => toPlay(pressed()),
  },
  {
    name: "barred",
    when: (scene) => playing(scene) && barred(scene),
    text: () => say(`${pressed()}_barred`),
  },
  {
    name: "ask",
    when: (scene) => playing(scene) && scene.last.length > 0,
    text: () => say(typed() ? "note_ask_keys" : "note_ask", { key: written("keys") }),
  },
  { name: "look", when: ({ phase }) => phase === "between", text: () => say("note_settings") },
];

/** @param {Scene} scene whose hand has cards that may not be played now */
const barred = ({ hand }) => hand.some(({ why }) => why !== "");

/** Whether there is more than fingers, and so a keyboard for sure. */
const fine = () => window.matchMedia("(any-pointer: fine)").matches;
const typed = () => fine() && settings.keys !== false;

/** The way to press a card that the person uses first: `tap` or `click`. */
const pressed = () => (window.matchMedia("(pointer: coarse)").matches ? "tap" : "click");

/**
 * How a tap or a click plays a card, as the person has set it.
 * @param {string} by
 */
function toPlay(by) {
  const way = by === "tap" ? "twice" : "once";
  return say(`${by}_${settings.tap === "auto" ? way : settings.tap}`);
}

/** Lines of the help for newcomers; without the keys if there is only touch. */
function lessons() {
  const typing = fine();
  const lettered = typed();
  const asks = ["table", "scores", "turn"].map((what) =>
    say("intro_key", { key: written(what), name: say(`ask_${what}`) }),
  );
  return [
    ...(typing ? [say("intro_hand"), toPlay("click")] : []),
    ...(typing && !window.matchMedia("(any-pointer: coarse)").matches ? [] : [toPlay("tap")]),
    say("intro_barred"),
    lettered ? say("intro_ask_keys", { keys: asks.join(", ") }) : say("intro_ask"),
    say("intro_told"),
    ...(lettered ? [say("intro_repeat", { key: written("repeat") })] : []),
    ...(lettered ? [say("intro_all_keys", { key: written("keys") })] : []),
    say("intro_settings"),
  ];
}

/** Saves that the help need not be shown unasked again. */
async function keepHelped() {
  const csrf = document.querySelector("input[name=csrf]")?.getAttribute("value") ?? "";
  try {
    await request(at("/me/helped"), { method: "POST", body: new URLSearchParams({ csrf }) });
  } catch {
    // Then it is shown once more.
  }
}
