/** The page of a table: what the server tells is painted and said, what the person does is sent. */

import { actionsOf, hostActionsOf } from "./actions.js";
import { Announcer } from "./announcer.js";
import { Connection } from "./connection.js";
import { by, keyed, make, setAttribute, setText } from "./dom.js";
import { Hand } from "./hand.js";
import { SHORTCUTS, listenForKeys } from "./keys.js";
import { Sheet, addToLog, paintCards, paintHands, paintSeats } from "./painting.js";
import { Promises } from "./promises.js";
import { copyAddress, listenForSettings } from "./settings.js";
import { Toolbar } from "./toolbar.js";

/** @typedef {import("./connection.js").Message} Message */

/** More sentences than this, missed while the connection was lost, are not read out. */
const MOST_MISSED = 12;
/** Seconds before the end of the time at which it is said. */
const CLOCK_WARNING = 10;
/** Happenings after which the line closes, and says why: they have told it already. */
/** @type {Record<string, string>} */
const FAREWELLS = { Barred: "barred", Closed: "closed" };
/** @param {Message} now what a refusal was about, as long as that stays the same */
const moment = (now) => `${now.deal} ${now.phase} ${now.turn} ${now.hand.length}`;

const root = by("table");
/** @type {Record<string, string>} */
const words = JSON.parse(root.dataset.words ?? "{}");
/** @type {Record<string, any>} */
const settings = JSON.parse(root.dataset.settings ?? "{}");
const table = root.dataset.table ?? "";

/**
 * A sentence of the page, its places filled in.
 * @param {string} name
 * @param {Record<string, string | number>} [places]
 */
function say(name, places = {}) {
  return (words[name] ?? "").replace(/\{(\w+)\}/g, (_, place) => String(places[place] ?? ""));
}

const announcer = new Announcer(by("live"), root.dataset.lang ?? "");
announcer.aloud = settings.speech === true;

/** The scene that is painted; null before the first. @type {Message | null} */
let scene = null;
/** What the server says of the table and the person. @type {Message | null} */
let welcome = null;
/** Numbers up to here are caught up with, not news. */
let caughtUp = 0;
/** Sentences missed while the connection was lost; null while there is nothing to miss. */
/** @type {string[] | null} */
let missed = null;
/** The seats whose people agree to a short clock. @type {Set<number>} */
const agreed = new Set();
/** Commands on their way, so that a second press does not give them twice. @type {Set<string>} */
const onTheirWay = new Set();
/** Commands that could not be kept, to be given again when that is possible. */
/** @type {{command: Record<string, unknown>, quiet: boolean}[]} */
const unsaved = [];
/** The deal after which the person is ready for the next. */
let readyAfter = -1;
/** What was last asked of the person, so that it is said once. */
let due = "";
/** Whether hints may be asked for at this table. */
let hints = true;
let warned = false;
/** Seconds that the present choice began with. */
let clockWas = 0;
/** Seconds that it was last said to have left. */
let clockLeft = 0;
/** The moment of the refusal that is shown; null while none is. @type {string | null} */
let refusedAt = null;
let clockEnds = 0;
/** What the server has said last of the connection itself. */
let notice = "";

const hand = new Hand(by("hand"), by("whys"), useCard, () => actions.find((each) => each.first)?.run());
const bar = new Toolbar(by("actions"), () => hand.focus());
const questions = new Toolbar(by("questions"), () => hand.focus());
const sheet = new Sheet(by("sheet-heads"), by("sheet-rows"), by("sheet-totals"));
const promises = new Promises(table, (command) => give(command, true));
/** @type {import("./toolbar.js").Choice[]} */
let actions = [];

const connection = new Connection(table, hear, condition);

// Saying something to the table

/**
 * @param {Record<string, unknown>} command
 * @param {boolean} [quiet] whether nobody need hear that it was refused
 */
async function give(command, quiet = false) {
  const name = JSON.stringify(command);
  if (onTheirWay.has(name)) return;
  onTheirWay.add(name);
  if (!connection.open && !quiet) announcer.answer([say("unsent")]);
  const answer = await connection.ask({ say: "do", command, seen: connection.seen });
  onTheirWay.delete(name);
  if (answer && !answer.ok && !quiet) show(answer.lines, true);
  if (answer?.refusal?.reason === "not_saved") unsaved.push({ command, quiet });
  if (command.do === "Next" && answer?.ok && scene) {
    readyAfter = scene.deal;
    paintActions();
  }
}

