/**
 * The connection to a table. It comes back by itself when it is lost, names the last happening it
 * has seen, and sends unanswered messages again under the same id. The page links this module
 * before all others, so that the line is open when they have come.
 */

/** What stands in for a server; see page.js. */
const alone = /** @type {any} */ (globalThis).volte;
/** @type {typeof WebSocket} */
const Line = alone?.line ?? WebSocket;
const PROTOCOL = 1;
/** Codes of closes after which trying again is of no use: the server has said why. */
const FINAL = new Set([4400, 4401, 4403, 4404, 4410, 4426]);
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;
/** Code of a server that stops; its clients must not all come to the next one at once. */
const STOPPING = 1012;
const LONGEST_MOVE = 400;
/** Paths to which a server may redirect: they cannot name another site. */
const PATH = /^(\/[\w-]+)+$/;
const MOST_LEADS = 2;
/**
 * The line is looked at every half second. While somebody looks at the page, it is tried after two
 * seconds of silence, and given up if nothing has come two and a half seconds later; a page that
 * nobody sees takes longer. Looks are counted, not seconds: no time passes while a device sleeps.
 */
const LOOK = 500;
const SEEN = { silence: 4, patience: 5 };
const HIDDEN = { silence: 50, patience: 20 };
/** Looks after which a server that has not answered at all is called anew. */
const CALLING = 20;
/** Looks without a word of the table after which the playroom is asked whether it is there. */
const BARRED = 60;

/**
 * @typedef {{say: string} & Record<string, any>} Message
 * @typedef {"connecting" | "open" | "lost" | "barred" | "back" | "ended"} Condition
 */

class Connection {
  /** Number of the last happening received. */
  seen = 0;
  /** Number of the last saying received. */
  heard = 0;
  #first = true;
  #over = false;
  #welcomed = false;
  #failures = 0;
  #count = 0;
  /** The path to call next, at one node; empty for the address of all nodes. */
  #lead = "";
  /** Redirects followed since a table has answered. */
  #leads = 0;
  #name = String(crypto.getRandomValues(new Uint32Array(1))[0]);
  /** @type {Map<string, {message: Message, resolve: (answer: Message | null) => void}>} */
  #unanswered = new Map();
  /** @type {WebSocket | null} */
  #socket = null;
  /** Calls kept until `attend`; null from then on. @type {(() => void)[] | null} */
  #missed = [];
  /** @type {number | undefined} */
  #retry;
  /** Looks since the last message, and since the line was tried; null while it is not tried. */
  #silent = 0;
  /** @type {number | null} */
  #tried = null;
  /** Looks since the table has said anything, on this line or an earlier one. */
  #unheard = 0;
  /** Whether the playroom answers, although no line to the table comes about. */
  #barred = false;

  /** @type {(message: Message) => void} */
  #hear = () => {};
  /** @type {(condition: Condition) => void} */
  #tell = () => {};

  /**
   * @param {string} table
   * @param {string} [lead] path at the node that has the table, if that is known
   */
  constructor(table, lead = "") {
    this.url = new URL(`../../../../../live/${table}`, import.meta.url).href.replace(/^http/, "ws");
    this.#lead = lead;
    window.addEventListener("online", () => this.#again(0));
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.#retry !== undefined) this.#again(0);
    });
    window.setInterval(() => this.#look(), LOOK);
    if (table !== "") this.#connect();
  }

  /**
   * Passes on all messages and conditions from now on, and those that have come already.
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
   * Sends a message and waits for its answer; null if none can come any more.
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

  /**
   * Takes an unanswered command back; its answer is null. The table may have done it all the same,
   * if the line was lost on the way back.
   * @param {Record<string, unknown>} command
   */
  drop(command) {
    for (const [id, { message, resolve }] of this.#unanswered) {
      if (message.command !== command) continue;
      this.#unanswered.delete(id);
      resolve(null);
    }
  }

  /** Takes the unanswered questions back; their answers are null. */
  forgetQuestions() {
    for (const [id, { message, resolve }] of this.#unanswered) {
      if (message.say !== "ask") continue;
      this.#unanswered.delete(id);
      resolve(null);
    }
  }

