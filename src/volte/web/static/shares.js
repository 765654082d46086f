/**
 * The shares of the shuffle that this browser has given, so that it can tell later whether they
 * counted; and the hashes by which they are promised and checked.
 */

import { lasting } from "./storage.js";

const KEY = "volte shares";
const MOST = 500;

/** @typedef {{digest: string, seat: number, data: string}} Share */

/**
 * @param {string} digest of the house's commitment, in base64
 * @param {number} seat
 * @param {string} data the bytes that were sent, in base64
 */
function rememberShare(digest, seat, data) {
  const others = all().filter((share) => share.digest !== digest || share.seat !== seat);
  lasting.set(KEY, JSON.stringify([...others, { digest, seat, data }].slice(-MOST)));
}

/**
 * The shares sent for the deal of that commitment.
 * @param {string} digest
 */
export function sharesFor(digest) {
  return all().filter((share) => share.digest === digest);
}

/** @returns {Share[]} */
function all() {
  /** @type {unknown} */
  const kept = lasting.value(KEY, []);
  return Array.isArray(kept) ? kept : [];
}

// SHA-256 (FIPS 180-4), and the promise of fair dealing made with it. `crypto.subtle` would do the
// first, but is missing on plain HTTP, where people in one house play.

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const K = new Uint32Array(64);
/** The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
const START = new Uint32Array(8);
{
  /** @param {number} root */
  const fraction = (root) => (root - Math.floor(root)) * 2 ** 32;
  let found = 0;
  for (let number = 2; found < 64; number += 1) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor += 1) {
      if (number % divisor === 0) prime = false;
    }
    if (!prime) continue;
    if (found < 8) START[found] = fraction(Math.sqrt(number));
    K[found] = fraction(Math.cbrt(number));
    found += 1;
  }
}

/**
 * @param {number} word
 * @param {number} by
 */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/**
 * @param {Uint8Array} message
 * @returns {Uint8Array} 32 bytes
 */
export function sha256(message) {
  const length = (((message.length + 8) >> 6) + 1) << 6;
  const padded = new Uint8Array(length);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(length - 4, message.length << 3);
  const state = START.slice();
  const words = new Uint32Array(64);
  for (let block = 0; block < length; block += 64) {
    for (let place = 0; place < 16; place += 1) words[place] = view.getUint32(block + 4 * place);
    for (let place = 16; place < 64; place += 1) {
      const early = words[place - 15];
      const late = words[place - 2];
      const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      words[place] = words[place - 16] + low + words[place - 7] + high;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let place = 0; place < 64; place += 1) {
      const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const chosen = (e & f) ^ (~e & g);
      const one = (h + high + chosen + K[place] + words[place]) | 0;
      const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const most = (a & b) ^ (a & c) ^ (b & c);
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + low + most) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((value, place) => (state[place] += value));
  }
  const digest = new Uint8Array(32);
  state.forEach((value, place) => new DataView(digest.buffer).setUint32(4 * place, value));
  return digest;
}

/**
 * HMAC-SHA256 (RFC 2104), with a key of at most 64 bytes.
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 */
export function hmac(key, message) {
  const inner = new Uint8Array(64 + message.length).fill(0x36, 0, 64);
  const outer = new Uint8Array(64 + 32).fill(0x5c, 0, 64);
  key.forEach((byte, place) => {
    inner[place] ^= byte;
    outer[place] ^= byte;
  });
  inner.set(message, 64);
  outer.set(sha256(inner), 64);
  return sha256(outer);
}

/**
 * Each field after its length in four bytes, the highest first (docs/fair.md).
 * @param {Uint8Array[]} fields
 */
export function encode(...fields) {
  const size = fields.reduce((sum, field) => sum + 4 + field.length, 0);
  const joined = new Uint8Array(size);
  const view = new DataView(joined.buffer);
  let at = 0;
  for (const field of fields) {
    view.setUint32(at, field.length);
    joined.set(field, at + 4);
    at += 4 + field.length;
  }
  return joined;
}

/**
 * The digest that promises a seat's bytes for the deal of that number.
 * @param {number} number
 * @param {number} seat
 * @param {Uint8Array} bytes
 */
export function promised(number, seat, bytes) {
  /** @param {string} text */
  const ascii = (text) => new TextEncoder().encode(text);
  return sha256(
    encode(ascii("volte contribution 1"), ascii(String(number)), ascii(String(seat)), bytes),
  );
}

/** @param {Uint8Array} bytes */
export function base64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

/** @param {string} text */
export function fromBase64(text) {
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
}

// A person's share of fair dealing: bytes that are made here, promised before anybody's are known,
// and told in time (docs/fair.md).

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
   * Sends the promise or the bytes of a seat when they are due, once each.
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
      // Promises protect other people: without any, the bytes need not wait.
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
 * The bytes for one commitment; a reloaded page and another tab get the same.
 * @param {string} key
 */
function bytesOf(key) {
  const text =
    kept.get(key) ?? lasting.get(key) ?? base64(crypto.getRandomValues(new Uint8Array(BYTES)));
  kept.set(key, text);
  lasting.set(key, text);
  return fromBase64(text);
}

/** @param {string} key */
function forget(key) {
  kept.delete(key);
  lasting.remove(key);
}
