/** What the person can do at the table now, as buttons: from what the server says they may. */

/**
 * @typedef {import("./toolbar.js").Choice} Choice
 * @typedef {import("./page.js").Say} Say
 */

/**
 * @param {Record<string, any>} scene
 * @param {{
 *   say: Say,
 *   give: (command: Record<string, unknown>) => void,
 *   act: (action: Record<string, unknown>) => void,
 *   pass: () => void,
 *   chosen: number,
 *   agreed: boolean,
 *   ready: boolean,
 * }} with_
 * @returns {Choice[]}
 */
export function actionsOf(scene, { say, give, act, pass, chosen, agreed, ready }) {
  /** @type {Choice[]} */
  const choices = [];
  /** @type {(name: string, label: string, run: () => void, first?: boolean) => void} */
  const offer = (name, label, run, first = false) => {
    if (scene.may.includes(name)) choices.push({ key: name, label, run, first });
  };
  const again = scene.phase === "ended" ? "start_again" : "start";
  offer("Start", say(again), () => give({ do: "Start" }), true);
  const count = say("choose", { count: chosen, most: scene.pass_count });
  offer("Pass", count, pass, chosen === scene.pass_count);
  offer("TakeBackPass", say("take_back_pass"), () => act({ action: "TakeBackPass" }));
  if (!ready) offer("Next", say("next"), () => give({ do: "Next" }), true);
  offer("Unpause", say("unpause"), () => give({ do: "Unpause" }), true);
  offer("Back", say("back_again"), () => give({ do: "Back" }), true);
  if (scene.may.includes("Sit")) {
    scene.seats.forEach((/** @type {{state: string}} */ seat, /** @type {number} */ place) => {
      if (seat.state !== "free" && seat.state !== "bot") return;
      const run = () => give({ do: "Sit", seat: place });
      const label = say("sit", { number: place + 1 });
      choices.push({ key: `Sit ${place}`, label, run, first: seat.state === "free" });
    });
  }
  offer("AskUndo", say("undo"), () => act({ action: "AskUndo" }));
  offer("Claim", say("claim"), () => act({ action: "Claim" }));
  offer("MoreTime", say("more_time"), () => give({ do: "MoreTime" }));
  const clock = say(agreed ? "refuse_clock" : "accept_clock");
  offer("AcceptClock", clock, () => give({ do: "AcceptClock", accept: !agreed }));
  offer("Pause", say("pause"), () => give({ do: "Pause" }));
  offer("Away", say("away"), () => give({ do: "Away" }));
  offer("Stand", say("stand"), () => give({ do: "Stand" }));
  return choices;
}

/** Whether the host has been asked if they are sure. */
let sure = false;

/**
 * The host's, for the seat that is chosen.
 * @param {Record<string, any>} scene
 * @param {{
 *   say: Say,
 *   give: (command: Record<string, unknown>) => void,
 *   seat: () => number,
 *   other: () => number,
 *   level: () => string,
 * }} with_
 * @returns {Choice[]}
 */
export function hostActionsOf(scene, { say, give, seat, other, level }) {
  /** @type {Choice[]} */
  const choices = [];
  /** @type {(name: string, key: string, label: string, run: () => void) => void} */
  const offer = (name, key, label, run) => {
    if (scene.may.includes(name)) choices.push({ key, label, run });
  };
  offer("SeatBot", "SeatBot", say("seat_bot"), () =>
    give({ do: "SeatBot", seat: seat(), level: level() }),
  );
  offer("Swap", "Swap", say("swap"), () => give({ do: "Swap", one: seat(), other: other() }));
  offer("Remove", "Remove", say("remove"), () => give({ do: "Remove", seat: seat(), bar: false }));
  offer("Remove", "bar", say("bar"), () => give({ do: "Remove", seat: seat(), bar: true }));
  offer("Replace", "Replace", say("replace"), () => give({ do: "Replace", seat: seat() }));
  offer("HandOver", "HandOver", say("hand_over"), () => give({ do: "HandOver", seat: seat() }));
  offer("Close", "Close", say(sure ? "close_sure" : "close"), () => {
    const button = document.querySelector('#host-buttons [data-key="Close"]');
    if (sure) give({ do: "Close" });
    else if (button) button.textContent = say("close_sure");
    sure = !sure;
  });
  return choices;
}
