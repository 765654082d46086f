/** The steps of a match that is over: by card, by trick, by deal, or running by themselves. */

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
  tab,
  written,
} from "../../web/static/page.js";
import { Sheet } from "./sheet.js";

/**
 * A step of a deal, as `Moment` in history/moments.py has it.
 * @typedef {{lines: string[], scene: Scene, trick?: number, scored?: boolean,
 *   played?: number}} Moment
 * @typedef {import("../../web/static/page.js").Scene} Scene
 */

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

export class Replay {
  root = by("table");
  /** Events of the match that came with the page. @type {Record<string, any>[]} */
  #outline = JSON.parse(this.root.dataset.outline ?? "[]");
  #own = this.root.dataset.seat ? Number(this.root.dataset.seat) : null;
  #rules = this.#outline[0].rules;
  #dealt = this.#outline.filter(({ event }) => event === "Dealt");
  /** The score sheet of the match. @type {import("../../web/static/page.js").Sheet} */
  #sheet = JSON.parse(this.root.dataset.sheet ?? "null");
  #scored = this.#sheet.rows.filter(({ provisional }) => !provisional);

  /** Steps of the deals loaded so far, by address. @type {Map<string, Promise<Moment[]>>} */
  #loaded = new Map();
  /** The steps of the deal shown. @type {Moment[]} */
  moments = [];
  deal = 0;
  step = 0;
  /** Number of times that another step has been asked for. */
  #wanted = 0;
  /** The timer that runs while the match plays by itself. @type {number | undefined} */
  #running;
  /** @type {number | undefined} */
  #noting;

  signal;
  announcer;
  #felt = new Felt();
  /** The part for the wider family, where needed. */
  /** @type {import("../../web/static/page.js").Part | null} */
  #wider = null;
  #slider = /** @type {HTMLInputElement} */ (by("step"));
  choices = {
    deal: /** @type {HTMLSelectElement} */ (by("deal")),
    /** Not where everybody sees what they may. */
    eyes: /** @type {HTMLSelectElement | null} */ (document.getElementById("eyes")),
    speed: /** @type {HTMLSelectElement} */ (by("speed")),
  };

