/** The felt: flights over it, and places on it. Evaluates to an object of functions. */
({
  /** Counts flights from now on. */
  countFlights() {
    window.flights = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...all) {
      window.flights += 1;
      return animate.apply(this, all);
    };
  },

  /** Notes at every frame from now on where the cards of a pass are, and how many are led. */
  watchPass() {
    const centre = (element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    };
    const { pass_to: taker } = window.watched.scene;
    const plate = (seat) => centre(document.querySelector(`#seats [data-key="${seat}"] .plate`));
    /** Cards: their seat, and what was seen of them, frame by frame. */
    const cards = {};
    let frame = 0;
    /** Cards that have begun to fly; a busy machine may show no frame of a flight. */
    const flown = { out: new Set(), in: new Set() };
    window.pass = { cards, flown, taker: plate(taker), led: [] };
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...all) {
      const face = this.matches(".face") ? this : this.querySelector(".face");
      const way = this.closest(".flying") ? "out" : "in";
      if (face && (way === "out" || this.closest("#hand"))) flown[way].add(face.dataset.card);
      return animate.apply(this, all);
    };
    const look = () => {
      frame += 1;
      const { hand } = window.watched.scene;
      const lead = document.querySelectorAll("#trick li").length;
      if (lead && window.pass.led.length === 0) window.pass.led.push(frame);
      for (const face of document.querySelectorAll("#hand :is(.chosen, .received) .face, .flying .face")) {
        const seen = getComputedStyle(face.closest(".flying") ?? face);
        const { card } = face.dataset;
        const flies = (face.closest(".flying") ?? face).getAnimations()
          .some((each) => each.constructor === Animation);
        const giver = hand.find((each) => each.card === card)?.giver ?? null;
        (cards[card] ??= []).push({
          frame, flies, giver: giver === null ? null : plate(giver), at: centre(face),
          own: face.closest(".flying") !== null, visible: Number(seen.opacity) > 0,
          calm: getComputedStyle(face).filter === "none",
        });
      }
      requestAnimationFrame(look);
    };
    look();
  },

  /** Faults of a pass that was watched: cards seen off their ways, dim flights, an early lead. */
  astray() {
    const { cards, flown, taker, led } = window.pass;
    const faults = [];
    const far = ([a, b], [c, d]) => Math.hypot(a - c, b - d);
    for (const [card, all] of Object.entries(cards)) {
      const out = all.at(-1).own;
      const came = all.findIndex(({ own, giver }) => own || giver !== null);
      if (came < 0) continue;
      const seen = all.slice(came);
      const from = out ? all[came - 1].at : seen[0].giver;
      const to = out ? taker : seen.at(-1).at;
      const flights = seen.filter(({ flies }) => flies);
      if (flights.length > 0 && far(seen[0].at, from) > 3) faults.push(`${card} begins elsewhere`);
      let last = 0;
      for (const { at, visible, frame } of seen) {
        const way = far(from, at);
        const beside = way + far(at, to) - far(from, to);
        if (visible && (beside > 3 || way < last - 3)) faults.push(`${card} at ${at} in frame ${frame}`);
        last = Math.max(last, way);
      }
      if (flights.some(({ calm }) => !calm)) faults.push(`${card} is dim`);
      if (flights.some(({ frame }) => frame >= (led[0] ?? Infinity))) faults.push(`${card} after a lead`);
    }
    return [flown.out.size, flown.in.size, ...faults];
  },

  /** Whether something is seen beyond the felt, or not at all. */
  outside(shown) {
    const felt = document.getElementById('felt').getBoundingClientRect();
    const box = shown.getBoundingClientRect();
    return box.left < felt.left || box.right > felt.right
      || box.top < felt.top || box.bottom > felt.bottom || box.width === 0;
  },

  /** Overlap of a plate with another or with a card; the size of cards beside plates. */
  covered() {
    const boxes = (what) => [...document.querySelectorAll(what)]
      .map((each) => each.getBoundingClientRect()).filter((box) => box.width > 0);
    const common = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left))
      * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
    const plates = boxes('#seats .plate');
    const cards = boxes('#trick li .card');
    const part = (a, b) => common(a, b) / (a.width * a.height);
    const size = (box) => box.width * box.height;
    const sizes = (all) => all.map(size);
    return {
      plates: Math.max(...plates.flatMap((a) => plates.map((b) => a === b ? 0 : part(a, b)))),
      cards: Math.max(...plates.flatMap((a) => cards.map((b) => part(a, b)))),
      ratio: Math.min(...sizes(cards)) / Math.max(...sizes(boxes('.seat:not(.own) .plate'))),
    };
  },

  /** Clicks on the main button as soon as it plays a card. */
  pressAtOnce() {
    window.pressed = false;
    new MutationObserver((_, watching) => {
      const button = document.querySelector("#actions [data-key=Play]");
      if (!button) return;
      watching.disconnect();
      button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
      window.pressed = true;
    }).observe(document.getElementById("actions"), { childList: true });
  },

  /** Celebrations over the felt. */
  async celebrate() {
    const felt = document.querySelector('link[rel=modulepreload][href$="/felt.js"]');
    const moments = await import(felt.href.replace('felt.js', 'moments.js'));
    moments.moon();
    moments.triumph(window.watched.scene.seats.slice(0, 2));
    moments.rise(document.querySelector('.seat'), '+13');
  },

  /** Shows the overlays of the felt, with some words. */
  show(id) {
    const shown = document.getElementById(id);
    shown.hidden = false;
    if (shown.children.length === 0) shown.textContent = "… … …";
  },
})
