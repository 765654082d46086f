/** A line on which cards are typed, over the felt; fetched when somebody first wants it. */

import { by, make, say } from "../../../web/static/page.js";

/** @typedef {import("./connection.js").Message} Message */

/** The most characters of a line. */
const LONGEST = 200;

/**
 * Opens the line for a person who plays.
 * @param {import("./playing.js").Playing} playing
 * @param {(text: string) => Promise<Message | null>} read finds the cards that a text means
 * @param {(lines: string[], refused: boolean) => void} show
 */
export function typeCards(playing, read, show) {
  if (playing.scene?.seat === null) return show([say("type_watching")], true);
  const input = /** @type {HTMLInputElement} */ (make("input", { id: "typed", type: "text" }));
  Object.assign(input, { autocomplete: "off", autocapitalize: "off", spellcheck: false });
  input.maxLength = LONGEST;
  const label = make("label", { for: "typed" }, say("type_cards"));
  const form = make("form", { class: "asked typing" }, [label, input]);
  const leave = () => {
    playing.home(); // the focus goes first; see dialog.js
    form.remove();
  };
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.isComposing) leave();
  });
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !form.contains(relatedTarget)) form.remove();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await read(input.value);
    if (!answer) return;
    if (!answer.ok || !answer.cards?.length) show(answer.lines, !answer.ok);
    else if (await playing.type(answer.cards)) leave();
  });
  by("game").append(form);
  input.focus();
}
