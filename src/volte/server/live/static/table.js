/** The page of a table: passes the server's messages to the parts, and sends the person's acts. */

import { Announcer } from "../../../web/static/announcer.js";
import { Felt, Shown } from "../../../web/static/felt.js";
import { FIELDS, keyOf, listenForEscape, listenForKeys } from "../../../web/static/keys.js";
import {
  Later,
  alone,
  applyLooks,
  at,
  by,
  faces,
  fill,
  lang,
  onceOpen,
  opened,
  say,
  setText,
  settings,
  table,
} from "../../../web/static/page.js";
import { Promises } from "../../../web/static/shares.js";
import { ofTab } from "../../../web/static/storage.js";
import { Clock } from "./clock.js";
import { begun, connection } from "./connection.js";
import { Listening } from "./listening.js";
import { Playing } from "./playing.js";
import { Questions } from "./questions.js";
import { Talk } from "./talking.js";
import { Title } from "./title.js";
import { Underway } from "./underway.js";

/** @typedef {import("./connection.js").Message} Message */
/** @typedef {import("../../../web/static/page.js").Scene} Scene */
/** @typedef {import("../../../web/static/page.js").Part} Part */
/** @typedef {import("../../../web/static/page.js").News} News */

/** Happenings that tell why the line closes next, with the reason of that notice. */
/** @type {Record<string, string>} */
const FAREWELLS = { Barred: "barred", Closed: "closed" };
/** Commands of a host. */
const RIGHTS = alone
  ? []
  : ["SeatBot", "Swap", "Remove", "Replace", "HandOver", "Change", "Close"];
/** Key of the state that a refusal is about. @param {Scene} now */
const moment = (now) => `${now.deal} ${now.phase} ${now.turn} ${now.hand.length}`;

/** Verbosities at which remarks of bots with personality are heard. */
const AT_LENGTH = ["normal", "full"];

/** The last scene; null before the first. @type {Scene | null} */
let scene = null;
/** The server's welcome: facts about the table and the person. @type {Message | null} */
let welcome = null;
/** Number of the last happening that was caught up with, and so is no news. */
let caughtUp = 0;
/** Unanswered commands, so that a second press does not give them twice. @type {Set<string>} */
const onTheirWay = new Set();
/** Commands that could not be stored, to be given again when the store is back. */
/** @type {{command: Record<string, unknown>, quiet: boolean}[]} */
const unsaved = [];
/** The command, as text, that waits for the line; empty for none. */
let waits = "";
/** How it stands with the people whom the person looks for, in a sentence and in a few words. */
let sought = { line: "", short: "" };
/** Number of questions that the person has asked. */
let questionsAsked = 0;
/** The moment of the previous scene. */
let lastMoment = "";
/** Phases in which the last match may be over. */
const OVER = ["ended", "pausing", "closed"];

/** How much of the match that is over was luck, in a sentence; empty until that is known. */
let luck = "";

/** The last notice of the server about the connection. */
let notice = "";
/** The reason with which the line closes after the last happening. */
let farewell = "";

const announcer = new Announcer(by("live"), lang);
announcer.knows = async () => {
  await (await import("./settings.js")).keep("reader_rate", ["reader_rate"]);
  void connection.ask({ say: "prefer" }); // bots wait for the reader
};
const playing = new Playing({
  give,
  show,
  tell: (lines) => announcer.answer(lines),
  hint: () => void ask("hint", 0),
  bear: (focus) => announcer.bear(focus),
});
const home = () => playing.home();
const shown = new Shown(home);
const promises = new Promises(table, (command) => give(command, true));
const listening = new Listening(announcer);
const title = new Title();
const underway = new Underway(playing, {
  paint: paintPlay,
  tell: (line) => announcer.answer([line]),
  cover: () => shown.close(),
});

/** Whether the person has used the page yet. */
let touched = false;
for (const first of ["pointerdown", "keydown"]) {
  const touch = () => {
    touched = true;
    void sheets();
    // People who play by keys may ask for the rules, and the line may be dead by then.
    if (first === "keydown") void readRules();
  };
  document.addEventListener(first, touch, { once: true, capture: true });
}
/** The sheets, on which a part is opened; null if they cannot be fetched. */
const sheets = () => import("./sheets.js").catch(() => null);

