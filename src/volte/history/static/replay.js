/** The replay of a match that is over: by card, by trick, by deal, or running by itself. */

import { Announcer, joined } from "../../web/static/announcer.js";
import { Felt, paintTrick } from "../../web/static/felt.js";
import { hands } from "../../web/static/hands.js";
import {
  at,
  by,
  isolated,
  lang,
  linkStyle,
  make,
  request,
  say,
  setAttribute,
  setText,
  settings,
  written,
} from "../../web/static/page.js";
import { Sheet } from "./sheet.js";

/**
 * A step of a deal, as `Moment` in history/moments.py has it.
 * @typedef {{lines: string[], scene: Scene, trick?: number, scored?: boolean,
 *   played?: number}} Moment
 * @typedef {import("../../web/static/page.js").Scene} Scene
 */

const root = by("table");
/** Events of the match that came with the page. @type {Record<string, any>[]} */
const outline = JSON.parse(root.dataset.outline ?? "[]");
const own = root.dataset.seat ? Number(root.dataset.seat) : null;
const { rules } = outline[0];
if (rules.irregularities === "refereed") linkStyle("server/live/static/referee.css");
const dealt = outline.filter(({ event }) => event === "Dealt");
/** The score sheet of the match. @type {import("../../web/static/page.js").Sheet} */
const sheet = JSON.parse(root.dataset.sheet ?? "null");
const scored = sheet.rows.filter(({ provisional }) => !provisional);

/** Steps of the deals loaded so far, by address. @type {Map<string, Promise<Moment[]>>} */
const loaded = new Map();
/** The steps of the deal shown. @type {Moment[]} */
let moments = [];
let deal = 0;
let step = 0;
/** Number of times that another step has been asked for. */
let wanted = 0;
/** The timer that runs while the match plays by itself. @type {number | undefined} */
let running;
/** @type {number | undefined} */
let noting;

const announcer = new Announcer(by("live"), lang);
const felt = new Felt();
/** The part for the wider family, where needed. */
/** @type {import("../../web/static/page.js").Part | null} */
let wider = null;
const slider = /** @type {HTMLInputElement} */ (by("step"));
const choices = {
  deal: /** @type {HTMLSelectElement} */ (by("deal")),
  eyes: /** @type {HTMLSelectElement} */ (by("eyes")),
  speed: /** @type {HTMLSelectElement} */ (by("speed")),
};

// Going somewhere

/**
 * Show a step of a deal, and say it.
 * @param {number} number of the deal
 * @param {number} place of the step; a number beyond the last step means the last one
 * @param {number} [from] the first step to say, if it is another one
 * @param {number} [to] the last step to say
 */
async function go(number, place, from = place, to = place) {
  const first = deal === 0; // a screen reader reads a page that has just been loaded anyway
  const fresh = number !== deal;
  wanted += 1;
  const mine = wanted;
  try {
    const coming = await load(number);
    if (mine !== wanted) return; // another step has been asked for meanwhile
    moments = coming;
  } catch {
    stop();
    announcer.say([say("replay_failed")]);
    return;
  }
  deal = number;
  step = Math.min(Math.max(place, 0), moments.length - 1);
  const steps = moments.slice(Math.min(from, step), Math.max(to, step) + 1);
  const told = steps.flatMap(({ lines }) => lines);
  paint(told);
  if (!first) announce(fresh ? [placeOf(moments[step]), ...told] : told);
  note();
}

/**
 * @param {number} number
 * @returns {Promise<Moment[]>}
 */
function load(number) {
  const { match, carried } = root.dataset;
  const asked = carried ? `${carried}&eyes=` : "?eyes=";
  const address = at(`/matches/${match}/replay/${number}${asked}${choices.eyes.value}`);
  const known = loaded.get(address);
  if (known) return known;
  const coming = fetched(address);
  loaded.set(address, coming);
  coming.catch(() => loaded.delete(address));
  return coming;
}

