/** The browser's storage; in memory for as long as the page lasts if the browser has none. */

/** What begins the keys of a page without a server: other sites may share its host. */
const base = /** @type {any} */ (globalThis).volte?.base ?? "";
const place = base && `${base} `;

/** Storage of all tabs, for good. */
export const lasting = store(() => localStorage);
/** Storage of this tab only, until it is closed. */
export const ofTab = store(() => sessionStorage);

/** @param {() => Storage} area throws, or gives null, if the person wants nothing stored */
function store(area) {
  /** @type {Map<string, string>} */
  const here = new Map();
  return {
    /** @param {string} key */
    get(key) {
      try {
        return area().getItem(place + key);
      } catch {
        return here.get(key) ?? null;
      }
    },

    /**
     * The stored value; `other` if there is none, or it is damaged.
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
     * Stores a text; whether it lasts longer than the page.
     * @param {string} key
     * @param {string} text
     */
    set(key, text) {
      here.set(key, text);
      try {
        area().setItem(place + key, text);
        return true;
      } catch {
        return false;
      }
    },

    /** @param {string} key */
    remove(key) {
      here.delete(key);
      try {
        area().removeItem(place + key);
      } catch {
        // Nothing is stored there.
      }
    },
  };
}