/**
 * Whether the person comes by keys, and goes to the hand as soon as it is dealt, or without a seat
 * to the buttons; see by_keys.js.
 */
let comesToHand = location.hash === "#cards" || Boolean(ofTab.get("volte by keys"));
ofTab.remove("volte by keys");

/** Whether the address asks that the match begin at once. */
let begins = begun !== null;

/** Whether the help for newcomers is to be shown. */
let wantsHelp = settings.helped !== true;
/** The help, once it has come. @type {import("../../../web/static/help.js").Welcome | null} */
let welcoming = null;
const help = new Later(
  async () => (welcoming = new (await import("../../../web/static/help.js")).Welcome(home)),
  () => wantsHelp,
);

const talk = new Talk({
  hear: (line) => listening.hear(line),
  tell: (lines) => announcer.answer(lines, "aside"),
  paint: () => questions.update(),
  phrases: async () => {
    const { toggle } = await import("./phrases.js");
    await toggle((message) => connection.ask(message), talk, show);
  },
});
const questions = new Questions({
  ask: (what) => ask(what, 0),
  talk: () => talk.label,
  raise,
  intro: helpAgain,
  home,
});
const panel = onceOpen("talk-part", async () =>
  (await import("../../../talk/static/talk.js")).begun(talk, (message) => connection.ask(message)),
);
const felt = new Felt();
/** The corner of the felt, once its module has come. */
/** @type {import("./corner.js").Corner | null} */
let corner = null;
/** The sounds, once they have come. */
/** @type {import("./sounds.js").Sounds | null} */
let sounds = null;

/** The parts that get all news and scenes, in this order. @type {Part[]} */
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
  new Later(
    async () => (await import("../../../web/static/hands.js")).hands,
    ({ hands }) => hands.length > 0,
  ),
  onceOpen("sheet-part", async () => {
    const { Sheet } = await import("../../../history/static/sheet.js");
    return new Sheet();
  }),
  new Later(
    async () => new (await import("./ending.js")).Ending((it) => void give(it)),
    ({ phase, reckoning }) =>
      !!reckoning || ["between", "ended", "pausing", "closed"].includes(phase),
  ),
  new Later(
    async () =>
      new (await import("./gathering.js")).Gathering(
        (it) => void give(it),
        home,
        () => questions.update(),
        (line) => listening.tellNewcomer(line),
      ),
    ({ phase }) => phase === "waiting" && !begins && !alone,
  ),
  new Later(
    async () => new (await import("./referee.js")).Referee(playing, question),
    ({ refereed }) => refereed === true,
  ),
  new Later(
    async () =>
      new (await import("./meeting.js")).Meeting(playing, {
        give,
        seek,
        tell: (line) => listening.tellNewcomer(line),
        warn: (lines) => listening.warn(lines),
        show: (line) => show([line], false),
      }),
    () => welcome?.setup.meeting === true,
  ),
  new Later(
    async () => new (await import("../../../web/static/wider.js")).Wider(playing, felt),
    ({ wider, seats }) => Boolean(wider) || seats.length > 7,
  ),
  playing,
  panel,
  onceOpen("settings-part", async () => {
    const { begun: settled } = await import("./settings.js");
    return settled(takeSettings, (line) => announcer.answer([line], "aside"));
  }),
  onceOpen("host-part", async () => new (await import("./host.js")).Host((it) => void give(it))),
  { paint: paintRights },
  new Later(
    async () => new (await import("./asker.js")).Asker((command) => void give(command), home),
    ({ may }) => may.includes("AnswerSeat"),
  ),
  new Clock(by("clock"), "clock", ({ clock }) => clock, (lines) => listening.warn(lines)),
  onceOpen("proof-part", async () => {
    const { Proofs } = await import("../../../history/static/proof.js");
    return new Proofs((lines) => announcer.answer(lines));
  }),
  { settingsChanged: applyLooks },
  faces,
  title,
  {
    see({ happening: { event, person }, lines, fresh }) {
      if (fresh && event === "Sat" && person !== welcome?.person) title.comes(lines[0]);
    },
  },
  { paint: comeToHand },
  questions,
  listening,
  // Nothing sounds before the page has been touched.
  new Later(
    async () => (sounds = new (await import("./sounds.js")).Sounds()),
    () => touched,
  ),
  help,
];

