/**
 * The worker of a page without a server: Python in WebAssembly, with the room of one person in it
 * (`volte.solo.worker`), and what makes pages (`volte.alone.worker`), once one is wanted. Its messages
 * are listed in line.js.
 */

import { Shelf, holding, nameAt } from "./keeping.js";
import { Memory, fill } from "./memory.js";

/** @type {any} */
const worker = self;

/**
 * Archives of the standard library, of our own modules for a table with msgspec, and of what makes
 * pages; see `volte.site`.
 */
const LIBRARY = "python_stdlib.zip.txt";
const PACKAGES = "packages.zip.txt";
const PAGES = "pages.zip.txt";
/** The part of msgspec that is compiled. */
const COMPILED = "_core.cpython-314-wasm32-emscripten.so";
/** What Python begins with. */
const FIRST = ["pyodide.asm.wasm", LIBRARY, `${COMPILED}.txt`];
/** Folder into which the modules are unpacked. */
const MODULES = "/packages";
/** Milliseconds from the start until its memory is kept: first the cards. */
const LATER = 3000;
/** Most steps of progress that are told. */
const STEPS = 50;
/** The least that a program in WebAssembly can be. */
const NOTHING = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
/** No packages but those that are unpacked here, so that nobody is asked for any. */
const NO_PACKAGES = { info: { abi_version: "2026_0" }, packages: {} };

/** A fault for which Python cannot start; its message is the short name that the page is told. */
class StartFault extends Error {}

/** @template T */
class Later {
  /** @type {(value: T | Promise<T>) => void} */
  settle = () => {};
  /** @type {Promise<T>} */
  comes = new Promise((resolve) => (this.settle = resolve));
}

/** @type {Later<Begin>} */
const asked = new Later();
/** When the person wants to take the matches over from another window. @type {Later<void>} */
const taken = new Later();
/** When another window has taken them over from this one. @type {Later<void>} */
const lost = new Later();

/**
 * @typedef {{at: string, files: Record<string, number>, pages: Record<string, number>}} Runtime
 *   address of its folder, and the files in it with their bytes: for a table, and for pages beside
 * @typedef {{runtime: Runtime, base: string, lang: string, pages?: boolean}} Begin `pages`:
 *   whether the worker has to make the page
 */

/** Once the start is over. @type {Later<void>} */
const calm = new Later();
/** Memory of Python, for the next start. @type {Memory | undefined} */
let memory;

/** The room; messages that come before it wait. */
const room = asked.comes.then(begun);
room.catch(failed);

worker.addEventListener("message", (/** @type {MessageEvent} */ { data }) => {
  if (data.begin) asked.settle(data.begin);
  else if (data.takeOver) taken.settle();
  else if (data.text === "") tell(data); // it tries whether the line holds
  else void room.then((solo) => passed(solo, data), () => {}); // a fault is told already
});

/**
 * Tells the page that it cannot go on; the next start is from nothing.
 * @param {unknown} error
 */
function failed(error) {
  console.error(error);
  tell({ failed: error instanceof StartFault ? error.message : "broken" });
  void memory?.forget();
}

/** @param {object} message */
function tell(message) {
  worker.postMessage(message);
}

/**
 * Passes a message of the page on to the room.
 * @param {any} solo
 * @param {any} message
 */
async function passed(solo, { line, open, text, close, id, method, path, form }) {
  try {
    if (open !== undefined) solo.open(line, open);
    else if (text !== undefined) solo.hear(line, text);
    else if (close) solo.close(line);
    else tell({ id, answer: JSON.parse(await answer(solo, [method, path, form])) });
  } catch (error) {
    if (id === undefined) return failed(error);
    console.error(error);
    tell({ id, answer: { status: 500, type: "text/plain", body: "" } });
  }
}

/** Loads what makes pages. @type {() => Promise<any>} */
let loaded = () => Promise.reject();
/** The maker of pages, from the first that is wanted on. @type {Promise<any> | undefined} */
let pages;

/**
 * The answer to a request: of the room, or else of the maker of pages.
 * @param {any} solo
 * @param {string[]} request
 */
async function answer(solo, request) {
  const text = await solo.request(...request);
  if (text) return text;
  pages ??= loaded();
  pages.catch(() => (pages = undefined)); // it is tried again
  return (await pages).request(...request);
}

