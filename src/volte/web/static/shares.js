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
export function rememberShare(digest, seat, data) {
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