// Messages to the table

/**
 * @param {Record<string, unknown>} command
 * @param {boolean} [quiet] whether a refusal need not be told
 */
async function give(command, quiet = false) {
  const name = JSON.stringify(command);
  if (onTheirWay.has(name)) return null;
  const card = playedBy(command);
  if (card && underway.any && connection.open) return null; // one card a turn
  const barred = scene?.hand.find((each) => each.card === card)?.why;
  if (barred && !connection.open && !waits) {
    show([barred], true, [card]); // it would wait for the line in vain
    return null;
  }
  if (!connection.open && !quiet) {
    announcer.answer([say(waits ? "one_waits" : "unsent")]);
    if (waits) return null;
    waits = name;
  }
  onTheirWay.add(name);
  if (!quiet) shown.closeBut(null);
  const asked = connection.ask({ say: "do", command, seen: connection.seen });
  if (card && scene && !quiet) underway.leave(command, card, scene, moment(scene));
  const answer = await asked;
  onTheirWay.delete(name);
  if (waits === name) waits = "";
  if (!answer?.ok) underway.comeBack(command);
  if (answer && !answer.ok && !quiet) show(answer.lines, true, card ? [card] : []);
  if (answer?.refusal?.reason === "not_saved") unsaved.push({ command, quiet });
  return answer;
}

/**
 * The card that a command plays; empty for any other command.
 * @param {Record<string, any>} command
 * @returns {string}
 */
function playedBy({ action }) {
  return action?.action === "Play" ? action.card : "";
}

/** Paints the hand and the trick anew, after a card has gone from one to the other. */
function paintPlay() {
  if (!scene) return;
  const now = underway.within(scene);
  felt.paint(now);
  playing.paint(now);
  underway.paint();
}

/**
 * @param {string} what
 * @param {number} number of a card of the trick, or of a seat, counted from the person's own
 */
async function ask(what, number) {
  if (what === "keys") {
    const { showKeys } = await import("../../../web/static/help.js");
    if (scene) await showKeys(scene, playing.choices, home);
    return;
  }
  if (what === "talk") return talk.open();
  if (what === "verbosity") {
    const failed = () => show([say("not_saved")], true);
    return import("./verbosity.js").then(({ change }) => change(show, failed), failed);
  }
  if (what === "rules") {
    await readRules();
    return announcer.answer(opened(by("rules-part")));
  }
  if (what === "cards") {
    const { typeCards } = await import("./typing.js");
    return typeCards(playing, (text) => question("cards", { text }), show);
  }
  if (what === "last") corner?.turn(true);
  if (what === "sheet") by("sheet-part").setAttribute("open", "");
  const seats = scene?.seats.length ?? 0;
  const seat = ((scene?.seat ?? 0) + number - 1) % Math.max(seats, number);
  const about = what === "seat" ? seat : number;
  if (!connection.open && scene) return listening.recall(what, about);
  const mine = (questionsAsked += 1);
  const answer = await question(what, what === "seat" ? { seat } : { card: number });
  if (!answer && mine === questionsAsked && !connection.open) listening.recall(what, about);
  if (!answer) return;
  const cards = answer.cards ?? [];
  show(answer.lines, !answer.ok, cards);
  if (what === "hint") playing.hand.advise(cards);
}

/** The actions of keys. @type {Record<string, string>} */
const ACTIONS = {
  turn_down: "TurnDown",
  object: "Object",
  claim_revoke: "ClaimRevoke",
  cut: "Cut",
  accept: "Accept",
};

/**
 * Does what a key is for, if the person may; else the table says why not.
 * @param {string} what
 */
function act(what) {
  if (!scene || by("game").inert) return; // a dialog is open
  const choice = playing.choices.find(({ shortcut }) => shortcut && shortcut === keyOf(what));
  if (choice) return choice.run();
  if (!connection.open) return listening.recall(what, 0);
  const { refereed, seat, phase } = scene;
  const undone = phase === "passing" ? "TakeBackPass" : refereed ? "TakeBack" : "AskUndo";
  const action = ACTIONS[what] ?? undone;
  void give({ do: "Act", action: { action, seat: seat ?? 0, against: seat ? 0 : 1, trick: 1 } });
}

