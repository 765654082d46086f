/**
 * The first page: the line names the chosen game, and numbers of players that its rules do not
 * allow are not offered. Without this script, the server says so.
 */

import { ofTab } from "../../../web/static/storage.js";

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

const play = /** @type {HTMLButtonElement} */ (document.getElementById("play-now"));
// A click without a pointer comes from keys or a screen reader: they go to the hand at once.
play.addEventListener("click", ({ detail }) => {
  if (detail === 0) play.formAction = `${play.form?.action}#cards`;
});
// So do those who come to a table by its link, if need be by way of a page that asks for a name.
document.addEventListener("click", ({ detail, target }) => {
  const link = target instanceof Element && target.closest("a:is([href*='/tables/'], [href*='?match='])");
  if (link) ofTab.set("volte by keys", detail === 0 ? "yes" : "");
});
for (const select of [preset, players, level]) select.addEventListener("change", agree);
agree();
