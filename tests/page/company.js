/** The panel of the talk. Evaluates to an object of functions. */
({
  /** Parts of the game that it covers. */
  covered() {
    const boxes = ['hand', 'trick', 'seats', 'actions'].map((id) => document.getElementById(id));
    const panel = document.getElementById('aside').getBoundingClientRect();
    return boxes.filter((each) => {
      const box = each.getBoundingClientRect();
      return box.left < panel.right && panel.left < box.right
        && box.top < panel.bottom && panel.top < box.bottom;
    }).map((each) => each.id);
  },
})
