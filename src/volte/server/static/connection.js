/**
 * The connection to a table. It comes back by itself when it is lost, says what it has seen, and
 * sends again, under the same name, whatever has not been answered.
 */

import { base64, fromBase64, promised } from "./sha256.js";
import { rememberShare } from "./shares.js";

const PROTOCOL = 1;
/** Closes after which trying again is of no use: the server has said why. */
const FINAL = new Set([4400, 4401, 4403, 4404, 4410, 4426]);
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;
/** Milliseconds of silence after which the line is tried, and in which it then has to answer. */
const SILENCE = 25_000;
const PATIENCE = 10_000;

/**
 * @typedef {{say: string} & Record<string, any>} Message
 * @typedef {"connecting" | "open" | "lost" | "back" | "ended"} Condition
 */

export class Connection {
  /** The number of the last happening that was told. */
  seen = 0;
  /** The number of the last saying. */
  heard = 0;
  #first = true;
  #over = false;
  #welcomed = false;
  #failures = 0;
  #count = 0;
  #name = String(crypto.getRandomValues(new Uint32Array(1))[0]);
  /** @type {Map<string, {message: Message, resolve: (answer: Message | null) => void}>} */
  #unanswered = new Map();
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {number | undefined} */
  #retry;
  #heard = 0;

  /**
   * @param {string} table
   * @param {(message: Message) => void} hear
   * @param {(condition: Condition) => void} tell
   */
  constructor(table, hear, tell) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.url = `${scheme}//${location.host}/live/${table}`;
    this.hear = hear;
    this.tell = tell;
    window.addEventListener("online", () => this.#again(0));
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.#retry !== undefined) this.#again(0);
    });
    window.setInterval(() => this.#listen(), PATIENCE / 2);
    this.#connect();
  }

  /** Whether what is said now goes out at once. */
  get open() {
    return this.#welcomed;
  }

  /**
   * Says something and waits for its answer; null where none can come any more.
   * @param {Message} message
   * @returns {Promise<Message | null>}
   */
  ask(message) {
    if (this.#over) return Promise.resolve(null);
    this.#count += 1;
    const id = `${this.#name}-${this.#count}`;
    const named = { ...message, id };
    return new Promise((resolve) => {
      this.#unanswered.set(id, { message: named, resolve });
      if (this.#welcomed) this.#send(named);
    });
  }

  #connect() {
    window.clearTimeout(this.#retry);
    this.#retry = undefined;
    if (this.#over || this.#socket) return;
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    this.#heard = performance.now();
    socket.addEventListener("open", () => {
      const { seen, heard } = this;
      this.#send({ say: "hello", id: `${this.#name}-hello`, protocol: PROTOCOL, seen, heard });
    });
    socket.addEventListener("message", (event) => {
      if (this.#socket === socket) this.#receive(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (this.#socket === socket) this.#closed(event.code);
    });
  }

  /** @param {Message} message */
  #receive(message) {
    this.#heard = performance.now();
    if (message.say === "welcome") {
      this.#welcomed = true;
      this.#failures = 0;
      this.seen = message.first - 1;
    }
    if (message.say === "happened") {
      if (message.number <= this.seen) return;
      if (message.number > this.seen + 1) {
        this.#socket?.close(); // something is missing: it is told from there when we come again
        return;
      }
      this.seen = message.number;
    }
    if (message.say === "spoken") this.heard = message.number;
    if (message.say === "answer") {
      this.#unanswered.get(message.id)?.resolve(message);
      this.#unanswered.delete(message.id);
      return;
    }
    this.hear(message);
    if (message.say === "welcome" && message.id !== "") {
      this.tell(this.#first ? "open" : "back");
      this.#first = false;
      for (const { message: again } of this.#unanswered.values()) this.#send(again);
    }
  }

  /** @param {number} code */
  #closed(code) {
    this.#socket = null;
    this.#welcomed = false;
    if (FINAL.has(code)) {
      this.#over = true;
      for (const { resolve } of this.#unanswered.values()) resolve(null);
      this.#unanswered.clear();
      this.tell("ended");
      return;
    }
    this.tell("lost");
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#failures);
    this.#failures += 1;
    this.#again(pause * (0.5 + Math.random() / 2));
  }

  /** @param {number} pause */
  #again(pause) {
    if (this.#socket || this.#over) return;
    window.clearTimeout(this.#retry);
    this.#retry = window.setTimeout(() => this.#connect(), pause);
  }

  /** A line can die without a word: after a silence it has to answer, or is given up. */
  #listen() {
    if (!this.#socket || !this.#welcomed) return;
    const silent = performance.now() - this.#heard;
    if (silent > SILENCE + PATIENCE) {
      const socket = this.#socket;
      this.#closed(1006);
      socket.close();
    } else if (silent > SILENCE) {
      this.#count += 1;
      this.#send({ say: "ask", id: `${this.#name}-${this.#count}`, what: "turn" });
    }
  }

  /** @param {Message} message */
  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

// The part of fair dealing that falls to a person: bytes of their own, made here, promised before
// anybody's are known, and told in time (docs/fair.md).

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
      return;
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
