/** The question to the host whether somebody may take a bot's seat. */

import { by, say, setText } from "../../../web/static/page.js";

export class Asker {
  /** @type {{seat: number, person: string} | null} */
  #asked = null;

  /**
   * @param {(command: Record<string, unknown>) => void} give
   * @param {() => void} home takes the focus if the question had it and goes away
   */
  constructor(give, home) {
    this.home = home;
    for (const [id, word, allow] of /** @type {const} */ ([
      ["let-sit", "allow_seat", true],
      ["not-yet", "deny_seat", false],
    ])) {
      by(id).textContent = say(word);
      by(id).addEventListener("click", () => {
        if (this.#asked) give({ do: "AnswerSeat", ...this.#asked, allow });
      });
    }
  }

  /** @param {import("../../../web/static/page.js").Scene} scene */
  paint({ may, seats }) {
    const seat = may.includes("AnswerSeat") ? seats.findIndex((each) => each.asker) : -1;
    const bot = seats[seat];
    const box = by("wanted");
    const had = box.contains(document.activeElement);
    this.#asked = bot ? { seat, person: bot.asker ?? "" } : null;
    const words = { name: bot?.asker_name ?? "", bot: bot?.name ?? "" };
    setText(by("wanted-text"), bot ? say("asks_seat", words) : "");
    box.hidden = !bot;
    if (had && !bot) this.home();
  }
}