/**
 * @param {string} what
 * @param {Record<string, unknown>} [more]
 */
function question(what, more = {}) {
  return connection.ask({ say: "ask", what, places: false, ...more });
}

/**
 * Shows an answer, and says it.
 * @param {readonly string[]} lines
 * @param {boolean} refused
 * @param {readonly string[]} [cards] the cards that it is about
 */
function show(lines, refused, cards = []) {
  const lasting = (refused || cards.length > 0) && scene ? moment(scene) : null;
  shown.show(lines, { refused, moment: lasting, at: playing.hand.middle(cards) });
  if (refused) for (const card of cards) playing.hand.shake(card);
  announcer.answer(lines, "answer", refused);
}

/** Takes answers away that held for the last moment only. */
function dropOutdated() {
  if (!scene) return;
  const now = moment(scene);
  if (now !== lastMoment) playing.hand.advise([]);
  underway.forget(now);
  lastMoment = now;
  shown.closeBut(now);
}

// Messages from the table

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
      // The score sheet and its chart come when they have changed.
      if (!OVER.includes(message.phase)) luck = "";
      message.sheet ??= scene?.sheet;
      message.chart ??= scene?.chart;
      scene = /** @type {Scene} */ (/** @type {unknown} */ ({ ...message, seeking: sought.short, luck }));
      talk.paint(scene);
      dropOutdated();
      if (connection.seen >= caughtUp) paint();
      sitDown();
      break;
    case "spoken":
      talk.hear(message);
      if (!scene) break;
      panel.paint(scene);
      if (talk.fresh(message)) felt.speak(message, scene);
      break;
    case "notice":
      if (message.reason.startsWith("person_")) {
        listening.tellNewcomer(message.line);
        break;
      }
      if (message.reason === "closed" && message.at) {
        const onward = message.at.slice(message.at.lastIndexOf("/") + 1);
        void import("./meeting.js").then(({ goOn }) => goOn(onward));
        break;
      }
      if (message.reason === "seeking") {
        tellSeeking(message);
        break;
      }
      if (message.reason === "luck") {
        tellLuck(message.line);
        break;
      }
      if (message.reason === "lucky_deal") {
        announcer.say([message.line]);
        void import("./luck.js").then(({ showLuckyDeal }) => showLuckyDeal(message, shown));
        break;
      }
      if (message.reason === "came") {
        tellNewcomer(message.line);
        break;
      }
      if (message.reason !== "measure") notice = message.line;
      if (message.reason !== farewell) show([message.line], message.reason !== "saved");
      if (message.reason === "saved") {
        for (const { command, quiet } of unsaved.splice(0)) void give(command, quiet);
      }
      break;
  }
  if (connection.seen >= caughtUp) promises.act(scene?.seat ?? null);
}

/**
 * Puts the address of the table itself into the browser: it outlasts the node of the page.
 * @param {string} [asked] query of the address
 */
function readdress(asked = "") {
  if (alone) return; // no host has that address
  history.replaceState(null, "", at(`/tables/${table}`) + asked + location.hash);
}

/** Sits the person down, once, if the address asks for it. */
function sitDown() {
  if (!scene || root.dataset.sit === undefined) return;
  delete root.dataset.sit;
  readdress();
  const { seats, open } = scene;
  const seat = open.find((place) => seats[place].state === "free") ?? open[0];
  // If there is no seat for them, the table says why.
  const taken = Math.max(0, seats.findIndex(({ state }) => state === "bot"));
  if (scene.seat !== null) return;
  void give({ do: "Sit", seat: seat ?? taken }).then((answer) => {
    // Somebody was faster: the page of a full table offers others.
    if (answer?.refusal?.reason === "table_full") location.replace(at(`/tables/${table}?sit`));
  });
}

/** Waits for the early command that begins the match; gives it again if it was refused. */
async function begin() {
  if (!begun) return;
  readdress();
  const answer = await begun;
  if (!answer || answer.ok) return;
  begins = false;
  if (scene?.may.includes("Start")) void give({ do: "Start" });
  paint();
}

