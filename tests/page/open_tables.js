({
  /** Marks all rows and links that are there, to know them again. */
  mark() {
    for (const each of document.querySelectorAll("#open-tables :is(li, a)")) each.known = true;
  },

  /** Tables by group, in their order, with a star for a row that is not the one that was marked. */
  shown() {
    const groups = {};
    for (const section of document.querySelectorAll("#open-tables section:not([hidden])")) {
      groups[section.dataset.group] = [...section.querySelectorAll("li")].map(
        (row) => row.querySelector("h4").firstChild.textContent.trim() + (row.known ? "" : "*"),
      );
    }
    return groups;
  },
})
