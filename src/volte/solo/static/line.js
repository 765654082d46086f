/**
 * The door of a page without a server: what stands in for its WebSocket and its requests. They go
 * to a worker of this browser, in which Python runs. The page links this module before all others.
 *
 * To the worker: `{begin: {runtime, base, lang, pages}}` once; `{line, open: ID}`, `{line, text}`
 * and `{line, close: true}` for a line, by its number; `{id, method, path, form}` for a request;
 * `{takeOver: true}`. From it: `{line, text}` and `{line, close: CODE}`; `{id, answer}`; and what
 * `listen` passes on: `{progress: {done, all}}`, `{ready: true}`, `{told: NAME}` and
 * `{failed: REASON}`.
 */

import { ofTab } from "../../web/static/storage.js";

/** Milliseconds between texts which show that a table that is not there yet is no dead line. */
const PATIENCE = 1000;
/** Code of a close after which nothing is tried again. */
const OVER = 4410;

/**
 * @typedef {Record<string, any>} Message
 * @typedef {{status: number, type: string, body: string, base64?: boolean, location?: string,
 *   filename?: string}} Answer
 */

const { lang, dataset } = document.documentElement;
const { base = "", runtime = "{}" } = dataset;
/** The beginning of the paths of pages, which may have their language in it. */
const here = new RegExp(`^${base}(/${lang}(?=/))?`);
const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });

/** Messages so far that are for the page itself. @type {Message[]} */
const past = [];
/** @type {Set<(message: Message) => void>} */
const listeners = new Set();
/** Requests without an answer, by number. @type {Map<number, (answer: Answer) => void>} */
const requests = new Map();
/** Numbers of lines and requests so far. */
let count = 0;
/** The line that is open, or opens. @type {Line | null} */
let line = null;
/** The reason why the worker is over; empty while it is not. */
let over = "";

/** @param {Message} message */
function hear(message) {
  if (message.line !== undefined) {
    if (line?.number === message.line) line?.takes(message);
  } else if (message.id !== undefined) {
    answered(message.id, message.answer);
  } else {
    if (message.told === "begun") void navigator.storage?.persist?.();
    if (message.failed) end(message.failed);
    past.push(message);
    for (const each of listeners) each(message);
  }
}

/**
 * @param {number} id
 * @param {Answer} answer
 */
function answered(id, answer) {
  requests.get(id)?.(answer);
  requests.delete(id);
}

/**
 * Ends everything, for a reason; at a table, the line says it as the line to a server does.
 * @param {string} reason
 */
function end(reason) {
  over = reason;
  const { farewell } = door;
  const notice = { say: "notice", reason, line: farewell };
  if (reason === "taken_over" && farewell) line?.takes({ text: JSON.stringify(notice) });
  line?.takes({ close: OVER });
  for (const id of [...requests.keys()]) answered(id, { status: 503, type: "text/plain", body: "" });
}

/**
 * The room's answer to a request for an address; see `SoloAnswer` in `volte.solo`.
 * @param {string | URL} address
 * @param {{method?: string, body?: any}} [init] `body` may be whatever makes a `URLSearchParams`
 * @returns {Promise<Answer>}
 */
function answer(address, { method = "GET", body = "" } = {}) {
  const { pathname, search } = new URL(address, location.href);
  const path = pathname.replace(here, "");
  /** @type {Record<string, string[]>} */
  const form = {};
  for (const [name, value] of new URLSearchParams(body)) (form[name] ??= []).push(value);
  count += 1;
  const id = count;
  return new Promise((resolve) => {
    requests.set(id, resolve);
    if (over) end(over);
    else worker.postMessage({ id, method, path: path + search, form: JSON.stringify(form) });
  });
}

/**
 * Asks the room as `fetch` asks a server, but follows no redirect.
 * @param {string | URL} address
 * @param {{method?: string, body?: any}} [init]
 */
async function request(address, init) {
  const { status, type, body } = await answer(address, init);
  return new Response(body || null, { status, headers: { "content-type": type } });
}

/** Has the table opened for which the page's address asks, unless it is there. */
async function opened() {
  const asked = new URLSearchParams(location.search);
  const name = ofTab.get("volte name") ?? ""; // as it was typed into the form of the first page
  if (ofTab.set("volte name", name)) asked.set("name", name);
  const answer = await request(`${base}/play`, { method: "POST", body: asked });
  if (answer.ok) return ofTab.remove("volte name");
  hear({ told: "refused", text: await answer.text() });
  await new Promise(() => {}); // there is no table for a line
}

/** A line to the table of the page's address, with the interface of a WebSocket. */
class Line extends EventTarget {
  static OPEN = 1;
  readyState = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #beats;

  constructor() {
    super();
    count += 1;
    this.number = count;
    line = this;
    this.#beats = setInterval(() => this.takes({ text: "" }), PATIENCE);
    if (over) queueMicrotask(() => this.takes({ close: OVER }));
    else void there?.then(() => this.#open());
  }

  #open() {
    if (this.readyState !== 0) return;
    this.readyState = Line.OPEN;
    worker.postMessage({ line: this.number, open: table });
    this.dispatchEvent(new Event("open"));
  }

  /** @param {Message} message of the worker */
  takes({ text, close }) {
    if (this.readyState > Line.OPEN) return;
    if (close !== undefined) this.#end(close);
    else {
      if (text !== "") clearInterval(this.#beats);
      this.dispatchEvent(new MessageEvent("message", { data: text }));
    }
  }

  /** @param {string} text */
  send(text) {
    worker.postMessage({ line: this.number, text });
  }

  close() {
    if (this.readyState === Line.OPEN) worker.postMessage({ line: this.number, close: true });
    this.#end(1000);
  }

  /** @param {number} code */
  #end(code) {
    clearInterval(this.#beats);
    this.readyState = 3;
    this.dispatchEvent(new CloseEvent("close", { code }));
  }
}

/** The part of the door that scripts before this one have made. @type {any} */
const door = /** @type {any} */ (globalThis).volte ?? {};
/** @type {{table?: string}} */
const { table = "" } = door;
const there = table === "" ? null : opened();

/** @type {any} */ (globalThis).volte = Object.assign(door, {
  line: Line,
  answer,
  request,

  /** Takes the matches over from another window. */
  takeOver() {
    worker.postMessage({ takeOver: true });
  },

  /**
   * Passes on the worker's messages for the page, also those that have come already.
   * @param {(message: Message) => void} listener
   */
  listen(listener) {
    listeners.add(listener);
    for (const each of past) listener(each);
  },
});

worker.addEventListener("message", ({ data }) => hear(data));
worker.addEventListener("error", (event) => {
  console.error(event.message ?? event.type);
  hear({ failed: "broken" });
});
// A page that is left lets the matches go at once, and begins anew if the browser has kept it.
window.addEventListener("pagehide", () => worker.terminate());
window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
// What makes pages is wanted in a section, but at no table.
const pages = document.body.dataset.sections !== undefined;
worker.postMessage({ begin: { runtime: JSON.parse(runtime), base, lang, pages } });
