/** The host's buttons, for the seat that is chosen. */

import { askOnceMore } from "../../../web/static/dialog.js";
import { by, keyed, make, say, setAttribute, setText } from "../../../web/static/page.js";

export class Host {
  /** @param {(command: Record<string, unknown>) => void} give */
  constructor(give) {
    this.give = give;
  }

  /** @param {import("../../../web/static/page.js").Scene} scene */
  paint(scene) {
    const part = by("host-part");
    const seat = /** @type {HTMLSelectElement} */ (by("host-seat"));
    const other = /** @type {HTMLSelectElement} */ (by("host-other"));
    const level = /** @type {HTMLSelectElement} */ (by("host-level"));
    paintChoice(seat, scene.seats);
    paintChoice(other, scene.seats);
    const choices = actionsOf(scene, {
      give: this.give,
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
      each.hidden = !names.some((name) => scene.may.includes(name));
    }
    if (had && !part.contains(document.activeElement)) part.querySelector("summary")?.focus();
  }
}

/**
 * @param {HTMLSelectElement} select
 * @param {readonly import("../../../web/static/page.js").Seat[]} seats
 */
function paintChoice(select, seats) {
  keyed(
    select,
    seats,
    (_, place) => String(place),
    () => make("option"),
    (option, each, place) => {
      const name = each.name ? "seat_named" : "seat_empty";
      setText(option, say(name, { number: place + 1, name: each.name }));
      setAttribute(option, "value", String(place));
    },
  );
}

/**
 * The host's actions for the seat that is chosen.
 * @param {import("../../../web/static/page.js").Scene} scene
 * @param {{
 *   give: (command: Record<string, unknown>) => void,
 *   seat: () => number,
 *   other: () => number,
 *   level: () => string,
 * }} with_
 * @returns {import("../../../web/static/buttons.js").Choice[]}
 */
function actionsOf(scene, { give, seat, other, level }) {
  /** @type {import("../../../web/static/buttons.js").Choice[]} */
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
  offer("Close", "Close", say("close"), () => {
    const words = { title: say("close_sure"), about: say("about_close") };
    const answers = { yes: say("close"), no: say("no_close") };
    askOnceMore({ ...words, ...answers }, () => give({ do: "Close" }));
  });
  return choices;
}
