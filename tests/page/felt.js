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