/** @param {Record<string, unknown>} action */
function act(action) {
  return give({ do: "Act", action: { ...action, seat: scene?.seat } });
}

/**
 * @param {string} what
 * @param {number} card
 */
async function ask(what, card) {
  if (what === "keys" || what === "rules") {
    const part = by(`${what}-part`);
    part.setAttribute("open", "");
    part.querySelector("summary")?.focus();
    return;
  }
  if (what === "sheet") by("sheet-part").setAttribute("open", "");
  const answer = await connection.ask({ say: "ask", what, card });
  if (answer) show(answer.lines, !answer.ok);
}

/**
 * An answer, to be read and to be heard.
 * @param {string[]} lines
 * @param {boolean} refused
 */
function show(lines, refused) {
  by("answer-section").hidden = lines.length === 0;
  by("answer-section").classList.toggle("refused", refused);
  by("answer").replaceChildren(...lines.map((line) => make("p", {}, line)));
  refusedAt = refused && scene ? moment(scene) : null;
  announcer.answer(lines);
}

/** A refusal that is shown is taken away once it is no longer true. */
function outlive() {
  if (refusedAt === null || !scene || moment(scene) === refusedAt) return;
  refusedAt = null;
  by("answer-section").hidden = true;
}

/** @param {string} card */
function useCard(card) {
  if (!hand.choosing) {
    const passing = scene?.phase === "passing";
    const action = passing ? { action: "Pass", cards: [card] } : { action: "Play", card };
    void act(action);
    return;
  }
  const most = scene?.pass_count ?? 0;
  if (hand.chosen.has(card)) hand.chosen.delete(card);
  else if (hand.chosen.size < most) hand.chosen.add(card);
  else show([say("too_many_chosen", { most })], true);
  paintHand();
  paintActions();
}

function pass() {
  const most = scene?.pass_count ?? 0;
  const count = hand.chosen.size;
  if (count < most) show([say("pass_first", { most, count })], true);
  else void act({ action: "Pass", cards: [...hand.chosen] });
}

// Hearing from the table

/** @param {Message} message */
function hear(message) {
  switch (message.say) {
    case "welcome":
      greet(message);
      break;
    case "happened":
      happened(message);
      break;
    case "scene":
      scene = message;
      outlive();
      paint();
      begin();
      break;
    case "notice":
      notice = message.line;
      if (message.reason !== farewell) show([message.line], message.reason !== "saved");
      if (message.reason === "saved") {
        for (const { command, quiet } of unsaved.splice(0)) void give(command, quiet);
      }
      break;
  }
  if (connection.seen >= caughtUp) promises.act(welcome?.seat ?? null);
}

/** Begins the match of somebody who wants to play at once; not again when the page is loaded again. */
function begin() {
  if (root.dataset.begin === undefined) return;
  delete root.dataset.begin;
  history.replaceState(null, "", location.pathname);
  if (scene?.phase === "waiting" && scene.may.includes("Start")) void give({ do: "Start" });
}

/** @param {Message} message */
function greet(message) {
  const anew = message.first !== (welcome ? lastSeen : 0) + 1;
  if (welcome && !anew) missed = [];
  welcome = message;
  caughtUp = message.number;
  readyAfter = -1; // who is ready is not kept: after a restart everybody is asked again
  hints = message.setup.hints;
  paintQuestions();
  agreed.clear();
  message.seats.forEach((/** @type {any} */ seat, /** @type {number} */ place) => {
    if (seat.accepts_clock) agreed.add(place);
  });
}

/** The number of the last happening that was heard. */
let lastSeen = 0;
/** Whether that was the beginning of play, which says whose lead it is. */
let opened = false;
/** What the line says when it closes after that. */
let farewell = "";

