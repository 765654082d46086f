/** Ready phrases, two taps away: for eyes and pointers, while ears and keys have the panel. */

import { at, by, make, request, say, table } from "../../../web/static/page.js";

/** @typedef {import("./connection.js").Message} Message */

/** The open palette. @type {HTMLElement | null} */
let palette = null;

/**
 * Opens the phrases over the felt, or closes them again.
 * @param {(message: Message) => Promise<Message | null>} ask
 * @param {import("./talking.js").Talk} talk
 * @param {(lines: string[], refused: boolean) => void} show shows a refusal
 */
export async function toggle(ask, talk, show) {
  if (palette) return close();
  const answer = await request(at(`/tables/${table}/talk`));
  if (!answer.ok || palette) return talk.open();
  const read = new DOMParser().parseFromString(await answer.text(), "text/html");
  const options = [...read.querySelectorAll("#talk-phrase option")];
  const phrases = talk.may === "nobody" ? [] : /** @type {HTMLOptionElement[]} */ (options);
  const room = talk.seated ? "table" : "watchers";
  const buttons = phrases.map(({ value, text }) =>
    choice(text, async () => {
      const said = await ask({ say: "speak", room, phrase: value });
      if (said && !said.ok) show(said.lines, true);
    }),
  );
  const write = choice(say(talk.may === "all" ? "talk_write" : "ask_talk"), () => talk.open());
  palette = make("div", { class: "phrases", "aria-hidden": "true" }, [write, ...buttons]);
  // The focus stays where the person plays from.
  palette.addEventListener("mousedown", (event) => event.preventDefault());
  by("felt").append(palette);
  document.addEventListener("pointerdown", leave);
}

/**
 * @param {string} text
 * @param {() => void} run
 */
function choice(text, run) {
  const button = make("button", { type: "button", tabindex: "-1" }, text);
  button.addEventListener("click", () => {
    close();
    run();
  });
  return button;
}

/** @param {PointerEvent} event */
function leave({ target }) {
  const here = target instanceof Element && target.closest(".phrases, .corner");
  if (!here) close();
}

function close() {
  palette?.remove();
  palette = null;
  document.removeEventListener("pointerdown", leave);
}
