/**
 * The memory of Python as it is once our modules are imported, kept in the browser: the next start
 * takes it up and need not import them again. It holds nothing of a person, and fits the files of one
 * runtime and one version of a browser; where it is missing, or does not fit, Python starts anew.
 */

/** Most bytes that are read at once. */
const PIECE = 1 << 20;

/**
 * The memory as Pyodide makes it: a head, and what lies in the program, with its bytes and their sum.
 * @typedef {{head: Uint8Array, body: ReadableStream<Uint8Array>, bytes: number, sum: number}} Kept
 */

export class Memory {
  #cache;
  #address;

  /**
   * @param {string} name of what this site keeps in the browser; see keeping.js
   * @param {string} at address of the runtime
   */
  constructor(name, at) {
    this.#cache = `memory of ${name}`; // others may share the host
    this.#address = `${at}memory?${encodeURIComponent(navigator.userAgent)}`;
  }

  /** What is kept; undefined if there is nothing. @returns {Promise<Kept | undefined>} */
  async found() {
    try {
      const cache = await caches.open(this.#cache);
      const answer = await cache.match(this.#address);
      if (!answer?.body) return undefined;
      const { head, bytes, sum } = JSON.parse(answer.headers.get("kept") ?? "");
      return { head: new Uint8Array(head), body: answer.body, bytes, sum };
    } catch {
      return undefined; // no caches without a certificate, or where nothing may be stored
    }
  }

  /**
   * Keeps a memory, in the place of all others; or does not, where there is no room for it.
   * @param {any} python its memory is taken at once, and kept after the time given
   * @param {Promise<unknown>} time
   */
  async keep(python, time) {
    try {
      const made = python.makeMemorySnapshot();
      const end = new DataView(made.buffer).getUint32(4, true); // of its head
      const body = made.subarray(end, end + python._module._sbrk(0));
      await time;
      await this.forget();
      const cache = await caches.open(this.#cache);
      const kept = { head: [...made.subarray(0, end)], bytes: body.length, sum: sumOf(body) };
      const headers = { kept: JSON.stringify(kept) };
      await cache.put(this.#address, new Response(body, { headers }));
    } catch (error) {
      console.info(error);
      await this.forget();
    }
  }

  async forget() {
    await globalThis.caches?.delete(this.#cache).catch(() => {});
  }
}

/**
 * A reader that needs no memory of its own, where the browser has one.
 * @param {ReadableStream<Uint8Array>} body
 * @returns {{read: (piece: Uint8Array<ArrayBuffer>) => Promise<{done: boolean, value?: any}>}}
 */
function readerOf(body) {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return body.getReader();
  }
}

/**
 * The sum of a memory's bytes, by which it is known again: in a damaged one Python might never end,
 * or take the page down with it.
 * @param {Uint8Array} bytes
 */
function sumOf({ buffer, byteOffset, length }) {
  const words = new Uint32Array(buffer, byteOffset, length >> 2);
  let sum = length;
  for (let at = 0; at < words.length; at += 1) sum = Math.imul(sum ^ words[at], 0x01000193);
  return sum;
}

/**
 * Fills the memory of a program in WebAssembly. Throws if its bytes are not those that were kept.
 * @param {any} program
 * @param {Kept} kept
 */
export async function fill(program, { body, bytes, sum }) {
  if (bytes > program.HEAPU8.length) program.growMemory(bytes);
  const reader = readerOf(body);
  for (let piece = new Uint8Array(PIECE), end = 0; ; ) {
    const { done, value } = await reader.read(piece);
    if (done) break;
    program.HEAPU8.set(value, end);
    end += value.length;
    piece = new Uint8Array(value.buffer);
  }
  if (sumOf(program.HEAPU8.subarray(0, bytes)) !== sum) throw new Error("another memory");
}