/** @param {Message} message */
function happened(message) {
  const { number, happening } = message;
  lastSeen = number;
  opened = happening.event === "PlayStarted";
  farewell = FAREWELLS[happening.event] ?? "";
  sheet.see(happening);
  promises.see(number, happening, scene?.seats.length ?? welcome?.seats.length ?? 0);
  if (happening.event === "ClockAccepted") {
    if (happening.accepted) agreed.add(happening.seat);
    else agreed.delete(happening.seat);
  }
  if (happening.event === "Changed") {
    hints = happening.setup.hints;
    paintQuestions();
    void freshRules();
  }
  if (happening.event === "MatchStarted") readyAfter = -1;
  /** @type {string[]} */
  const lines = message.told?.[settings.verbosity] ?? message.told?.normal ?? [];
  addToLog(by("log"), lines);
  if (number > caughtUp) announcer.say(lines);
  else missed?.push(...lines);
}

/** @param {import("./connection.js").Condition} now */
function condition(now) {
  const texts = {
    connecting: say("connecting"),
    open: "",
    lost: say("lost"),
    back: "",
    ended: notice || say("ended"),
  };
  const banner = by("connection");
  banner.hidden = texts[now] === "";
  setText(banner, texts[now]);
  if (now === "lost" && !missed) announcer.say([say("lost")]);
  if (now === "lost") missed ??= [];
  if (now === "ended" && notice === "") announcer.say([say("ended")]);
  if (now === "back") announcer.say([say("back")]);
  if (now === "back" || now === "open") notice = "";
}

/** The rules of the table, after the host has changed them. */
async function freshRules() {
  try {
    const answer = await fetch(`/tables/${table}/rules`);
    if (!answer.ok) return;
    const read = new DOMParser().parseFromString(await answer.text(), "text/html");
    by("rules").replaceChildren(...read.body.childNodes);
  } catch {
    // Loading the page again shows them as well.
  }
}

// Painting

function paint() {
  if (!scene) return;
  setText(by("status"), scene.status);
  setText(by("watching"), namesOf(scene.watching));
  paintCards(by("trick"), scene.trick, scene.seats);
  paintCards(by("last"), scene.last, scene.seats);
  setText(by("trick-empty"), scene.trick.length === 0 ? say("nothing_on_table") : "");
  paintSeats(by("seats"), /** @type {any} */ (scene), say);
  sheet.paint(scene.seats);
  paintHand();
  paintAsked();
  paintActions();
  paintHost();
  paintClock();
  paintHands(by("hands"), scene.hands, scene.seats);
  by("hands-section").hidden = scene.hands.length === 0;
  by("record").hidden = scene.phase !== "ended";
  announceDue();
}

/** @param {string[]} names */
function namesOf(names) {
  return names.length === 0 ? "" : say("watching", { names: names.join(", ") });
}

function paintHand() {
  if (!scene) return;
  const seated = scene.seat !== null;
  by("hand-section").hidden = !seated;
  hand.paint(scene.hand, scene.may.includes("Pass"));
  setText(by("hand-empty"), seated && scene.hand.length === 0 ? say("no_cards") : "");
}

function paintAsked() {
  const had = by("asked").contains(document.activeElement);
  const asked = scene?.asked ?? "";
  setText(by("asked-text"), asked === "" ? "" : say("asks_undo", { name: asked }));
  by("asked").hidden = asked === "";
  if (had && asked === "") hand.focus();
}

function paintActions() {
  if (!scene) return;
  actions = actionsOf(scene, {
    say,
    give: (command) => void give(command),
    act: (action) => void act(action),
    pass,
    chosen: hand.chosen.size,
    agreed: scene.seat !== null && agreed.has(scene.seat),
    ready: scene.phase === "between" && readyAfter === scene.deal,
  });
  bar.paint(actions);
}