/** @param {string} address */
async function fetched(address) {
  const answer = await request(address, { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(address);
  const came = await answer.json();
  let scene = {};
  return came.moments.map((/** @type {any} */ moment) => {
    scene = changed(scene, moment.scene);
    return { ...moment, scene };
  });
}

/**
 * A value of a scene after a change (see scene/changes.py).
 * @param {any} before
 * @param {any} change
 * @returns {any}
 */
function changed(before, change) {
  if (Array.isArray(change)) {
    const [place, count, items] = change;
    const list = before ?? [];
    return [...list.slice(0, place), ...items, ...list.slice(place + count)];
  }
  if (change === null || typeof change !== "object") return change;
  const next = Array.isArray(before) ? [...before] : { ...before };
  for (const [name, value] of Object.entries(change)) next[name] = changed(next[name], value);
  return next;
}

/** Go one step on; after the last step to the next deal. */
async function on() {
  if (step < moments.length - 1) await go(deal, step + 1);
  else if (deal < dealt.length) await go(deal + 1, 0);
  else stop();
}

async function back() {
  if (step > 0) await go(deal, step - 1);
  else if (deal > 1) await go(deal - 1, Infinity);
}

/** Go to the next full trick, and say it from the lead to the taker; then to the end of the deal. */
async function trickOn() {
  const next = moments.findIndex((moment, place) => place > step && full(moment));
  if (next >= 0) await go(deal, next, ledAt(next), next + 1);
  else if (step < moments.length - 1) await go(deal, moments.length - 1);
  else await on();
}

async function trickBack() {
  const before = moments.slice(0, step).map(full).lastIndexOf(true);
  if (before >= 0) await go(deal, before, ledAt(before), before + 1);
  else if (step > 0) await go(deal, 0);
  else await back();
}

/** @param {Moment} moment */
function full({ scene: { trick, seats } }) {
  return trick.length === seats.length;
}

/**
 * The step of the lead to the trick that a step belongs to.
 * @param {number} place
 */
function ledAt(place) {
  return moments.findIndex(
    ({ scene, trick }) => scene.trick.length > 0 && trick === moments[place].trick,
  );
}

// Why was that played?

/** Ask the server for the hint on the card of this step, and show it. */
async function why() {
  const { played } = moments[step];
  const { match, carried } = root.dataset;
  const mine = wanted;
  const here = by("why");
  announcer.say([say("replay_thinking")]);
  let lines = [say("replay_no_answer")];
  try {
    const address = at(`/matches/${match}/why/${played}${carried}`);
    const answer = await request(address, { headers: { accept: "application/json" } });
    const came = await answer.json();
    lines = came.lines ?? [came.line];
  } catch {
    // `lines` already says that there is no answer
  }
  if (mine !== wanted) return; // another step has been asked for meanwhile
  here.replaceChildren(...lines.map((line) => make("p", {}, line)));
  here.hidden = false;
  announcer.say(lines);
}

// Playing by itself

function play() {
  if (running !== undefined) {
    stop();
    return;
  }
  setText(button("play"), say("replay_pause"));
  wait();
}

function wait() {
  const longer = full(moments[step]) ? 1.5 : 1;
  running = window.setTimeout(async () => {
    await on();
    if (running !== undefined) wait();
  }, Number(choices.speed.value) * longer);
}

function stop() {
  window.clearTimeout(running);
  running = undefined;
  setText(button("play"), say("replay_play"));
}

// Saying and showing

/**
 * Announce sentences, unless the slider has the focus: then the screen reader says its value.
 * @param {string[]} told
 */
function announce(told) {
  if (document.activeElement !== slider) announcer.say(told);
}

/** @param {Moment} moment */
function placeOf({ trick = 0, scored: over = false }) {
  const places = { number: deal, most: dealt.length, count: trick };
  if (over) return say("replay_over", places);
  return say(trick === 0 ? "replay_pass" : "replay_trick", places);
}

/** @param {string[]} told */
function paint(told) {
  const moment = moments[step];
  const place = placeOf(moment);
  const start = step === 0;
  const end = step === moments.length - 1;
  const off = {
    first: start,
    back: start && deal === 1,
    trick_back: start && deal === 1,
    on: end && deal === dealt.length,
    trick_on: end && deal === dealt.length,
    last: end,
    why: !moment.played,
  };
  by("why").hidden = true;
  slider.max = String(moments.length - 1);
  slider.value = String(step);
  setAttribute(slider, "aria-valuetext", joined(told) || place);
  choices.deal.value = String(deal);
  setText(by("place"), place);
  for (const [key, idle] of Object.entries(off)) {
    setAttribute(button(key), "aria-disabled", idle ? "true" : null);
  }
  const scene = { ...moment.scene, status: joined(told) };
  felt.paint(scene);
  // Between two tricks the one before lies on the table.
  const winning = scene.wider?.last_held ? null : scene.leader;
  paintTrick(by("taken"), { ...scene, trick: scene.trick.length > 0 ? [] : scene.last, winning });
  hands.paint?.(scene);
  wider?.paint?.(scene);
  by("last-part").hidden = scene.last.length === 0;
}

/** Keep the step in the address, so that loading the page again leads back to it. */
function note() {
  window.clearTimeout(noting);
  noting = window.setTimeout(() => {
    const place = new URLSearchParams(location.search);
    place.set("deal", String(deal));
    place.set("step", String(step));
    place.set("eyes", choices.eyes.value);
    history.replaceState(null, "", `?${place}`);
  }, 300);
}

// Buttons and keys

/** @type {Record<string, () => unknown>} */
const moves = {
  first: () => go(deal, 0),
  trick_back: trickBack,
  back,
  play,
  on,
  trick_on: trickOn,
  last: () => go(deal, Infinity),
  why,
};

/** @type {Record<string, string>} */
const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "on",
  PageUp: "trick_back",
  PageDown: "trick_on",
  Home: "first",
  End: "last",
  w: "why",
};

/**
 * @param {string} key
 * @returns {HTMLButtonElement}
 */
function button(key) {
  const found = by("controls").querySelector(`[data-key=${key}]`);
  return /** @type {HTMLButtonElement} */ (found);
}

/** @param {string} key */
async function move(key) {
  if (key !== "play") stop();
  if (button(key).ariaDisabled !== "true") await moves[key]();
}

by("controls").addEventListener("click", ({ target }) => {
  const key = target instanceof HTMLElement ? target.dataset.key : undefined;
  if (key) void move(key);
});
by("controls").addEventListener("keydown", (event) => {
  const plain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!plain || event.target instanceof HTMLSelectElement) return;
  const key = event.key === " " && event.target === slider ? "play" : KEYS[event.key];
  if (!key) return;
  event.preventDefault();
  void move(key);
});
slider.addEventListener("input", () => {
  stop();
  void go(deal, Number(slider.value));
});
choices.deal.addEventListener("change", () => {
  stop();
  void go(Number(choices.deal.value), 0);
});
choices.eyes.addEventListener("change", () => {
  stop();
  void go(deal, step);
});

