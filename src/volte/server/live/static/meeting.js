/**
 * Additions of a table where anybody may come ("Play with people"), fetched only there: looking for
 * people, beginning anew, leaving, and going on at another table.
 */

import { label } from "../../../web/static/buttons.js";
import { keyOf } from "../../../web/static/keys.js";
import { at, by, make, say, setText } from "../../../web/static/page.js";
import { ofTab } from "../../../web/static/storage.js";

/** @typedef {import("../../../web/static/page.js").Scene} Scene */
/** @typedef {import("../../../web/static/page.js").News} News */
/** @typedef {import("../../../web/static/buttons.js").Choice} Choice */
/** @typedef {import("./connection.js").Message} Message */

/** Key of the tab's storage under which it goes on from one table to another. */
const ONWARD = "volte onward";

/**
 * Goes on at another table, where the people of this one play now.
 * @param {string} table its id
 */
export function goOn(table) {
  const keys = by("hand-section").contains(document.activeElement);
  ofTab.set(ONWARD, table);
  location.replace(at(`/tables/${table}`) + (keys ? "#cards" : ""));
}

export class Meeting {
  #text = make("p", { id: "anew-text" });
  #left = make("p", { class: "help", "aria-hidden": "true" });
  #begin = make("button", { type: "button", class: "first", id: "begin-anew" });
  #on = make("button", { type: "button", id: "play-on" });
  #buttons = make("p", { class: "buttons" }, [this.#begin, document.createTextNode(" "), this.#on]);
  #box = make("div", { id: "anew", class: "asked" }, [this.#text, this.#left, this.#buttons]);
  /** The time until which the match can be begun anew. */
  #ends = 0;
  /** Whether the person has chosen to play on, this time. */
  #declined = false;
  #painted = false;

  /**
   * @param {import("./playing.js").Playing} playing
   * @param {{give: (command: Record<string, unknown>) => Promise<Message | null>,
   *   seek: (on: boolean) => void, tell: (line: string) => void, show: (line: string) => void}}
   *   means `tell`: for ears; `show`: for eyes and ears
   */
  constructor(playing, means) {
    this.playing = playing;
    this.means = means;
    this.#box.hidden = true;
    by("waiting").after(this.#box);
    for (const [button, { run }] of this.#pairs()) button.addEventListener("click", run);
    window.setInterval(() => this.#tick(), 1000);
    playing.adapts.push((choices, scene) => this.#adapt(choices, scene));
    playing.offers.push(() => (this.#box.hidden ? [] : this.#answers()));
  }

  settingsChanged() {
    for (const [button, choice] of this.#pairs()) label(button, choice);
  }

  /** @param {News} news */
  see({ happening: { event, onward } }) {
    if (event === "Closed" && onward) goOn(onward);
  }

  /** @param {Scene} scene */
  paint(scene) {
    if (!this.#painted) {
      this.#painted = true;
      this.playing.paint(scene); // its buttons were painted without ours
      this.#arrive(scene);
    }
    this.#offer(scene);
  }

  /**
   * Tells somebody who was at another table with whom they go on.
   * @param {Scene} scene
   */
  #arrive({ seats, seat }) {
    const led = ofTab.get(ONWARD);
    ofTab.remove(ONWARD);
    const others = seats.filter(({ level, state }, place) => place !== seat && !level && state !== "free");
    const names = others.map(({ name }) => name).join(", ");
    if (led && names) this.means.show(say("gone_on", { names }));
  }

  // Beginning anew

  /**
   * Offers to begin the match anew while that can be had.
   * @param {Scene} scene
   */
  #offer({ may, anew = null }) {
    const had = this.#box.contains(document.activeElement);
    const offered = anew !== null && may.includes("Anew");
    if (!offered) this.#declined = false;
    if (anew !== null) this.#ends = performance.now() + anew * 1000;
    setText(this.#text, say("anew_offered"));
    this.#box.hidden = !offered || this.#declined;
    this.#tick();
    if (had && this.#box.hidden) this.playing.home();
  }

  #tick() {
    if (this.#box.hidden) return;
    const count = Math.max(0, Math.ceil((this.#ends - performance.now()) / 1000));
    setText(this.#left, say("clock", { count }));
  }

  #decline() {
    this.#declined = true;
    const had = this.#box.contains(document.activeElement);
    this.#box.hidden = true;
    this.means.tell(say("plays_on"));
    if (had) this.playing.home();
  }

  /** @returns {Choice[]} */
  #answers() {
    return [
      {
        ...{ key: "Anew", label: say("anew"), shortcut: keyOf("accept") },
        run: () => void this.means.give({ do: "Anew" }),
      },
      {
        ...{ key: "PlayOn", label: say("play_on"), shortcut: keyOf("turn_down") },
        run: () => this.#decline(),
      },
    ];
  }

  /** @returns {[HTMLElement, Choice][]} */
  #pairs() {
    const [anew, on] = this.#answers();
    return [
      [this.#begin, anew],
      [this.#on, on],
    ];
  }

  // Buttons

  /**
   * @param {Choice[]} choices
   * @param {Scene} scene
   * @returns {Choice[]}
   */
  #adapt(choices, { seat, filling, seeking, seats }) {
    const start = choices.find(({ key }) => key === "Start");
    if (start && typeof filling === "number") start.label = say("start_filled");
    const stand = choices.find(({ key }) => key === "Stand");
    const room = seats.some(({ state }) => state === "bot" || state === "free");
    if (seat === null) return choices;
    if (stand) Object.assign(stand, { label: say("leave_table"), run: () => void this.#leave() });
    if (!room && !seeking) return choices;
    const seek = () => this.means.seek(!seeking);
    return [...choices, { key: "Seek", label: say(seeking ? "stop_seeking" : "seek"), run: seek }];
  }

  /** Asks once more, gives up the seat, and goes where one can say whom one would rather not meet. */
  async #leave() {
    const { askOnceMore } = await import("../../../web/static/dialog.js");
    const words = { title: say("sure_leave"), about: say("about_leave") };
    const answers = { yes: say("leave_table"), no: say("no_stand") };
    const leave = async () => {
      const answer = await this.means.give({ do: "Stand" });
      if (answer?.ok) location.assign(at("/meet/left"));
    };
    askOnceMore({ ...words, ...answers }, () => void leave(), () => this.playing.home());
  }
}
