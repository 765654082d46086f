/**
 * The part of fair dealing that falls to a person: bytes of their own, made here, promised before
 * anybody's are known, and told in time (docs/fair.md).
 */

import { base64, fromBase64, promised } from "./sha256.js";
import { rememberShare } from "./shares.js";

const BYTES = 16;

/**
 * @typedef {{
 *   number: number,
 *   key: string,
 *   digest: string,
 *   waiting: Set<number>,
 *   digests: Map<number, string | null>,
 *   contributed: Set<number>,
 *   sent: Set<string>,
 * }} Round
 */

export class Promises {
  /** @type {Round | null} */
  #round = null;

  /**
   * @param {string} table
   * @param {(command: Record<string, unknown>) => void} give
   */
  constructor(table, give) {
    this.table = table;
    this.give = give;
  }

  /**
   * @param {number} number of the happening
   * @param {Record<string, any>} happening
   * @param {number} seats
   */
  see(number, happening, seats) {
    const round = this.#round;
    switch (happening.event) {
      case "Committed": {
        const all = Array.from({ length: seats }, (_, seat) => seat);
        this.#round = {
          number: happening.number,
          key: `volte ${this.table} ${number}`,
          digest: happening.digest,
          waiting: new Set(all.filter((seat) => !happening.house.includes(seat))),
          digests: new Map(),
          contributed: new Set(),
          sent: new Set(),
        };
        break;
      }
      case "Promised":
        round?.digests.set(happening.seat, happening.digest);
        break;
      case "Contributed":
        round?.contributed.add(happening.seat);
        break;
      case "Dealt":
        if (round) forget(round.key);
        this.#round = null;
        break;
    }
  }

  /**
   * Does what is due for that seat, once.
   * @param {number | null} seat
   */
  act(seat) {
    const round = this.#round;
    if (!round || seat === null || !round.waiting.has(seat)) return;
    if (!round.digests.has(seat)) {
      if (round.sent.has("promise")) return;
      round.sent.add("promise");
      const digest = base64(promised(round.number, seat, bytesOf(round.key)));
      this.give({ do: "Promise", number: round.number, digest });
      // Promises are for other people: where there are none, the bytes need not wait for any.
      if (round.waiting.size > 1) return;
      round.digests.set(seat, digest);
    }
    const all = [...round.waiting].every((each) => round.digests.has(each));
    if (!all || round.contributed.has(seat) || round.sent.has("bytes")) return;
    const bytes = bytesOf(round.key);
    if (round.digests.get(seat) !== base64(promised(round.number, seat, bytes))) return;
    round.sent.add("bytes");
    rememberShare(round.digest, seat, base64(bytes));
    this.give({ do: "Contribute", number: round.number, data: base64(bytes) });
  }
}

/** @type {Map<string, string>} */
const kept = new Map();

/**
 * The bytes for one commitment: the same after the page was loaded again, and in another tab.
 * @param {string} key
 */
function bytesOf(key) {
  let text = kept.get(key) ?? null;
  try {
    text = text ?? localStorage.getItem(key);
  } catch {
    // Without storage they last as long as the page.
  }
  if (text === null) text = base64(crypto.getRandomValues(new Uint8Array(BYTES)));
  kept.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    // As above.
  }
  return fromBase64(text);
}

/** @param {string} key */
function forget(key) {
  kept.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // As above.
  }
}