/** @param {Message} message */
function greet(message) {
  if (welcome) listening.comeBack();
  else listening.greet(message);
  welcome = message;
  caughtUp = message.number;
  talk.greet(message);
  questions.update();
  playing.greet(message);
}

/** @param {Message} message */
function happened({ number, happening, told, remark }) {
  farewell = FAREWELLS[happening.event] ?? "";
  if (happening.event === "Committed") by("proof-part").hidden = false;
  promises.see(number, happening, scene?.seats.length ?? welcome?.seats.length ?? 0);
  if (happening.event === "Changed") {
    talk.may = happening.setup.talk;
    const open = happening.setup.access !== "private";
    const [now, before] = open ? ["inviting", "uninvited"] : ["uninvited", "inviting"];
    const held = by(before).contains(document.activeElement);
    by(now).hidden = false;
    by(before).hidden = true;
    if (held) (open ? by("address") : by("invite-part").querySelector("summary"))?.focus();
    questions.update();
    if (by("rules").firstChild) void freshRules();
  }
  const fresh = number > caughtUp;
  // A card whose sound comes from its player's place is told without the name.
  const named = !(fresh && happening.event === "Played" && sounds?.naming);
  /** @type {string[]} */
  const lines = (!named && told?.terse) || (told?.[settings.verbosity] ?? told?.normal ?? []);
  const news = { number, happening, lines, fresh };
  // After a card was taken back, the moment may be the same again.
  if (happening.event === "Played" && happening.seat === scene?.seat) underway.forget();
  for (const part of parts) part.see?.(news);
  if (remark && fresh && scene) {
    felt.speak(remark, scene);
    if (AT_LENGTH.includes(settings.verbosity)) listening.hear(say("talk_says", remark));
  }
}

/** @param {import("./connection.js").Condition} now */
function condition(now) {
  const texts = {
    connecting: alone ? "" : say("connecting"), // start.js tells it in other words
    open: "",
    lost: say("lost"),
    barred: say("line_barred"),
    back: "",
    ended: notice || (alone ? "" : say("ended")),
  };
  by("connection").hidden = texts[now] === "";
  setText(by("connection-told"), texts[now]);
  by("connection-again").hidden = now !== "ended";
  if (now === "ended") shown.close(); // the notice stands above
  by("connection-barred").hidden = now !== "barred";
  underway.paint();
  if (now === "lost") {
    listening.lose();
    connection.forgetQuestions();
  }
  if (now === "barred" || (now === "ended" && notice === "" && !alone)) announcer.say([texts[now]]);
  if (now === "back" || now === "open") notice = "";
}

/** Fetches the rules of the table, unless they are there; nothing if that fails. */
async function readRules() {
  if (!by("rules").firstChild) await freshRules();
}

async function freshRules() {
  try {
    await fill("rules", at(`/tables/${table}/rules`));
  } catch {
    // They are fetched again when they are next wanted.
  }
}

// Painting

/**
 * Fetches and shows the host's buttons, for people who have such rights; see host.js.
 * @param {Scene} now
 */
function paintRights({ may }) {
  const part = by("host-part");
  const had = part.contains(document.activeElement);
  part.hidden = !RIGHTS.some((name) => may.includes(name));
  if (had && part.hidden) home();
}

function paint() {
  if (!scene) return;
  const now = underway.within(scene);
  for (const part of parts) part.paint?.(part === felt || part === playing ? now : scene);
  underway.paint();
}

/**
 * Tells the host that somebody without a seat has come.
 * @param {string} line
 */
function tellNewcomer(line) {
  title.comes(line);
  sounds?.come();
  listening.tellNewcomer(line);
  shown.show([line], { refused: false, moment: null, at: null });
}

/**
 * Tells how it stands with the people whom the person looks for; empty if they look for none.
 * @param {Message} notice
 */
function tellSeeking({ line, short }) {
  if (line && line !== sought.line) listening.tellNewcomer(line);
  sought = { line, short };
  if (scene) scene.seeking = short;
  paint();
}

/**
 * Tells how much of the match that is over was luck.
 * @param {string} line
 */
function tellLuck(line) {
  if (line !== luck) announcer.say([line]);
  luck = line;
  if (scene) scene.luck = luck;
  paint();
}

/**
 * Looks for people to play with, or no longer does.
 * @param {boolean} on
 */
