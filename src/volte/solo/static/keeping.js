/**
 * Texts by key in the browser's database, for the worker of a page: what `KeptTexts` in
 * `volte.solo.worker` is. One window has them at a time. It holds a lock; and the texts name whoever
 * wrote last, so that a window that has lost the lock cannot write before it learns of it.
 */

const TEXTS = "texts";
/** Name of the texts, and of the lock, at a base path: others may share the host. */
export const nameAt = (/** @type {string} */ base) => `volte ${base || "/"}`;
/** Key of the name of the window that has the texts. */
const HOLDER = "holder";
/** Keys of what a person would miss: matches, and score sheets of real cards. */
const DEAR = /^(match|entry\/sheet)\//;
/** Milliseconds that the page before may take to let the texts go. */
const LEAVING = 1000;

/**
 * Settles once this window has the texts of a name.
 * @param {string} name
 * @param {{elsewhere: () => void, lost: () => void}} tell `elsewhere` is called if another window has
 *   them, `lost` when another window has taken them over
 * @param {Promise<unknown>} taken settles when the person wants to take them over
 */
export function holding(name, tell, taken) {
  const { locks } = navigator;
  if (!locks) return Promise.resolve(); // at an address without a certificate
  return new Promise((/** @type {(held: void) => void} */ resolve) => {
    let held = false;
    const queue = new AbortController();
    const got = () => {
      held = true;
      resolve();
    };
    const hold = (/** @type {LockOptions} */ options) => {
      const holds = () => {
        got();
        return new Promise(() => {}); // until the window is closed
      };
      locks.request(name, options, holds).catch(({ name: why }) => {
        if (held) tell.lost();
        else if (why !== "AbortError") got(); // forbidden, as is storing anything
      });
    };
    hold({ signal: queue.signal });
    setTimeout(() => held || tell.elsewhere(), LEAVING);
    void taken.then(() => {
      if (held) return;
      queue.abort();
      hold({ steal: true });
    });
  });
}

/** @param {string} beginning */
const keysOf = (beginning) => IDBKeyRange.bound(beginning, `${beginning}\uffff`);

/**
 * Opens the database of a name. Throws where the browser lets nothing be stored.
 * @param {string} name
 */
function opened(name) {
  const asked = indexedDB.open(name, 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(TEXTS);
  return answered(asked);
}

/**
 * The listings of all that is kept, the latest change first, for a page in which no Python runs; see
 * `Listing` in `volte.store`.
 * @returns {Promise<{table: string, state: string, updated: number, summary: any}[]>}
 */
export async function listings() {
  const found = [];
  try {
    const base = await opened(nameAt(document.documentElement.dataset.base ?? ""));
    const texts = base.transaction(TEXTS).objectStore(TEXTS);
    for (const text of await answered(texts.getAll(keysOf("listing/")))) {
      try {
        const row = JSON.parse(text);
        const summary = Uint8Array.from(atob(row.summary), (sign) => sign.charCodeAt(0));
        found.push({ ...row, summary: JSON.parse(new TextDecoder().decode(summary)) });
      } catch {
        // The room sets it aside.
      }
    }
    base.close();
  } catch (error) {
    console.error(error);
  }
  return found.sort((one, other) => other.updated - one.updated);
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function answered(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export class Shelf {
  #name;
  #tell;
  #holder = String(crypto.getRandomValues(new Uint32Array(2)));
  #claimed = false;
  #full = false;
  #begun = false;
  /** @type {IDBDatabase | null} */
  #base = null;

  /**
   * @param {string} name
   * @param {{full: () => void, room: () => void, lost: () => void, begun: () => void}} tell `full` is
   *   called when there is no room, and `room` when there is some again; `begun` once a match or a
   *   score sheet is kept
   */
  constructor(name, tell) {
    this.#name = name;
    this.#tell = tell;
  }

  /** Opens the database. Throws where the browser lets nothing be stored. */
  async open() {
    if (this.#base) return this.#base;
    const base = await opened(this.#name);
    base.onclose = () => (this.#base = null);
    base.onversionchange = () => base.close();
    this.#base = base;
    return base;
  }

  /**
   * The texts whose keys begin like that, as a JSON object; empty if they cannot be read.
   * @param {string} beginning
   */
  async texts(beginning) {
    try {
      const texts = (await this.open()).transaction(TEXTS).objectStore(TEXTS);
      const range = keysOf(beginning);
      const both = [answered(texts.getAllKeys(range)), answered(texts.getAll(range))];
      const [keys, values] = await Promise.all(both);
      return JSON.stringify(Object.fromEntries(keys.map((key, at) => [key, String(values[at])])));
    } catch (error) {
      console.error(error);
      return "";
    }
  }

  /**
   * Makes a change, a `KeptChange` as JSON. Settles once it is on the disk, with an empty text; or
   * with the reason why nothing of it is: `conflict`, `lost`, `full` or `failed`.
   * @param {string} change
   */
  async keep(change) {
    let reason = "";
    try {
      await this.#written(JSON.parse(change), (why) => (reason = why));
    } catch (error) {
      const full = error instanceof DOMException && error.name === "QuotaExceededError";
      reason ||= full ? "full" : "failed";
      if (reason === "failed") console.error(error);
    }
    if (reason === "lost") this.#tell.lost();
    if (reason === "full" && !this.#full) this.#tell.full();
    if (reason === "" && this.#full) this.#tell.room();
    this.#full = reason === "full" || (this.#full && reason !== "");
    return reason;
  }

  /**
   * @param {{there: string, free: string, forgotten: string[], kept: Record<string, string>}} change
   * @param {(reason: string) => void} because
   */
  async #written({ there, free, forgotten, kept }, because) {
    const base = await this.open();
    const work = base.transaction(TEXTS, "readwrite", { durability: "strict" });
    const done = new Promise((resolve, reject) => {
      work.oncomplete = resolve;
      work.onabort = () => reject(work.error);
    });
    const texts = work.objectStore(TEXTS);
    /** @type {(request: IDBRequest, right: (found: unknown) => boolean, reason: string) => void} */
    const check = (request, right, reason) => {
      request.onsuccess = () => {
        if (right(request.result)) return;
        because(reason);
        work.abort();
      };
    };
    if (this.#claimed) check(texts.get(HOLDER), (found) => found === this.#holder, "lost");
    else texts.put(this.#holder, HOLDER);
    if (there) check(texts.getKey(there), (found) => found !== undefined, "conflict");
    if (free) check(texts.getKey(free), (found) => found === undefined, "conflict");
    for (const each of forgotten) texts.delete(keysOf(each));
    for (const [key, text] of Object.entries(kept)) texts.put(text, key);
    await done;
    this.#claimed = true;
    if (this.#begun || !Object.keys(kept).some((key) => DEAR.test(key))) return;
    this.#begun = true;
    this.#tell.begun();
  }
}
