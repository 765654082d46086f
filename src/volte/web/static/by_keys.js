/**
 * Notes how the last button or link was pressed: a table's page that comes next leads whoever comes
 * by keys to the hand or the buttons. A press without a pointer comes from keys or a screen reader.
 */

import { ofTab } from "./storage.js";

document.addEventListener("click", ({ detail, target }) => {
  const pressed = target instanceof Element && target.closest("a, button");
  if (pressed) ofTab.set("volte by keys", detail === 0 ? "yes" : "");
});
