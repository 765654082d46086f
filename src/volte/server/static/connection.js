/**
 * The connection to a table. It comes back by itself when it is lost, says what it has seen, and
 * sends again, under the same name, whatever has not been answered. The page links this module
 * before all others, so that the line is open by the time they have come.
 */

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
  /** What has happened to the line before anybody attended to it. @type {(() => void)[] | null} */
  #missed = [];
  /** @type {number | undefined} */
  #retry;
  #heard = 0;

  /** @type {(message: Message) => void} */
  #hear = () => {};
  /** @type {(condition: Condition) => void} */
  #tell = () => {};

  /** @param {string} table */
  constructor(table) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.url = `${scheme}//${location.host}/live/${table}`;
    window.addEventListener("online", () => this.#again(0));
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.#retry !== undefined) this.#again(0);
    });
    window.setInterval(() => this.#listen(), PATIENCE / 2);
    this.#connect();
  }

  /**
   * Passes on all that comes from now on, and what has come already.
   * @param {(message: Message) => void} hear
   * @param {(condition: Condition) => void} tell
   */
  attend(hear, tell) {
    this.#hear = hear;
    this.#tell = tell;
    const missed = this.#missed ?? [];
    this.#missed = null;
    for (const each of missed) each();
  }

  /** @param {() => void} work */
  #attended(work) {
    if (this.#missed) this.#missed.push(work);
    else work();
  }

  /** Whether the table has answered. */
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
      this.#send(named);
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
      // They are read in order: nothing has to wait for the welcome.
      for (const { message } of this.#unanswered.values()) this.#send(message);
    });
    socket.addEventListener("message", (event) => {
      this.#attended(() => this.#socket === socket && this.#receive(JSON.parse(event.data)));
    });
    socket.addEventListener("close", (event) => {
      this.#attended(() => this.#socket === socket && this.#closed(event.code));
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
    this.#hear(message);
    if (message.say === "welcome" && message.id !== "") {
      this.#tell(this.#first ? "open" : "back");
      this.#first = false;
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
      this.#tell("ended");
      return;
    }
    this.#tell("lost");
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

const { table = "", begin } = document.getElementById("table")?.dataset ?? {};

export const connection = new Connection(table);

/** The answer to the command that begins the match, where the address asks for that; else null. */
export const begun =
  begin === undefined
    ? null
    : connection.ask({ say: "do", command: { do: "Start" }, seen: Number(begin) });
