/** The page of a table: what the server tells goes to the parts, what the person does is sent. */

import { Announcer } from "./announcer.js";
import { Promises, begun, connection } from "./connection.js";
import { Felt } from "./felt.js";
import { QUESTIONS, keyOf, listenForEscape, listenForKeys, listenForReview } from "./hand.js";
import { Clock, Listening, Talk } from "./listening.js";
import {
  Later,
  Toolbar,
  by,
  faces,
  fill,
  lang,
  make,
  onceOpen,
  say,
  setText,
  settings,
  suitLooks,
  table,
} from "./page.js";
import { Playing } from "./playing.js";

/** @typedef {import("./connection.js").Message} Message */
/** @typedef {import("./page.js").Scene} Scene */
/** @typedef {import("./page.js").News} News */

/** Happenings after which the line closes, and says why: they have told it already. */
/** @type {Record<string, string>} */
const FAREWELLS = { Barred: "barred", Closed: "closed" };
/** What a host may do, beside the seats that anybody may take. */
const RIGHTS = ["SeatBot", "Swap", "Remove", "Replace", "HandOver", "Change", "Close"];
/** @param {Scene} now what a refusal was about, as long as that stays the same */
const moment = (now) => `${now.deal} ${now.phase} ${now.turn} ${now.hand.length}`;

/** The scene that is painted; null before the first. @type {Scene | null} */
let scene = null;
/** What the server says of the table and the person. @type {Message | null} */
let welcome = null;
/** Numbers up to here are caught up with, not news. */
let caughtUp = 0;
/** Commands on their way, so that a second press does not give them twice. @type {Set<string>} */
const onTheirWay = new Set();
/** A card that has been played, until the table has answered, and how. */
/** @type {{card: import("./page.js").Card, command: Record<string, unknown>} | null} */
let laid = null;
/** Commands that could not be kept, to be given again when that is possible. */
/** @type {{command: Record<string, unknown>, quiet: boolean}[]} */
const unsaved = [];
/** What the answer that is shown is about; null while none is. */
/** @type {{short: boolean, at: string} | null} */
let shownAt = null;
/** What the server has said last of the connection itself. */
let notice = "";
/** What the line says when it closes after the last happening. */
let farewell = "";

const announcer = new Announcer(by("live"), lang);
const playing = new Playing({
  give,
  show,
  tell: (lines) => announcer.answer(lines),
  hint: () => void ask("hint", 0),
  busy: () => laid !== null,
});
const home = () => playing.home();
const questions = new Toolbar(by("questions"), home);
const promises = new Promises(table, (command) => give(command, true));
const listening = new Listening(announcer);

/** Whether the person has used the page yet. */
let touched = false;
for (const first of ["pointerdown", "keydown"]) {
  document.addEventListener(first, () => (touched = true), { once: true, capture: true });
}

/** Whether help is wanted that the person has read before. */
let helpless = settings.helped !== true;
const help = new Later(
  async () => new (await import("./help.js")).Welcome(home),
  () => helpless,
);

const talk = new Talk({
  hear: (line) => listening.hear(line),
  tell: (lines) => announcer.answer(lines, "aside"),
  paint: paintQuestions,
  phrases: async () => {
    const { toggle } = await import("./phrases.js");
    await toggle((message) => connection.ask(message), talk, show);
  },
});
const panel = onceOpen("talk-part", async () =>
  (await import("./talk.js")).begun(talk, (message) => connection.ask(message)),
);
const felt = new Felt();
/** What the corner of the felt can do, once it has come. */
/** @type {import("./corner.js").Corner | null} */
let corner = null;

