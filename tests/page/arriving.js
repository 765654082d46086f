/** The first page, and its files in the worker's cache. Evaluates to an object of functions. */
({
  /** Height of each of some elements, and whether it lies in the window. */
  seen(queries) {
    return queries.map((query) => {
      const { left, top, right, bottom, height } =
        document.querySelector(query).getBoundingClientRect();
      return { query, height,
        within: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight };
    });
  },

  /** Whether each card of the first page is large enough, and lies in the window. */
  cards() {
    return [...document.querySelectorAll('.spread .face')].map((face) => {
      const { left, right, top, bottom, width } = face.getBoundingClientRect();
      return width > 40 && left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
    });
  },

  /** Parts of the choice of a game that are cut off. */
  cut() {
    return [...document.querySelectorAll('.offer :is(button, select, input, p)')]
      .filter((each) => each.checkVisibility() && each.type !== 'hidden')
      .filter((each) => each.getBoundingClientRect().right
        > document.querySelector('.welcome').getBoundingClientRect().right - 8)
      .map((each) => each.outerHTML);
  },

  /** Parts of it that lie below a card. */
  covered() {
    return [...document.querySelectorAll('.offer :is(button, select, input, p)')]
      .filter((each) => each.checkVisibility() && each.type !== 'hidden')
      .filter((each) => [...document.querySelectorAll('.spread .face')].some((face) => {
        const [a, b] = [each, face].map((some) => some.getBoundingClientRect());
        return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      })).map((each) => each.outerHTML);
  },

  /** Addresses in the worker's cache. */
  async kept() {
    const paths = [];
    for (const name of await caches.keys()) {
      for (const request of await (await caches.open(name)).keys()) {
        paths.push(new URL(request.url).pathname);
      }
    }
    return paths;
  },
})