// The beginning

async function begin() {
  const { players } = outline[0];
  if (rules.sides?.partners > 1 || rules.deck.packs > 1) {
    wider = new (await import("../../web/static/wider.js")).Wider(null, felt);
  }
  const options = dealt.map((_, place) => {
    const number = place + 1;
    /** @type {number[]} */
    const points = scored[place]?.points ?? []; // none if the table was closed during the deal
    const counts = points.map((count, seat) => `${isolated(players[seat].name)} ${written(count)}`);
    const names = counts.join(", ");
    const text = names ? say("replay_option", { number, names }) : say("proof_deal", { number });
    return make("option", { value: String(number) }, text);
  });
  choices.deal.replaceChildren(...options);
  stop();
  void announcer.speak(settings.speech === true, settings.speech_rate / 100);
  const asked = new URLSearchParams(location.search);
  if (asked.get("eyes") === "own") choices.eyes.value = "own";
  const number = Math.trunc(Number(asked.get("deal"))) || 1;
  const place = Math.trunc(Number(asked.get("step"))) || 0;
  void go(Math.min(Math.max(number, 1), dealt.length), place);
  paintSheet(players);
}

/**
 * Show the sheet of the whole match; of a scene it needs only the seats.
 * @param {import("../../web/static/page.js").Seat[]} seats
 */
function paintSheet(seats) {
  const part = new Sheet();
  for (const happening of outline) part.see({ happening, number: 0, lines: [], fresh: false });
  part.paint(/** @type {any} */ ({ seats, seat: own, sheet }));
}

void begin();
