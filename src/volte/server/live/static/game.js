/**
 * The first page: each line names what is chosen under it, and numbers of players that the rules do
 * not allow are not offered. Without this script, the server says so.
 */

const [preset, players, level] = ["preset", "players", "level"].map(
  (id) => /** @type {HTMLSelectElement} */ (document.getElementById(id)),
);
const line = /** @type {HTMLElement} */ (document.getElementById("game"));

function agree() {
  const numbers = preset.selectedOptions[0].dataset.players?.split(" ") ?? [];
  for (const option of players.options) {
    option.hidden = option.disabled = !numbers.includes(option.value);
  }
  if (players.selectedOptions[0]?.disabled ?? true) players.value = numbers[0];
  line.textContent = [preset, players, level]
    .map((select) => select.selectedOptions[0].text)
    .join(", ");
}

// There are no people at a site without a server.
const meeting = document.getElementById("meeting");
const whom = meeting?.closest("details");

/** Names in the line whom somebody wants to play with, and what. */
function look() {
  if (!meeting || !whom) return;
  const chosen = whom.querySelectorAll("option:checked, input:checked + label");
  meeting.textContent = [...chosen].map(({ textContent }) => textContent).join(", ");
}

// A click without a pointer comes from keys or a screen reader: they go to the hand at once.
/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll("#play-now, #play-with-people");
for (const button of buttons) {
  const address = button.getAttribute("formaction") ?? button.form?.action;
  button.addEventListener("click", ({ detail }) => {
    if (detail === 0) button.formAction = `${address}#cards`;
  });
}
for (const select of [preset, players, level]) select.addEventListener("change", agree);
agree();
whom?.addEventListener("change", look);
look();
