/** Sheets and settings. Evaluates to an object of functions. */
({
  /** Moves a finger down from the middle of an element. */
  swipe(selector) {
    const target = document.querySelector(selector);
    const { x, y, width } = target.getBoundingClientRect();
    const touch = (down) => new Touch({ identifier: 0, target, clientX: x + width / 2, clientY: y + down });
    const move = (name, touches, changed) => target.dispatchEvent(
      new TouchEvent(name, { touches, changedTouches: changed, bubbles: true }));
    move("touchstart", [touch(10)], [touch(10)]);
    move("touchmove", [touch(120)], [touch(120)]);
    move("touchend", [], [touch(120)]);
  },

  /** The fields, in one column, to whose line the name of another one is nearer than their own. */
  astray() {
    const fields = [...document.querySelectorAll("#settings-form :is(input, select)")]
      .filter((each) => each.labels?.length && each.checkVisibility());
    const apart = (one, other) => {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      return Math.max(0, a.top - b.bottom, b.top - a.bottom);
    };
    return fields.filter((field) => {
      const own = apart(field, field.labels[0]);
      return fields.some((other) => apart(field, other.labels[0]) < own);
    }).map(({ id }) => id);
  },
})