  #connect() {
    window.clearTimeout(this.#retry);
    this.#retry = undefined;
    if (this.#over || this.#socket) return;
    const socket = new Line(new URL(this.#lead, this.url));
    this.#socket = socket;
    this.#lead = "";
    this.#alive();
    socket.addEventListener("open", () => {
      const { seen, heard } = this;
      this.#send({ say: "hello", id: `${this.#name}-hello`, protocol: PROTOCOL, seen, heard });
      // Messages are read in order: none has to wait for the welcome.
      for (const { message } of this.#unanswered.values()) this.#send(message);
    });
    socket.addEventListener("message", (event) => {
      this.#unheard = 0;
      this.#barred = false;
      if (this.#socket === socket) this.#alive();
      if (event.data === "") return; // only shows that the line holds
      this.#attended(() => this.#socket === socket && this.#receive(JSON.parse(event.data)));
    });
    socket.addEventListener("close", (event) => {
      this.#attended(() => this.#socket === socket && this.#closed(event.code));
    });
  }

  /** @param {Message} message */
  #receive(message) {
    if (message.say === "welcome") {
      this.#welcomed = true;
      this.#failures = 0;
      this.#leads = 0;
      this.seen = message.first - 1;
    }
    if (message.say === "happened") {
      if (message.number <= this.seen) return;
      if (message.number > this.seen + 1) {
        this.#socket?.close(); // a happening is missing: connect again to get it
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
    if (message.say === "notice" && message.at && message.reason !== "closed") {
      if (PATH.test(message.at)) this.#lead = message.at;
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
    if (this.#lead !== "" && this.#leads < MOST_LEADS) {
      this.#leads += 1;
      this.#connect();
      return;
    }
    this.#lead = "";
    this.#leads = 0;
    if (!this.#barred) this.#tell("lost");
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#failures);
    const moving = code === STOPPING && this.#failures === 0;
    this.#failures += 1;
    this.#again(moving ? Math.random() * LONGEST_MOVE : pause * (0.5 + Math.random() / 2));
  }

  /** @param {number} pause */
  #again(pause) {
    if (this.#socket || this.#over) return;
    window.clearTimeout(this.#retry);
    this.#retry = window.setTimeout(() => this.#connect(), pause);
  }

  /** Notes that the line holds, as something has come. */
  #alive() {
    this.#silent = 0;
    this.#tried = null;
  }

  /** Tries the line after a silence, and gives it up without an answer: it can die unnoticed. */
  #look() {
    this.#unheard += 1;
    if (this.#unheard % BARRED === 0 && !this.#over) void this.#inquire();
    if (!this.#socket) return;
    const { silence, patience } = document.hidden ? HIDDEN : SEEN;
    this.#silent += 1;
    if (this.#tried !== null) this.#tried += 1;
    const over = this.#welcomed ? (this.#tried ?? 0) >= patience : this.#silent >= CALLING;
    if (over) {
      const socket = this.#socket;
      this.#closed(1006);
      socket.close();
    } else if (this.#welcomed && this.#tried === null && this.#silent >= silence) {
      this.#tried = 0;
      this.#socket.send("");
    }
  }

  /** Asks for a page where the table is silent: what lets it through may let no WebSocket through. */
  async #inquire() {
    const answer = await fetch(this.url.replace(/^ws(.*)\/live\/[^/]*$/, "http$1/api/me")).catch(
      () => null,
    );
    const ours = answer?.headers.get("content-type")?.startsWith("application/json") ?? false;
    if (this.#unheard < BARRED || this.#barred === ours) return;
    this.#barred = ours;
    this.#tell(ours ? "barred" : "lost");
  }

  /** @param {Message} message */
  #send(message) {
    if (this.#socket?.readyState === Line.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

/** The table of the page; other pages have none, and no connection. */
const { table = alone?.table ?? "", live, begin } = document.getElementById("table")?.dataset ?? {};

export const connection = new Connection(table, live);

/** The answer to the command that begins the match, if the address asks for it; else null. */
export const begun =
  begin === undefined
    ? null
    : connection.ask({ say: "do", command: { do: "Start" }, seen: Number(begin) });
