/**
 * Notes how the last button or link was pressed: a table's page that comes next leads whoever comes
 * by keys to the hand or the buttons. A press without a pointer comes from keys or a screen reader.
 */

// By itself: what keeps texts comes with the parts of all pages, which few pages need.
document.addEventListener("click", ({ detail, target }) => {
  const pressed = target instanceof Element && target.closest("a, button");
  try {
    if (pressed) sessionStorage.setItem("volte by keys", detail === 0 ? "yes" : "");
  } catch {
    // The person wants nothing stored.
  }
});