/** Those who are given all that comes, in this order. @type {import("./page.js").Part[]} */
const parts = [
  felt,
  new Later(
    async () => {
      const { Corner } = await import("./corner.js");
      corner = new Corner();
      return corner;
    },
    (scene) => scene.last.length > 0,
  ),
  onceOpen("sheet-part", async () => new (await import("./sheet.js")).Sheet()),
  new Later(
    async () => new (await import("./ending.js")).Ending(),
    ({ phase, reckoning }) =>
      !!reckoning || ["between", "ended", "pausing", "closed"].includes(phase),
  ),
  new Later(
    async () => new (await import("./referee.js")).Referee(playing, question),
    ({ refereed }) => refereed === true,
  ),
  new Later(
    async () => new (await import("./wider.js")).Wider(playing, felt),
    ({ wider, seats }) => Boolean(wider) || seats.length > 7,
  ),
  playing,
  panel,
  onceOpen("settings-part", async () => (await import("./settings.js")).begun(suited)),
  onceOpen("host-part", async () => new (await import("./host.js")).Host((it) => void give(it))),
  { paint: paintRights },
  { paint: paintTitle },
  new Later(
    async () => new (await import("./asker.js")).Asker((command) => void give(command), home),
    ({ may }) => may.includes("AnswerSeat"),
  ),
  new Clock((lines) => listening.warn(lines)),
  onceOpen(
    "proof-part",
    async () => new (await import("./proof.js")).Proofs((lines) => announcer.answer(lines)),
  ),
  { suit: suitLooks },
  faces,
  { suit: paintQuestions },
  listening,
  // Nothing sounds before the page has been touched.
  new Later(
    async () => new (await import("./sounds.js")).Sounds(),
    () => touched,
  ),
  help,
];

// Saying something to the table

/**
 * @param {Record<string, unknown>} command
 * @param {boolean} [quiet] whether nobody need hear that it was refused
 */
async function give(command, quiet = false) {
  const name = JSON.stringify(command);
  if (onTheirWay.has(name)) return null;
  onTheirWay.add(name);
  const played = lay(command);
  if (!connection.open && !quiet) wait();
  const answer = await connection.ask({ say: "do", command, seen: connection.seen });
  onTheirWay.delete(name);
  if (played && !answer?.ok) takeUp();
  if (answer && !answer.ok && !quiet) show(answer.lines, true, cardsOf(command));
  if (answer?.refusal?.reason === "not_saved") unsaved.push({ command, quiet });
  return answer;
}

// A card leaves the hand the moment it is played; the table says later whether it lies

/**
 * Lays the card of a play that the table will take, as far as the page knows.
 * @param {Record<string, any>} command
 * @returns {boolean} whether it is one
 */
function lay(command) {
  const { action } = command;
  const card = scene?.hand.find((each) => each.card === action?.card);
  if (action?.action !== "Play" || !scene || !card?.legal || scene.refereed) return false;
  laid = { card, command };
  paintAhead();
  return true;
}

/** The card goes back into the hand, and the focus to it. */
function takeUp() {
  const card = laid?.card.card;
  laid = null;
  paintAhead();
  if (card) by(`card-${card}`).focus();
}

/** Paints what the person sees before the table has answered. */
function paintAhead() {
  if (!scene) return;
  const seen = ahead(scene);
  felt.paint(seen);
  playing.paint(seen);
}

/**
 * A scene as it is with the card that has been laid.
 * @param {Scene} now
 * @returns {Scene}
 */
function ahead(now) {
  const card = laid && now.hand.find((each) => each.card === laid?.card.card);
  if (!card || now.seat === null) return now;
  return {
    ...now,
    turn: null,
    hand: now.hand.filter((each) => each !== card).map((each) => ({ ...each, legal: false, why: "" })),
    trick: [...now.trick, { ...card, seat: now.seat }],
    may: now.may.filter((name) => name !== "Play"),
  };
}

/** The line is down: what was given goes out later, and a card can be taken back meanwhile. */
function wait() {
  show([say("unsent")], false);
  if (!laid) return;
  const { card, command } = laid;
  const back = make("button", { type: "button" }, say("put_back", { card: card.name }));
  back.addEventListener("click", () => connection.drop(command));
  by("answer").firstElementChild?.append(back);
}

/**
 * @param {string} what
 * @param {number} card
 */
