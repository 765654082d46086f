/**
 * The memory of Python as it is once our modules are imported, kept in the browser: the next start
 * takes it up, in a tenth of the time. It holds nothing of a person, and fits the files of one
 * runtime and one version of a browser; where it is missing, or does not fit, Python starts anew.
 */

/** Others may share the host: the cache bears the path of the site. */
const cacheAt = (/** @type {string} */ name) => `memory of ${name}`;

/** Most bytes that are read at once. */
const PIECE = 1 << 20;

/** @typedef {{head: Uint8Array, body: ReadableStream<Uint8Array>}} Kept as Pyodide makes it */

export class Memory {
  #cache;
  #head;
  #body;

  /**
   * @param {string} name of what this site keeps in the browser; see keeping.js
   * @param {string} at address of the runtime
   */
  constructor(name, at) {
    this.#cache = cacheAt(name);
    const browser = encodeURIComponent(navigator.userAgent);
    this.#head = `${at}memory/head?${browser}`;
    this.#body = `${at}memory/body?${browser}`;
  }

  /** What is kept; undefined if there is nothing. @returns {Promise<Kept | undefined>} */
  async found() {
    try {
      const cache = await caches.open(this.#cache);
      const [head, body] = await Promise.all([cache.match(this.#head), cache.match(this.#body)]);
      if (!head || !body?.body) return undefined;
      return { head: new Uint8Array(await head.arrayBuffer()), body: body.body };
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
      const head = new DataView(made.buffer).getUint32(4, true); // its bytes
      const bytes = python._module._sbrk(0);
      await time;
      await this.forget();
      const cache = await caches.open(this.#cache);
      await cache.put(this.#body, new Response(made.subarray(head, head + bytes)));
      await cache.put(this.#head, new Response(made.subarray(0, head)));
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
 * Fills the memory of a program in WebAssembly.
 * @param {any} program
 * @param {ReadableStream<Uint8Array>} body
 */
export async function fill(program, body) {
  const reader = readerOf(body);
  for (let piece = new Uint8Array(PIECE), end = 0; ; ) {
    const { done, value } = await reader.read(piece);
    if (done) return;
    if (end + value.length > program.HEAPU8.length) program.growMemory(end + value.length);
    program.HEAPU8.set(value, end);
    end += value.length;
    piece = new Uint8Array(value.buffer);
  }
}