async function seek(on) {
  const answer = await connection.ask({ say: "seeking", on });
  if (answer) show(answer.lines, !answer.ok);
}

/**
 * Gives somebody who comes by keys the hand, or the buttons where none is dealt yet.
 * @param {Scene} scene
 */
function comeToHand({ hand, seat, phase }) {
  const watches = seat === null && location.search.includes("watch");
  const gathers = phase === "waiting" && seat !== null && !begins;
  if (!comesToHand || (hand.length === 0 && !watches && !gathers)) return;
  comesToHand = false;
  if (touched || document.activeElement !== document.body) return;
  if (!gathers || !playing.bar.focus()) home();
}

// The rest of the page

/** @param {import("./settings.js").Outcome} outcome */
function takeSettings({ kept, wrong, quiet }) {
  if (kept) {
    Object.assign(settings, kept);
    for (const part of parts) part.settingsChanged?.();
    paint();
    void connection.ask({
      say: "prefer",
      bot_pace: settings.bot_pace,
      trick_pace: settings.trick_pace,
      auto_forced: settings.auto_forced,
    });
  }
  const why = wrong ? Object.values(wrong) : [say("not_saved")];
  if (!quiet) announcer.answer(kept ? [say("saved")] : why);
}

/** Fetches the script for an invitation and passes the click on to it. @param {Event} event */
async function invite({ target }) {
  if (target instanceof HTMLElement && target.id === "invite-friend") {
    const { chooseFriend } = await import("../../tables/static/inviting.js");
    await chooseFriend(target.textContent ?? "", inviteFriend, home);
    return;
  }
  const { pressed } = await import("./settings.js");
  const copied = () => announcer.answer([say("copied")]);
  await pressed(target, () => give({ do: "Invite" }), copied);
}

/** @param {string} friend id */
async function inviteFriend(friend) {
  const answer = await connection.ask({ say: "invitefriend", friend });
  if (answer) show(answer.lines, !answer.ok);
}

async function helpAgain() {
  wantsHelp = true;
  await help.wake();
  welcoming?.open();
}

/**
 * Shows a part of the page that is open, over the felt where there is no room beside it.
 * @param {HTMLDetailsElement} part
 */
async function raise(part) {
  (await sheets())?.raise(part, home);
}

const root = by("table");
for (const part of parts) part.settingsChanged?.();
listenForKeys(ask, listening.keys, act);
document.addEventListener("keydown", ({ key }) => {
  // Control silences a screen reader: the person has heard enough.
  if (key === "Control" && settings.bots_wait) void connection.ask({ say: "heard" });
});
listenForEscape(home);
// The letters of keys are shown to whoever uses keys.
document.addEventListener("keydown", ({ target }) => {
  const typing = target instanceof Element && target.matches(FIELDS);
  if (!typing) document.documentElement.dataset.keyed = "";
});
by("to-hand").addEventListener("click", (event) => {
  event.preventDefault();
  home();
});
// What happens elsewhere; see news.js.
document.addEventListener("told", (event) => {
  if (event instanceof CustomEvent) tellNewcomer(event.detail);
});
for (const id of ["uninvited", "inviting"]) by(id).addEventListener("click", invite);
by("share").hidden = !("share" in navigator);
by("rules-part").addEventListener("toggle", readRules);
by("aside").addEventListener(
  "toggle",
  ({ target }) => {
    const opens = target instanceof HTMLDetailsElement && target.open;
    if (opens && target.parentElement === by("aside") && target.id !== "log-part") void raise(target);
  },
  true,
);
if (document.getElementById("news")) void import("../../../news/static/news.js");
if (alone?.table === "") location.replace(at(`/${lang}/`)); // it names no match
if (alone) {
  const means = {
    tell: (/** @type {string} */ line) => announcer.answer([line], "aside"),
    show: (/** @type {string} */ line) => show([line], false),
    settle: (/** @type {Record<string, any>} */ kept) => takeSettings({ kept, quiet: true }),
    home,
  };
  void import("../../../solo/static/start.js").then(({ attend }) => attend(means));
}
readdress(location.search.replace(/[?&]led_twice$/, ""));
condition("connecting");
connection.attend(hear, condition);
void begin();
