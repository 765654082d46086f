/**
 * The table before its first match: how others come, on the felt; and for the host a button on each
 * seat, to put a bot there, to free it, or to swap it with another.
 */

import { closeDialog, open } from "../../../web/static/dialog.js";
import { by, linkStyle, make, say, setAttribute, setText } from "../../../web/static/page.js";
import { seatAt } from "../../../web/static/seats.js";

/** @typedef {import("../../../web/static/page.js").Scene} Scene */

await linkStyle("server/live/static/gathering.css");

/** Parts that lie on the felt while people gather, and else in the panel of invitations. */
const PARTS = ["uninvited", "inviting"];

export class Gathering {
  /** @type {Scene | null} */
  #scene = null;

  /**
   * @param {(command: Record<string, unknown>) => void} give
   * @param {() => void} home takes the focus when what had it is gone
   * @param {() => void} moved called when the invitation has another place
   * @param {(line: string) => void} tell for ears
   */
  constructor(give, home, moved, tell) {
    this.give = give;
    this.home = home;
    this.moved = moved;
    this.tell = tell;
  }

  /** @param {Scene} scene */
  paint(scene) {
    // Nothing else says where one has come; a table that fills by itself says it with its count.
    if (!this.#scene && (scene.filling ?? null) === null) this.tell(scene.status);
    this.#scene = scene;
    const gathers = scene.phase === "waiting";
    const roomy = scene.seats.some(({ state }) => state === "free" || state === "bot");
    this.#move(gathers && roomy && !scene.evening);
    scene.seats.forEach((_, place) => this.#paintSeat(place, gathers && scene.may.includes("Swap")));
  }

  /** @param {boolean} here whether the invitation lies on the felt */
  #move(here) {
    const box = by("gathering");
    if (box.hidden !== here) return;
    const held = document.activeElement;
    (here ? box : by("invite-part")).append(...PARTS.map(by));
    box.hidden = !here;
    by("invite-part").hidden = here;
    this.moved();
    if (!(held instanceof HTMLElement) || held === document.activeElement) return;
    held.focus();
    if (held !== document.activeElement) this.home();
  }

  /**
   * @param {number} place
   * @param {boolean} hosts whether the person may change the seats now
   */
  #paintSeat(place, hosts) {
    const item = seatAt(place);
    const seat = this.#scene?.seats[place];
    if (!item || !seat) return;
    let button = /** @type {HTMLElement | null} */ (item.querySelector(".choose-seat"));
    if (!hosts) {
      const held = button === document.activeElement;
      button?.remove();
      if (held) this.home();
      return;
    }
    if (!button) {
      button = make("button", { type: "button", class: "choose-seat" }, [make("span")]);
      button.addEventListener("click", () => this.#choose(place));
      item.append(button);
    }
    const free = seat.state === "free";
    button.classList.toggle("free", free);
    setAttribute(button, "aria-haspopup", free ? null : "dialog");
    const words = { number: place + 1, name: seat.name };
    setAttribute(button, "aria-label", say(free ? "bot_at" : "change_seat", words));
    setText(button.children[0], free ? say("bot_here") : "");
  }

  /**
   * Puts a bot on a free seat; asks what shall become of another.
   * @param {number} place
   */
  #choose(place) {
    const { seats = [], seat = null } = this.#scene ?? {};
    if (seats[place]?.state === "free") {
      const { value } = /** @type {HTMLSelectElement} */ (by("host-level"));
      this.give({ do: "SeatBot", seat: place, level: value });
      return;
    }
    /** @type {(label: string, command: Record<string, unknown>) => HTMLElement} */
    const choice = (label, command) => {
      const button = make("button", { type: "button" }, label);
      button.addEventListener("click", () => {
        closeDialog();
        this.give(command);
      });
      return button;
    };
    const free = place === seat ? [] : [choice(say("remove"), { do: "Remove", seat: place, bar: false })];
    const swaps = seats.flatMap(({ name }, other) => {
      if (other === place) return [];
      const words = { number: other + 1, name };
      const label = say(name ? "swap_with" : "swap_with_free", words);
      return [choice(label, { do: "Swap", one: place, other })];
    });
    const back = make("button", { type: "button" }, say("leave_seat"));
    back.addEventListener("click", () => closeDialog());
    const title = say("seat_named", { number: place + 1, name: seats[place].name });
    open(
      [
        make("h2", { id: "dialog-title" }, title),
        make("p", { class: "seat-choices" }, [...free, ...swaps, back]),
      ],
      this.home,
    );
  }
}
