/** What the browser keeps for later; where it keeps nothing, as long as the page lasts. */

/** For all tabs, and for good. */
export const lasting = store(() => localStorage);
/** For this tab alone, until it is closed. */
export const ofTab = store(() => sessionStorage);

/** @param {() => Storage} area throws, or gives null, where the person wants nothing kept */
function store(area) {
  /** @type {Map<string, string>} */
  const here = new Map();
  return {
    /** @param {string} key */
    get(key) {
      try {
        return area().getItem(key);
      } catch {
        return here.get(key) ?? null;
      }
    },

    /**
     * The value that was set there; the other one where there is none, or where it is damaged.
     * @template T
     * @param {string} key
     * @param {T} other
     * @returns {T}
     */
    value(key, other) {
      try {
        return JSON.parse(this.get(key) ?? "null") ?? other;
      } catch {
        return other;
      }
    },

    /**
     * Whether it lasts longer than the page.
     * @param {string} key
     * @param {string} text
     */
    set(key, text) {
      here.set(key, text);
      try {
        area().setItem(key, text);
        return true;
      } catch {
        return false;
      }
    },

    /** @param {string} key */
    remove(key) {
      here.delete(key);
      try {
        area().removeItem(key);
      } catch {
        // There is nothing to remove.
      }
    },
  };
}
