/** What the person can do at the table now, as buttons: from what the server says they may. */

import { askOnceMore } from "./dialog.js";
import { say } from "./page.js";

/**
 * @typedef {import("./toolbar.js").Choice} Choice
 * @typedef {import("./page.js").Scene} Scene
 * @typedef {import("./page.js").Card} Card
 */

/**
 * What the buttons are about, and what they set off.
 * @typedef {{
 *   give: (command: Record<string, unknown>) => void,
 *   act: (action: Record<string, unknown>) => void,
 *   use: (card: Card) => void,
 *   pass: () => void,
 *   home: () => void,
 *   card: Card | null,
 *   chosen: ReadonlySet<string>,
 *   agreed: boolean,
 * }} Now
 * `use` plays or chooses the `card` that the person is on; `agreed` to a short clock.
 */

/**
 * @param {Scene} scene
 * @param {Now} now
 * @returns {Choice[]}
 */
export function actionsOf(scene, { give, act, use, pass, home, card, chosen, agreed }) {
  /** @type {Choice[]} */
  const choices = [];
  /** @type {(name: string, label: string, run: () => void, more?: Partial<Choice>) => void} */
  const offer = (name, label, run, more = {}) => {
    if (scene.may.includes(name)) choices.push({ key: name, label, run, ...more });
  };
  const first = true;
  const again = scene.phase === "ended" ? "start_again" : "start";
  offer("Start", say(again), () => give({ do: "Start" }), { first });
  if (card) {
    const play = say("play_card", { card: card.name });
    offer("Play", play, () => use(card), { first: card.legal, barred: !card.legal });
  }
  const enough = chosen.size === scene.pass_count;
  const count = say("choose", { count: chosen.size, most: scene.pass_count });
  offer("Pass", count, pass, { first: enough });
  if (card && scene.may.includes("Pass")) {
    const name = chosen.has(card.card) ? "put_back" : "choose_card";
    choices.push({ key: "Choose", label: say(name, { card: card.name }), run: () => use(card) });
  }
  offer("TakeBackPass", say("take_back_pass"), () => act({ action: "TakeBackPass" }));
  offer("Next", say("next"), () => give({ do: "Next" }), { first });
  offer("Unpause", say("unpause"), () => give({ do: "Unpause" }), { first });
  offer("Back", say("back_again"), () => give({ do: "Back" }), { first });
  if (scene.may.includes("Sit")) {
    const host = scene.may.includes("Close");
    const asks = !host && ["passing", "playing"].includes(scene.phase);
    for (const place of scene.open) {
      const run = () => give({ do: "Sit", seat: place });
      const label = say(asks ? "ask_seat" : "sit", { number: place + 1 });
      const free = scene.seats[place].state === "free";
      choices.push({ key: `Sit ${place}`, label, run, first: free });
    }
  }
  offer("AskUndo", say("undo"), () => act({ action: "AskUndo" }));
  offer("Claim", say("claim"), () => {
    const words = { title: say("sure_claim"), about: say("about_claim") };
    const answers = { yes: say("yes_claim"), no: say("no_claim") };
    askOnceMore({ ...words, ...answers }, () => act({ action: "Claim" }), home);
  });
  offer("MoreTime", say("more_time"), () => give({ do: "MoreTime" }));
  const clock = say(agreed ? "refuse_clock" : "accept_clock");
  offer("AcceptClock", clock, () => give({ do: "AcceptClock", accept: !agreed }));
  offer("Pause", say("pause"), () => give({ do: "Pause" }));
  offer("Away", say("away"), () => give({ do: "Away" }));
  offer("Stand", say("stand"), () => {
    const playing = !["waiting", "ended", "closed"].includes(scene.phase);
    const about = say(playing ? "about_stand" : "about_stand_free");
    const words = { title: say("sure_stand"), about, yes: say("stand"), no: say("no_stand") };
    askOnceMore(words, () => give({ do: "Stand" }), home);
  });
  return choices;
}