/**
 * The room, once Python runs and this window has the matches.
 * @param {Begin} asked
 */
async function begun({ runtime, base, lang, pages: wanted = false }) {
  memory = new Memory(nameAt(base), runtime.at);
  const files = { ...runtime.files, ...(wanted ? runtime.pages : {}) };
  const starts = interpreter({ ...runtime, files }, memory);
  const [python, shelf] = await Promise.all([starts, kept(nameAt(base))]);
  let aside = 0;
  const page = {
    say: (/** @type {number} */ line, /** @type {string} */ text) => tell({ line, text }),
    close: (/** @type {number} */ line, /** @type {number} */ code) => tell({ line, close: code }),
    aside: () => tell({ told: "aside", count: (aside += 1) }),
  };
  const solo = python.pyimport("volte.solo.worker").SoloWorker(page, shelf, lang);
  void lost.comes.then(() => {
    tell({ failed: "taken_over" });
    worker.close();
  });
  loaded = async () => {
    const archive = await fetch(runtime.at + PAGES);
    if (!archive.ok) throw new Error(`${archive.status} ${archive.url}`);
    unpack(python._module, await archive.arrayBuffer(), MODULES);
    python.pyimport("importlib").invalidate_caches();
    const { origin, pathname } = new URL("../../", import.meta.url);
    const place = [`${base}/${lang}`, pathname, origin];
    return python.pyimport("volte.alone.worker").PagesWorker(solo, MODULES, ...place);
  };
  if (wanted) await (pages = loaded());
  tell({ ready: true });
  setTimeout(calm.settle, LATER);
  return solo;
}

/**
 * The database, once no other window has it; undefined if the browser lets nothing be stored.
 * @param {string} name
 */
async function kept(name) {
  let waits = false;
  const elsewhere = () => {
    waits = true;
    tell({ told: "elsewhere" });
  };
  await holding(name, { elsewhere, lost: () => lost.settle() }, taken.comes);
  if (waits) tell({ told: "here" });
  const shelf = new Shelf(name, {
    full: () => {
      tell({ told: "full" });
      void memory?.forget();
    },
    room: () => tell({ told: "room" }),
    lost: () => lost.settle(),
    begun: () => tell({ told: "begun" }),
  });
  try {
    await shelf.open();
    return shelf;
  } catch {
    tell({ told: "unkept" });
    return undefined;
  }
}

/**
 * Python with our modules.
 * @param {Runtime} runtime
 * @param {Memory} memory
 */
async function interpreter({ at, files }, memory) {
  try {
    new WebAssembly.Module(NOTHING);
  } catch {
    throw new StartFault("barred");
  }
  const kept = memory.found();
  const fetchAnew = fetch;
  worker.fetch = counting(at, files, kept);
  const [{ loadPyodide }, { default: program }] = await Promise.all([
    import(`${at}pyodide.mjs`),
    import(`${at}pyodide.asm.mjs`),
    ...FIRST.map((name) => fetch(at + name)),
  ]).catch(unreachable);
  try {
    return await started({ at, files }, loadPyodide, program, memory, await kept);
  } catch (error) {
    if (!(await kept)) throw error;
    console.error(error);
    await memory.forget();
    worker.fetch = fetchAnew; // the answers have been read
    return await started({ at, files }, loadPyodide, program, memory);
  }
}

/**
 * Python as it runs, from nothing or from its memory.
 * @param {Pick<Runtime, "at" | "files">} runtime
 * @param {(settings: object) => Promise<any>} loadPyodide
 * @param {(settings: object) => Promise<any>} program
 * @param {Memory} memory
 * @param {import("./memory.js").Kept} [kept]
 */