async function ask(what, card) {
  if (what === "keys") {
    const { showKeys } = await import("./help.js");
    if (scene) await showKeys(scene, playing.choices, home);
    return;
  }
  if (what === "talk") return talk.open();
  if (what === "rules") {
    const part = by("rules-part");
    part.setAttribute("open", "");
    part.querySelector("summary")?.focus();
    return;
  }
  if (what === "last") corner?.turn(true);
  if (what === "sheet") by("sheet-part").setAttribute("open", "");
  const answer = await question(what, card);
  if (answer) show(answer.lines, !answer.ok, answer.cards);
}

/**
 * @param {string} what
 * @param {number} [card]
 */
function question(what, card = 0) {
  return connection.ask({ say: "ask", what, card, places: false });
}

/**
 * The cards that a command is about.
 * @param {Record<string, any>} command
 * @returns {string[]}
 */
const cardsOf = ({ action }) => (action?.card ? [action.card] : []);

/**
 * An answer, to be read and to be heard: beside the cards that it is about, which a hint marks and
 * a refusal shakes.
 * @param {string[]} lines
 * @param {boolean} refused
 * @param {string[]} [cards]
 */
function show(lines, refused, cards = []) {
  by("answer-section").hidden = lines.length === 0;
  by("answer-section").classList.toggle("refused", refused);
  // A box of its own each time: one that grew would move.
  const reply = make("div", { class: "reply" }, lines.map((line) => make("p", {}, line)));
  by("answer").replaceChildren(reply);
  playing.hand.hint(refused ? [] : cards);
  if (refused) playing.hand.shake(cards);
  playing.hand.beside(reply, cards[0]);
  shownAt = scene ? standing(refused || cards.length > 0) : null;
  announcer.answer(lines);
}

/**
 * What an answer outlives: a refusal and a hint the same question, all else what the person does.
 * @param {boolean} short
 */
function standing(short) {
  const now = /** @type {Scene} */ (scene);
  return { short, at: short ? moment(now) : `${now.deal} ${now.phase} ${now.hand.length}` };
}

/** An answer that is shown is taken away once it is no longer true, or wanted. */
function outlive() {
  if (shownAt && scene && standing(shownAt.short).at !== shownAt.at) putAway();
}

function putAway() {
  shownAt = null;
  by("answer-section").hidden = true;
  playing.hand.hint([]);
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
      // The score sheet comes when it has changed.
      message.sheet ??= scene?.sheet;
      scene = /** @type {Scene} */ (/** @type {unknown} */ (message));
      talk.meet(scene);
      outlive();
      if (!scene.hand.some((each) => each.card === laid?.card.card)) laid = null;
      if (connection.seen >= caughtUp) {
        for (const part of parts) part.paint?.(part === felt || part === playing ? ahead(scene) : scene);
      }
      sitDown();
      break;
    case "spoken":
      talk.hear(message);
      if (!scene) break;
      panel.paint(scene);
      if (talk.fresh(message)) felt.speak(message, scene);
      break;
    case "notice":
      if (message.reason !== "measure") notice = message.line;
      if (message.reason !== farewell) show([message.line], message.reason !== "saved");
      if (message.reason === "saved") {
        for (const { command, quiet } of unsaved.splice(0)) void give(command, quiet);
      }
      break;
  }
  if (connection.seen >= caughtUp) promises.act(scene?.seat ?? null);
}

/** Sits somebody down, once, where the address asks for it. */
function sitDown() {
  if (!scene || root.dataset.sit === undefined) return;
  delete root.dataset.sit;
  history.replaceState(null, "", location.pathname);
  const { seats, open } = scene;
  const seat = open.find((place) => seats[place].state === "free") ?? open[0];
  if (seat !== undefined) void give({ do: "Sit", seat });
}

/** The match has begun, where the address asks for that; or begins now, if the table has changed. */
async function begin() {
  if (!begun) return;
  history.replaceState(null, "", location.pathname);
  const answer = await begun;
  if (answer && !answer.ok && scene?.may.includes("Start")) void give({ do: "Start" });
}

