{
  /** Opens the texts of a name in this window, and writes down what its worker would be told. */
  async open([address, name]) {
    const { Shelf, holding, listings } = await import(address);
    window.told = [];
    const tell = (what) => () => void window.told.push(what);
    window.taken = new Promise((resolve) => (window.takeOver = resolve));
    window.held = holding(name, { elsewhere: tell("elsewhere"), lost: tell("lost") }, window.taken);
    void window.held.then(tell("held"));
    window.shelf = new Shelf(name, {
      full: tell("full"),
      room: tell("room"),
      lost: tell("lost"),
      begun: tell("begun"),
    });
    window.listings = listings;
  },

  /** Makes a change; the reason why it is not made. */
  keep(change) {
    const nothing = { there: "", free: "", forgotten: [], kept: {} };
    return window.shelf.keep(JSON.stringify({ ...nothing, ...change }));
  },

  /** Keeps a text of that many letters, which cannot be packed. */
  keepLong([key, letters]) {
    const text = Array.from({ length: letters / 8 }, () => Math.random().toString(36).slice(2, 10));
    const kept = { [key]: text.join("") };
    return window.shelf.keep(JSON.stringify({ there: "", free: "", forgotten: [], kept }));
  },
}