  /** @param {AbortSignal} signal */
  constructor(signal) {
    if (this.#rules.irregularities === "refereed") linkStyle("server/live/static/referee.css");
    this.signal = signal;
    this.announcer = new Announcer(by("live"), lang, signal);
    signal.addEventListener("abort", () => {
      window.clearTimeout(this.#running);
      window.clearTimeout(this.#noting);
      this.#running = undefined;
    });
  }

  /** Shows the first step, and listens to buttons and keys. */
  begin() {
    this.#listen();
    void this.#begin();
  }

  /**
   * The address of the steps of a deal.
   * @param {number} number
   */
  address(number) {
    const { match, carried } = this.root.dataset;
    const asked = carried ? `${carried}&eyes=` : "?eyes=";
    return at(`/matches/${match}/replay/${number}${asked}${this.choices.eyes?.value}`);
  }

  /** The deal and the step to begin with. */
  where() {
    const asked = tab.address().searchParams;
    if (this.choices.eyes && asked.get("eyes") === "own") this.choices.eyes.value = "own";
    const number = Math.trunc(Number(asked.get("deal"))) || 1;
    return { deal: number, step: Math.trunc(Number(asked.get("step"))) || 0 };
  }

  // Going somewhere

  /**
   * Show a step of a deal, and say it.
   * @param {number} number of the deal
   * @param {number} place of the step; a number beyond the last step means the last one
   * @param {number} [from] the first step to say, if it is another one
   * @param {number} [to] the last step to say
   */
  async go(number, place, from = place, to = place) {
    const first = this.deal === 0; // a screen reader reads a page that has just come anyway
    const fresh = number !== this.deal;
    this.#wanted += 1;
    const mine = this.#wanted;
    try {
      const coming = await this.load(number);
      if (this.#late(mine)) return;
      this.moments = coming;
    } catch {
      if (this.#late(mine)) return;
      this.stop();
      this.announcer.say([say("replay_failed")]);
      return;
    }
    this.deal = number;
    this.step = Math.min(Math.max(place, 0), this.moments.length - 1);
    const steps = this.moments.slice(Math.min(from, this.step), Math.max(to, this.step) + 1);
    const told = steps.flatMap(({ lines }) => lines);
    this.paint(told);
    if (!first) this.announce(fresh ? [this.#placeOf(this.moments[this.step]), ...told] : told);
    this.note();
  }

  /**
   * Whether another step has been asked for meanwhile, or the page is no longer there.
   * @param {number} mine
   */
  #late(mine) {
    return mine !== this.#wanted || this.signal.aborted;
  }

  /**
   * @param {number} number
   * @returns {Promise<Moment[]>}
   */
  load(number) {
    const address = this.address(number);
    const known = this.#loaded.get(address);
    if (known) return known;
    const coming = fetched(address);
    this.#loaded.set(address, coming);
    coming.catch(() => this.#loaded.delete(address));
    return coming;
  }

  /** Go one step on; after the last step to the next deal. */
  async #on() {
    if (this.step < this.moments.length - 1) await this.go(this.deal, this.step + 1);
    else if (this.deal < this.#dealt.length) await this.go(this.deal + 1, 0);
    else this.stop();
  }

  async #back() {
    if (this.step > 0) await this.go(this.deal, this.step - 1);
    else if (this.deal > 1) await this.go(this.deal - 1, Infinity);
  }

  /** Go to the next full trick, and say it from the lead to the taker; then to the end of the deal. */
  async #trickOn() {
    const next = this.moments.findIndex((moment, place) => place > this.step && full(moment));
    if (next >= 0) await this.go(this.deal, next, this.#ledAt(next), next + 1);
    else if (this.step < this.moments.length - 1) await this.go(this.deal, this.moments.length - 1);
    else await this.#on();
  }

  async #trickBack() {
    const before = this.moments.slice(0, this.step).map(full).lastIndexOf(true);
    if (before >= 0) await this.go(this.deal, before, this.#ledAt(before), before + 1);
    else if (this.step > 0) await this.go(this.deal, 0);
    else await this.#back();
  }

  /**
   * The step of the lead to the trick that a step belongs to.
   * @param {number} place
   */
  #ledAt(place) {
    return this.moments.findIndex(
      ({ scene, trick }) => scene.trick.length > 0 && trick === this.moments[place].trick,
    );
  }

  // Why was that played?

  /** Ask for the hint on the card of this step, and show it. */
  async #why() {
    const { played } = this.moments[this.step];
    const { match, carried } = this.root.dataset;
    const mine = this.#wanted;
    const here = by("why");
    this.announcer.say([say("replay_thinking")]);
    let lines = [say("replay_no_answer")];
    try {
      const address = at(`/matches/${match}/why/${played}${carried}`);
      const answer = await request(address, { headers: { accept: "application/json" } });
      const came = await answer.json();
      lines = came.lines ?? [came.line];
    } catch {
      // `lines` already says that there is no answer
    }
    if (this.#late(mine)) return;
    here.replaceChildren(...lines.map((line) => make("p", {}, line)));
    here.hidden = false;
    this.announcer.say(lines);
  }

  // Playing by itself

  #play() {
    if (this.#running !== undefined) {
      this.stop();
      return;
    }
    setText(by("play"), say("replay_pause"));
    this.#wait();
  }

  #wait() {
    const longer = full(this.moments[this.step]) ? 1.5 : 1;
    this.#running = window.setTimeout(async () => {
      await this.#on();
      if (this.#running !== undefined) this.#wait();
    }, Number(this.choices.speed.value) * longer);
  }

  stop() {
    window.clearTimeout(this.#running);
    this.#running = undefined;
    setText(by("play"), say("replay_play"));
  }

  // Saying and showing

  /**
   * Announce sentences, unless the slider has the focus: then the screen reader says its value.
   * @param {string[]} told
   */
  announce(told) {
    if (document.activeElement !== this.#slider) this.announcer.say(told);
  }

  /** @param {Moment} moment */
  #placeOf({ trick = 0, scored: over = false }) {
    const places = { number: this.deal, most: this.#dealt.length, count: trick };
    if (over) return say("replay_over", places);
    return say(trick === 0 ? "replay_pass" : "replay_trick", places);
  }

  /** @param {string[]} told */
  paint(told) {
    const moment = this.moments[this.step];
    const place = this.#placeOf(moment);
    const start = this.step === 0;
    const end = this.step === this.moments.length - 1;
    const off = {
      first: start,
      back: start && this.deal === 1,
      trick_back: start && this.deal === 1,
      on: end && this.deal === this.#dealt.length,
      trick_on: end && this.deal === this.#dealt.length,
      last: end,
      why: !moment.played,
    };
    by("why").hidden = true;
    this.#slider.max = String(this.moments.length - 1);
    this.#slider.value = String(this.step);
    setAttribute(this.#slider, "aria-valuetext", joined(told) || place);
    this.choices.deal.value = String(this.deal);
    setText(by("place"), place);
    for (const [key, idle] of Object.entries(off)) {
      const here = button(key);
      if (here) setAttribute(here, "aria-disabled", idle ? "true" : null);
    }
    const scene = { ...moment.scene, status: joined(told) };
    this.#felt.paint(scene);
    // Between two tricks the one before lies on the table.
    const winning = scene.wider?.last_held ? null : scene.leader;
    paintTrick(by("taken"), { ...scene, trick: scene.trick.length > 0 ? [] : scene.last, winning });
    hands.paint?.(scene);
    this.#wider?.paint?.(scene);
    by("last-part").hidden = scene.last.length === 0;
  }

  /** Keep the step in the address, so that loading the page again leads back to it. */
  note() {
    window.clearTimeout(this.#noting);
    this.#noting = window.setTimeout(() => {
      const { searchParams: place } = tab.address();
      place.set("deal", String(this.deal));
      place.set("step", String(this.step));
      if (this.choices.eyes) place.set("eyes", this.choices.eyes.value);
      tab.replace(`?${place}`);
    }, 300);
  }

  // Buttons and keys

  /** @type {Record<string, () => unknown>} */
  #moves = {
    first: () => this.go(this.deal, 0),
    trick_back: () => this.#trickBack(),
    back: () => this.#back(),
    play: () => this.#play(),
    on: () => this.#on(),
    trick_on: () => this.#trickOn(),
    last: () => this.go(this.deal, Infinity),
    why: () => this.#why(),
  };

  /** @param {string} key */
  async #move(key) {
    if (key !== "play") this.stop();
    const pressed = button(key);
    if (pressed && pressed.ariaDisabled !== "true") await this.#moves[key]();
  }

  #listen() {
    by("controls").addEventListener("click", ({ target }) => {
      const key = target instanceof HTMLElement ? target.dataset.key : undefined;
      if (key) void this.#move(key);
    });
    by("controls").addEventListener("keydown", (event) => {
      const plain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (!plain || event.target instanceof HTMLSelectElement) return;
      const key = event.key === " " && event.target === this.#slider ? "play" : KEYS[event.key];
      if (!key) return;
      event.preventDefault();
      void this.#move(key);
    });
    const { deal, eyes } = this.choices;
    this.#slider.addEventListener("input", () => {
      this.stop();
      void this.go(this.deal, Number(this.#slider.value));
    });
    deal.addEventListener("change", () => {
      this.stop();
      void this.go(Number(deal.value), 0);
    });
    eyes?.addEventListener("change", () => {
      this.stop();
      void this.go(this.deal, this.step);
    });
  }

  // The beginning

  async #begin() {
    const { players } = this.#outline[0];
    if (this.#rules.sides?.partners > 1 || this.#rules.deck.packs > 1) {
      this.#wider = new (await import("../../web/static/wider.js")).Wider(null, this.#felt);
      if (this.signal.aborted) return;
    }
    const options = this.#dealt.map((_, place) => {
      const number = place + 1;
      /** @type {number[]} */
      const points = this.#scored[place]?.points ?? []; // none if the table was closed during the deal
      const counts = points.map((count, seat) => `${isolated(players[seat].name)} ${written(count)}`);
      const names = counts.join(", ");
      const text = names ? say("replay_option", { number, names }) : say("proof_deal", { number });
      return make("option", { value: String(number) }, text);
    });
    this.choices.deal.replaceChildren(...options);
    this.stop();
    void this.announcer.speak(settings.speech === true, settings.speech_rate / 100);
    const { deal, step } = this.where();
    void this.go(Math.min(Math.max(deal, 1), this.#dealt.length), step);
    this.#paintSheet(players);
  }

  /**
   * Show the sheet of the whole match; of a scene it needs only the seats.
   * @param {import("../../web/static/page.js").Seat[]} seats
   */
  #paintSheet(seats) {
    const part = new Sheet();
    for (const happening of this.#outline) part.see({ happening, number: 0, lines: [], fresh: false });
    part.paint(/** @type {any} */ ({ seats, seat: this.#own, sheet: this.#sheet }));
  }
}

/** @param {string} address */
async function fetched(address) {
  const answer = await request(address, { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(address);
  const came = await answer.json();
  return fleshed(came.moments);
}

/**
 * Steps with whole scenes, from those with the changes of each scene.
 * @param {any[]} moments
 * @returns {Moment[]}
 */
export function fleshed(moments) {
  let scene = {};
  return moments.map((moment) => {
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

/** @param {Moment} moment */
function full({ scene: { trick, seats } }) {
  return trick.length === seats.length;
}

/**
 * @param {string} key
 * @returns {HTMLButtonElement | null} null for one that the page does not have
 */
function button(key) {
  const found = by("controls").querySelector(`[data-key=${key}]`);
  return /** @type {HTMLButtonElement | null} */ (found);
}
