/** The page of a table: passes the server's messages to the parts, and sends the person's acts. */

import { Announcer } from "../../../web/static/announcer.js";
import { Felt, Shown } from "../../../web/static/felt.js";
import { FIELDS, listenForEscape, listenForKeys } from "../../../web/static/keys.js";
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
  say,
  setText,
  settings,
  table,
} from "../../../web/static/page.js";
import { Promises } from "../../../web/static/shares.js";
import { Acting } from "./acting.js";
import { Arrival } from "./arrival.js";
import { Clock } from "./clock.js";
import { connection } from "./connection.js";
import { Listening } from "./listening.js";
import { Notices } from "./notices.js";
import { Playing } from "./playing.js";
import { Questions } from "./questions.js";
import { Talk } from "./talking.js";
import { Title } from "./title.js";
import { Underway } from "./underway.js";

/** @typedef {import("./connection.js").Message} Message */
/** @typedef {import("../../../web/static/page.js").Scene} Scene */
/** @typedef {import("../../../web/static/page.js").Part} Part */
/** @typedef {import("../../../web/static/page.js").News} News */

/** Commands of a host. */
const RIGHTS = alone
  ? []
  : ["SeatBot", "Swap", "Remove", "Replace", "HandOver", "Change", "Close"];
/** Verbosities at which remarks of bots with personality are heard. */
const AT_LENGTH = ["normal", "full"];

/** The last scene; null before the first. @type {Scene | null} */
let scene = null;
/** The server's welcome: facts about the table and the person. @type {Message | null} */
let welcome = null;
/** Number of the last happening that was caught up with, and so is no news. */
let caughtUp = 0;

const announcer = new Announcer(by("live"), lang);
announcer.knows = async () => {
  await (await import("./settings.js")).keep("reader_rate", ["reader_rate"]);
  void connection.ask({ say: "prefer" }); // bots wait for the reader
};
const playing = new Playing({
  give: (...command) => acting.give(...command),
  show: (...answer) => acting.show(...answer),
  tell: (lines) => announcer.answer(lines),
  hint: () => void acting.ask("hint", 0),
  bear: (focus) => announcer.bear(focus),
});
const home = () => playing.home();
const shown = new Shown(home);
const promises = new Promises(table, (command) => acting.give(command, true));
const listening = new Listening(announcer);
const title = new Title();
const underway = new Underway(playing, {
  paint: paintPlay,
  tell: (line) => announcer.answer([line]),
  cover: () => shown.close(),
});
const acting = new Acting({
  ...{ playing, underway, shown, announcer, listening, home },
  scene: () => scene,
  talk: () => talk.open(),
  rules: readRules,
  turnTrick: () => corner?.turn(true),
});
const arrival = new Arrival({
  ...{ acting, playing, paint },
  scene: () => scene,
  touched: () => touched,
});
const notices = new Notices({
  ...{ shown, listening, title },
  show: (lines, refused) => acting.show(lines, refused),
  say: (lines) => announcer.say(lines),
  giveAgain: () => acting.giveAgain(),
  ring: () => sounds?.come(),
  changed: () => {
    if (scene) Object.assign(scene, notices.noted);
    paint();
  },
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
    await toggle((message) => connection.ask(message), talk, (...answer) => acting.show(...answer));
  },
});
const questions = new Questions({
  ask: (what) => acting.ask(what, 0),
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
    async () => new (await import("./ending.js")).Ending((it) => void acting.give(it)),
    ({ phase, reckoning }) =>
      !!reckoning || ["between", "ended", "pausing", "closed"].includes(phase),
  ),
  new Later(
    async () =>
      new (await import("./gathering.js")).Gathering(
        (it) => void acting.give(it),
        home,
        () => questions.update(),
        (line) => listening.tellNewcomer(line),
      ),
    ({ phase }) => phase === "waiting" && !arrival.begins && !alone,
  ),
  new Later(
    async () => {
      const { Referee } = await import("./referee.js");
      return new Referee(playing, (...asked) => acting.question(...asked));
    },
    ({ refereed }) => refereed === true,
  ),
  new Later(
    async () =>
      new (await import("./meeting.js")).Meeting(playing, {
        give: (it) => acting.give(it),
        seek: (on) => notices.seek(on),
        tell: (line) => listening.tellNewcomer(line),
        warn: (lines) => listening.warn(lines),
        show: (line) => acting.show([line], false),
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
  onceOpen("host-part", async () => {
    const { Host } = await import("./host.js");
    return new Host((it) => void acting.give(it));
  }),
  { paint: paintRights },
  new Later(
    async () => new (await import("./asker.js")).Asker((command) => void acting.give(command), home),
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
  arrival,
  questions,
  listening,
  // Nothing sounds before the page has been touched.
  new Later(
    async () => (sounds = new (await import("./sounds.js")).Sounds()),
    () => touched,
  ),
  help,
];

/** Paints the hand and the trick anew, after a card has gone from one to the other. */
function paintPlay() {
  if (!scene) return;
  const now = underway.within(scene);
  felt.paint(now);
  playing.paint(now);
  underway.paint();
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
      message.sheet ??= scene?.sheet;
      message.chart ??= scene?.chart;
      scene = notices.within(message);
      talk.paint(scene);
      acting.dropOutdated(scene);
      if (connection.seen >= caughtUp) paint();
      arrival.sitDown(scene);
      break;
    case "spoken":
      talk.hear(message);
      if (!scene) break;
      panel.paint(scene);
      if (talk.fresh(message)) felt.speak(message, scene);
      break;
    case "notice":
      notices.hear(message);
      break;
  }
  if (connection.seen >= caughtUp) promises.act(scene?.seat ?? null);
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
  notices.see(happening.event);
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
    ended: notices.last || (alone ? "" : say("ended")),
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
  if (now === "barred" || (now === "ended" && notices.last === "" && !alone)) announcer.say([texts[now]]);
  if (now === "back" || now === "open") notices.last = "";
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
  await pressed(target, () => acting.give({ do: "Invite" }), copied);
}

/** @param {string} friend id */
async function inviteFriend(friend) {
  const answer = await connection.ask({ say: "invitefriend", friend });
  if (answer) acting.show(answer.lines, !answer.ok);
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

for (const part of parts) part.settingsChanged?.();
listenForKeys(
  (what, number) => acting.ask(what, number),
  listening.keys,
  (what) => acting.act(what),
);
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
  if (event instanceof CustomEvent) notices.tellNewcomer(event.detail);
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
    show: (/** @type {string} */ line) => acting.show([line], false),
    settle: (/** @type {Record<string, any>} */ kept) => takeSettings({ kept, quiet: true }),
    home,
  };
  void import("../../../solo/static/start.js").then(({ attend }) => attend(means));
}
arrival.readdress(location.search.replace(/[?&]led_twice$/, ""));
condition("connecting");
connection.attend(hear, condition);
void arrival.begin();