/** @param {Message} message */
function greet(message) {
  if (welcome) listening.comeBack();
  welcome = message;
  caughtUp = message.number;
  talk.greet(message);
  paintQuestions();
  playing.greet(message);
}

/** @param {Message} message */
function happened({ number, happening, told }) {
  farewell = FAREWELLS[happening.event] ?? "";
  if (happening.event === "Committed") by("proof-part").hidden = false;
  promises.see(number, happening, scene?.seats.length ?? welcome?.seats.length ?? 0);
  if (happening.event === "Changed") {
    talk.may = happening.setup.talk;
    by("inviting").hidden = happening.setup.access === "private";
    by("uninvited").hidden = !by("inviting").hidden;
    paintQuestions();
    void freshRules();
  }
  /** @type {string[]} */
  const lines = told?.[settings.verbosity] ?? told?.normal ?? [];
  const news = { number, happening, lines, fresh: number > caughtUp };
  for (const part of parts) part.see?.(news);
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
  if (now === "lost") listening.lose();
  if (now === "lost" && laid) wait();
  if (now === "back" && shownAt?.short === false) putAway();
  if (now === "ended" && notice === "") announcer.say([say("ended")]);
  if (now === "back" || now === "open") notice = "";
}

/** Whose turn it is can be read in the tab. */
const titled = document.title;

/** @param {Scene} now */
function paintTitle({ may, phase }) {
  const mine = phase === "passing" ? may.includes("Pass") : may.includes("Play");
  const title = mine ? `● ${say("your_turn")} – ${titled}` : titled;
  if (document.title !== title) document.title = title;
}

/** The rules of the table, after the host has changed them. */
async function freshRules() {
  try {
    await fill("rules", `/tables/${table}/rules`);
  } catch {
    // Loading the page again shows them as well.
  }
}

// Painting

/**
 * The host's rights are there for whoever has some; see host.js.
 * @param {Scene} now
 */
function paintRights({ may }) {
  const part = by("host-part");
  const had = part.contains(document.activeElement);
  part.hidden = !RIGHTS.some((name) => may.includes(name));
  if (had && part.hidden) home();
}

function paintQuestions() {
  questions.paint(
    QUESTIONS.filter((what) => what !== "hint").map((what) => ({
      key: what,
      label: what === "talk" ? talk.label : say(`ask_${what}`),
      run: () => void ask(what, 0),
      shortcut: keyOf(what),
    })),
  );
}

// The rest of the page

/** @param {import("./settings.js").Outcome} outcome */
function suited({ kept, wrong }) {
  if (kept) {
    Object.assign(settings, kept);
    for (const part of parts) part.suit?.();
    if (scene) for (const part of parts) part.paint?.(scene);
    void connection.ask({
      say: "prefer",
      bot_pace: settings.bot_pace,
      trick_pace: settings.trick_pace,
      auto_forced: settings.auto_forced,
    });
  }
  const why = wrong ? Object.values(wrong) : [say("not_saved")];
  announcer.answer(kept ? [say("saved")] : why);
}

/** A click that comes while the script is fetched is not lost. @param {Event} event */
async function invite({ target }) {
  const { pressed } = await import("./settings.js");
  const copied = () => announcer.answer([say("copied")]);
  await pressed(target, () => give({ do: "Invite" }), copied);
}

async function helpAgain() {
  helpless = true;
  await help.wake();
  by("intro-again").querySelector("button")?.click();
}

const root = by("table");
for (const part of parts) part.suit?.();
listenForKeys(by("game"), ask);
listenForReview(listening);
listenForEscape(home);
document.addEventListener("keydown", ({ key }) => key === "Escape" && putAway());
by("game").addEventListener("pointerdown", ({ target }) => {
  const here = target instanceof Element && target.closest(".reply, [role=option], button");
  if (!here) putAway();
});
by("invite-part").addEventListener("click", invite);
if (!helpless) by("intro-again").addEventListener("click", helpAgain, { once: true });
condition("connecting");
connection.attend(hear, condition);
void begin();
