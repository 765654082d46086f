/**
 * Additions of a table where anybody may come ("Play with people"), fetched only there: looking for
 * people, beginning anew, leaving, and going on at another table.
 */

import { label } from "../../../web/static/buttons.js";
import { keyOf } from "../../../web/static/keys.js";
import { at, by, make, say, setText } from "../../../web/static/page.js";
import { ofTab } from "../../../web/static/storage.js";
import { Clock } from "./clock.js";

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
  #text = make("span", { id: "anew-text" });
  #left = make("span", { class: "help", "aria-hidden": "true" });
  #about = make("p", {}, [this.#text, document.createTextNode(" "), this.#left]);
  #begin = make("button", { type: "button", class: "first", id: "begin-anew" });
  #on = make("button", { type: "button", id: "play-on" });
  #buttons = make("p", { class: "buttons" }, [this.#begin, document.createTextNode(" "), this.#on]);
  #box = make("div", { id: "anew", class: "asked" }, [this.#about, this.#buttons]);
  #count = make("p", { id: "filling" });
  #clocks = [new Clock(this.#left, "seconds", ({ anew = null }) => anew)];
  /** Whether ears know that bots come to the table in a while. */
  #fills = false;
  /** Whether the person has chosen to play on, this time. */
  #declined = false;
  /** Whether ears know that the match can be begun anew: it is told with whoever has come. */
  #told = false;
  #painted = false;

  /**
   * @param {import("./playing.js").Playing} playing
   * @param {{give: (command: Record<string, unknown>) => Promise<Message | null>,
   *   seek: (on: boolean) => void, tell: (line: string) => void, show: (line: string) => void,
   *   warn: (lines: string[]) => void}} means `tell`: for ears; `show`: for eyes and ears
   */
  constructor(playing, means) {
    this.playing = playing;
    this.means = means;
    this.#box.hidden = true;
    by("waiting").after(this.#box);
    for (const [button, { run }] of this.#pairs()) button.addEventListener("click", run);
    by("gathering-title").before(this.#count);
    const { warn } = means;
    this.#clocks.push(new Clock(this.#count, "filling", ({ filling = null }) => filling, warn));
    playing.adapts.push((choices, scene) => this.#adapt(choices, scene));
    playing.offers.push(() => (this.#box.hidden ? [] : this.#answers()));
  }

  settingsChanged() {
    for (const [button, choice] of this.#pairs()) label(button, choice);
  }

  /** @param {News} news */
  see({ happening: { event, onward }, fresh }) {
    if (event === "Closed" && onward) goOn(onward);
    if (event === "Sat" && fresh) this.#told = true;
  }

  /** @param {Scene} scene */
  paint(scene) {
    if (!this.#painted) {
      this.#painted = true;
      this.playing.paint(scene); // its buttons were painted without ours
      this.#arrive();
    }
    for (const clock of this.#clocks) clock.paint(scene);
    this.#offer(scene);
    const { filling = null, status } = scene;
    const fills = filling !== null;
    if (fills && !this.#fills) this.means.tell(`${status} ${say("filling", { count: filling })}`);
    this.#fills = fills;
  }

  /**
   * Tells somebody who was at another table that they are here now; with whom is told beside it.
   */
  #arrive() {
    if (ofTab.get(ONWARD)) this.means.show(say("gone_on"));
    ofTab.remove(ONWARD);
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
    if (offered && !this.#told) this.means.tell(say("anew_offered"));
    this.#told = offered;
    setText(this.#text, say("anew_offered"));
    this.#box.hidden = !offered || this.#declined;
    if (had && this.#box.hidden) this.playing.home();
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
  #adapt(choices, { seat, seeking, seats }) {
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