async function started({ at, files }, loadPyodide, program, memory, kept) {
  const bytes = (/** @type {string} */ name) => fetch(at + name).then((came) => came.arrayBuffer());
  /** @type {Later<ArrayBuffer>} */
  const packages = new Later();
  packages.comes.catch(() => {}); // until it is wanted
  /** @type {any} */
  let module;
  const python = await loadPyodide({
    indexURL: at,
    stdLibURL: at + LIBRARY,
    packageBaseUrl: at,
    lockFileContents: NO_PACKAGES,
    createPyodideModule: async (/** @type {any} */ made) => {
      module = made;
      await program(module);
      if (kept) await fill(module, kept);
      return module;
    },
    env: { HOME: "/home", PYTHONPATH: MODULES },
    fsInit: async () => {
      packages.settle(bytes(PACKAGES)); // it comes while Python begins
      if (PAGES in files) void fetch(at + PAGES);
      link(module, new Uint8Array(await bytes(`${COMPILED}.txt`)));
    },
    _makeSnapshot: !kept,
    _loadSnapshot: kept?.head,
  });
  unpack(module, await packages.comes.catch(unreachable), MODULES);
  if (kept) {
    python.pyimport("random").seed();
  } else {
    python.pyimport("volte.solo.worker");
    void memory.keep(python, calm.comes);
  }
  return python;
}

/**
 * @param {unknown} error
 * @returns {never}
 */
function unreachable(error) {
  console.error(error);
  throw new StartFault("unreachable");
}

/**
 * Unpacks an archive whose files are not deflated: in a tenth of the time that Python takes.
 * @param {any} module of Python
 * @param {ArrayBuffer} archive
 * @param {string} folder
 */
function unpack(module, archive, folder) {
  const view = new DataView(archive);
  const names = new TextDecoder();
  const end = archive.byteLength - 22; // where the directory of the archive is told
  let entry = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    const [name, extra, remark] = [28, 30, 32].map((at) => view.getUint16(entry + at, true));
    const path = `${folder}/${names.decode(new Uint8Array(archive, entry + 46, name))}`;
    const head = view.getUint32(entry + 42, true);
    const data = head + 30 + view.getUint16(head + 26, true) + view.getUint16(head + 28, true);
    module.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    module.FS.writeFile(path, new Uint8Array(archive, data, view.getUint32(entry + 24, true)));
    entry += 46 + name + extra + remark;
  }
}

/**
 * Loads msgspec's compiled part before Python begins, so that it lies where Python's memory says.
 * Python finds it by its path as it is imported.
 * @param {any} module
 * @param {Uint8Array} content
 */
function link(module, content) {
  const path = `${MODULES}/msgspec/${COMPILED}`;
  module.FS.mkdirTree(`${MODULES}/msgspec`);
  module.FS.writeFile(path, content);
  const library = module.newDSO(path, undefined, "loading");
  Object.assign(library, { refcount: Infinity, global: false });
  library.exports = module.loadWebAssemblyModule(content, { nodelete: true }, path, {});
}

/**
 * A way to fetch files that tells how much of them has come. What one has asked for is one answer,
 * whoever asks again.
 * @param {string} at
 * @param {Record<string, number>} files
 * @param {Promise<unknown>} kept whether they have come before: then they are counted as a whole,
 *   since what is counted while it comes lies twice in memory
 */
function counting(at, files, kept) {
  const wanted = new Map(Object.entries(files).filter(([name]) => !name.endsWith(".mjs")));
  const all = [...wanted.values()].reduce((sum, bytes) => sum + bytes, 0);
  let done = 0;
  let told = 0;
  const count = (/** @type {number} */ bytes) => {
    done += bytes;
    if (done < all && done - told < all / STEPS) return;
    told = done;
    tell({ progress: { done, all } });
  };
  const fetchAnew = fetch;
  const answers = new Map();
  const ask = async (/** @type {string} */ name, /** @type {number} */ bytes) => {
    const came = await fetchAnew(at + name);
    if (!came.ok) throw new Error(`${came.status} ${came.url}`);
    if (await kept) count(bytes);
    else counted(came.clone(), count).catch(() => {}); // whoever reads the answer meets its fault
    return came;
  };
  return (/** @type {string} */ address, /** @type {RequestInit} */ options) => {
    const name = String(address).replace(at, "");
    const bytes = wanted.get(name);
    if (bytes === undefined) return fetchAnew(address, options);
    if (!answers.has(name)) {
      answers.set(name, ask(name, bytes));
      answers.get(name).catch(() => answers.delete(name));
    }
    return answers.get(name);
  };
}

/**
 * Counts the bytes of an answer while they come.
 * @param {Response} answer
 * @param {(bytes: number) => void} count
 */
async function counted(answer, count) {
  for (const reader = answer.body?.getReader(); reader; ) {
    const { done, value } = await reader.read();
    if (done) return;
    count(value.length);
  }
}
