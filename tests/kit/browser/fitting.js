/**
 * The layout of the table: parts outside the window, parts that cover others, sizes of targets.
 * Evaluates to an object of functions, most of which answer with sentences about faults.
 */
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const clipped = (element) => {
    for (let each = element; each; each = each.parentElement)
      if (getComputedStyle(each).clipPath === "inset(50%)") return true;
    return false;
  };
  const seen = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && !clipped(element);
  const box = (element) => element.getBoundingClientRect();
  const told = (element) => {
    const { left, top, right, bottom } = box(element);
    const place = [left, top, right, bottom].map(Math.round).join(" ");
    return `${element.id || element.dataset.key || element.className} [${place}]`;
  };

  const PLATES = "#seats .plate";
  const TRICK = "#trick .card";
  const HAND = "#hand [role=option]";
  const MAIN = "#actions > :first-child";
  const NOTE = "#note span";
  const RULING = ".board .ruling";

  /** Elements that are not wholly in the window, with nothing scrolled; and a page that is wider. */
  function outside(seats = true) {
    const felt = seats ? [PLATES, TRICK] : [];
    const here = [HAND, MAIN, NOTE, "#status", ...felt].flatMap(all).filter(seen);
    const faults = scrollY === 0 ? [] : [`scrolled by ${scrollY}`];
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) faults.push(`the page is ${scrollWidth} wide, of ${innerWidth}`);
    for (const each of here) {
      const { left, top, right, bottom } = box(each);
      if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)
        faults.push(`outside ${innerWidth} × ${innerHeight}: ${told(each)}`);
    }
    return faults;
  }

  function shared(one, other) {
    const [a, b] = [box(one), box(other)];
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return width > 0 && height > 0 ? width * height : 0;
  }

  /**
   * Plates over plates, cards of the trick over more than a fifth of one, a note over anything, a
   * ruling over plates; one's own name cut.
   */
  function covered() {
    const plates = all(PLATES).filter(seen);
    const faults = [];
    plates.forEach((one, at) => {
      const size = box(one).width * box(one).height;
      for (const other of plates.slice(at + 1))
        if (shared(one, other) > 4) faults.push(`${told(one)} meets ${told(other)}`);
      for (const card of all(TRICK))
        if (shared(one, card) > size / 5) faults.push(`${told(card)} of the trick covers ${told(one)}`);
    });
    for (const note of all(NOTE))
      for (const under of [PLATES, TRICK, HAND, MAIN].flatMap(all).filter(seen))
        if (shared(note, under) > 4) faults.push(`${told(note)} covers ${told(under)}`);
    for (const ruling of all(RULING).filter(seen))
      for (const plate of plates)
        if (shared(ruling, plate) > 4) faults.push(`${told(ruling)} covers ${told(plate)}`);
    for (const name of all("#seats .own .name").filter(seen))
      if (name.scrollWidth > name.clientWidth) faults.push(`${told(name)} is cut`);
    return faults;
  }

  /**
   * Cards of the trick are higher than anything else that lies on the felt; and names are not lost in
   * a large window.
   */
  function small() {
    const least = Math.min(innerWidth / 110, innerHeight / 62);
    const lost = all("#seats .plate .name").filter(
      (each) => seen(each) && parseFloat(getComputedStyle(each).fontSize) < least);
    const cards = all(TRICK);
    const highest = Math.max(0, ...all(`${PLATES}, #corner button`).filter(seen).map((each) => box(each).height));
    return [
      ...lost.map((each) => `letters of ${told(each)} are smaller than ${least} pixels`),
      ...cards
        .filter((each) => each.offsetHeight < highest)
        .map((each) => `${told(each)} is lower than ${highest}`),
    ];
  }

  const hit = (x, y) => document.elementFromPoint(x, y)?.closest("[role=option], button");

  /** Cards whose index is hidden by another. */
  function hidden() {
    return all(HAND).flatMap((card) => {
      const { left, top } = box(card);
      const there = hit(left + 9, top + 14);
      return there === card ? [] : [`the index of ${told(card)} is under ${there ? told(there) : "?"}`];
    });
  }

  /** Cards with fewer than so many pixels, across or down, that no other card covers. */
  function narrow(least) {
    return all(HAND).flatMap((card) => {
      const { left, top, width, height } = box(card);
      const run = (length, at) => {
        let best = 0, now = 0;
        for (let place = 0.5; place < length && best < least; place += 1) {
          now = at(place) === card ? now + 1 : 0;
          best = Math.max(best, now);
        }
        return best;
      };
      const wide = Math.max(...[0.1, 0.25, 0.5].map((part) => run(width, (x) => hit(left + x, top + height * part))));
      const high = Math.max(...[0.1, 0.3, 0.5].map((part) => run(height, (y) => hit(left + width * part, top + y))));
      return wide >= least - 0.5 && high >= least - 0.5 ? [] : [`${wide} × ${high} of ${told(card)}`];
    });
  }

  /** Buttons on the board that fingers miss. */
  function tiny() {
    return all(".board button, .site button").filter(seen).flatMap((button) => {
      const { width, height } = box(button);
      return width === 0 || (width >= 43.5 && height >= 43.5)
        ? [] : [`${Math.round(width)} × ${Math.round(height)}: ${told(button)}`];
    });
  }

  /**
   * Checks that an overlay lies over the felt, in the window, off the hand and the main button. With
   * `ifShown`, a missing one is no fault: a bubble may go at any moment.
   */
  function astray(selector, ifShown) {
    const element = document.querySelector(selector);
    if (!element || !seen(element)) return ifShown ? [] : [`${selector} is not shown`];
    const [felt, here] = [box(document.getElementById("felt")), box(element)];
    const inside = here.left >= felt.left - 1 && here.right <= felt.right + 1
      && here.top >= felt.top - 1 && here.bottom <= felt.bottom + 1;
    const over = [...all(HAND), ...all(MAIN)].filter((each) => shared(element, each) > 4);
    const seenWhole = here.top >= -1 && here.bottom <= innerHeight + 1;
    return [
      ...(inside ? [] : [`${told(element)} is not over the felt`]),
      ...(seenWhole ? [] : [`${told(element)} is beyond the window`]),
      ...over.map((each) => `${told(element)} covers ${told(each)}`),
    ];
  }

  /** Brightness of a picture where nothing is printed, from 0 to 255. */
  async function brightness(base64) {
    const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const drawn = new OffscreenCanvas(image.width, image.height).getContext("2d");
    drawn.drawImage(image, 0, 0);
    const { data } = drawn.getImageData(0, 0, image.width, image.height);
    const light = [];
    for (let at = 0; at < data.length; at += 4)
      light.push(0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2]);
    return light.sort((a, b) => a - b)[Math.floor(light.length * 0.8)];
  }

  /** Keeps every layout shift from now on, also those right after input, with what has moved. */
  function watchShifts() {
    window.shifts = [];
    const named = (node) => node?.id || node?.className || node?.parentElement?.id || "?";
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries())
        window.shifts.push([value, sources.map(({ node }) => String(named(node)))]);
    }).observe({ type: "layout-shift", buffered: true });
  }

  /** Place of the main button; null while there is none. */
  function mainButton() {
    const button = document.querySelector(MAIN);
    if (!button || button.dataset.key === "Menu") return null;
    const { x, y, width, height } = button.getBoundingClientRect();
    return [x, y, width, height].map(Math.round).join(" ");
  }

  return {
    ...{ outside, covered, small, hidden, narrow, tiny, astray, brightness },
    ...{ watchShifts, mainButton },
  };
})()