function paintHost() {
  if (!scene) return;
  const part = by("host-part");
  const seat = /** @type {HTMLSelectElement} */ (by("host-seat"));
  const other = /** @type {HTMLSelectElement} */ (by("host-other"));
  for (const select of [seat, other]) {
    keyed(
      select,
      /** @type {import("./painting.js").Seat[]} */ (scene.seats),
      (_, place) => String(place),
      () => make("option"),
      (option, each, place) => {
        const name = each.name ? "seat_named" : "seat_empty";
        setText(option, say(name, { number: place + 1, name: each.name }));
        setAttribute(option, "value", String(place));
      },
    );
  }
  const level = /** @type {HTMLSelectElement} */ (by("host-level"));
  const choices = hostActionsOf(scene, {
    say,
    give: (command) => void give(command),
    seat: () => Number(seat.value),
    other: () => Number(other.value),
    level: () => level.value,
  });
  const had = part.contains(document.activeElement);
  keyed(
    by("host-buttons"),
    choices,
    (each) => each.key,
    (each) => {
      const button = make("button", { type: "button" });
      button.addEventListener("click", () => each.run());
      return button;
    },
    (button, each) => setText(button, each.label),
  );
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll("[data-for]"))) {
    const names = (each.dataset.for ?? "").split(" ");
    each.hidden = !names.some((name) => scene?.may.includes(name));
  }
  part.hidden = choices.length === 0 && !scene.may.includes("Change");
  if (had && !part.contains(document.activeElement)) part.querySelector("summary")?.focus();
}

function paintClock() {
  const left = scene?.clock ?? null;
  clockEnds = left === null ? 0 : performance.now() + left * 1000;
  if (left === null || left > clockLeft) clockWas = left ?? 0;
  clockLeft = left ?? 0;
  if (clockLeft === 0 || clockLeft > warning()) warned = false;
  tick();
}

/** Seconds before the end at which that is said: of a short clock, when half of it is gone. */
function warning() {
  return Math.min(CLOCK_WARNING, clockWas / 2);
}

function tick() {
  by("clock").hidden = clockEnds === 0;
  if (clockEnds === 0) return;
  const count = Math.max(0, Math.ceil((clockEnds - performance.now()) / 1000));
  setText(by("clock"), say("clock", { count }));
  if (count <= warning() && !warned) {
    warned = true;
    announcer.say([say("clock", { count })]);
  }
}

/** Says what the person has to do now, once, after what has led to it. */
function announceDue() {
  if (!scene || connection.seen < caughtUp) return;
  const waits = ["Play", "Pass", "Next"].find((name) => scene?.may.includes(name));
  const now = waits ? `${waits} ${scene.deal} ${scene.hand.length}` : "";
  const first = due === "" && lastSeen === 0;
  if (missed) {
    const lines = missed.length > MOST_MISSED ? [say("missed")] : missed;
    missed = null;
    announcer.say([...lines, scene.status]);
  } else if (now !== due && waits && !first && !(waits === "Play" && opened)) {
    announcer.say([waits === "Play" ? say("your_turn") : scene.status]);
  }
  due = now;
}

// The rest of the page

function paintQuestions() {
  questions.paint(
    SHORTCUTS.filter(({ what }) => what !== "hint" || hints).map(({ key, what }) => ({
      key: what,
      label: say(`ask_${what}`),
      run: () => void ask(what, 0),
      shortcut: settings.keys === false ? null : key,
    })),
  );
}

paintQuestions();
listenForKeys(by("game"), () => settings.keys !== false, ask);
by("allow").textContent = say("allow_undo");
by("refuse").textContent = say("refuse_undo");
by("allow").addEventListener("click", () => void act({ action: "AnswerUndo", allow: true }));
by("refuse").addEventListener("click", () => void act({ action: "AnswerUndo", allow: false }));
copyAddress(by("copy"), /** @type {HTMLInputElement} */ (by("address")), () =>
  announcer.answer([say("copied")]),
);
listenForSettings(/** @type {HTMLFormElement} */ (by("settings-form")), (kept) => {
  if (kept) {
    Object.assign(settings, kept);
    announcer.aloud = settings.speech === true;
    paintQuestions();
    void connection.ask({
      say: "prefer",
      bot_pace: settings.bot_pace,
      trick_pace: settings.trick_pace,
      auto_forced: settings.auto_forced,
    });
  }
  announcer.answer([say(kept ? "saved" : "not_saved")]);
});
document.addEventListener("keydown", (event) => {
  const inside = event.target instanceof Element && event.target.closest(".aside");
  if (event.key === "Escape" && inside && !by("hand-section").hidden) hand.focus();
});
window.setInterval(tick, 1000);
condition("connecting");
