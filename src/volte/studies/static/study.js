/**
 * A review together: the replay follows the step of whoever leads. What others do comes by one line
 * of events; what is done here goes to the server, and comes back by that line.
 */

import { Replay, fleshed } from "../../history/static/stepping.js";
import {
  at,
  by,
  keyed,
  make,
  onPage,
  request,
  say,
  setAttribute,
  setText,
} from "../../web/static/page.js";

/**
 * The review as the server shows it: `StudyShown` in studies/telling.py.
 * @typedef {{person: string, name: string, came: string, gone: string, me?: boolean,
 *   leads?: boolean}} Attendee
 * @typedef {{told: string, count: number, over: string, mine?: boolean}} Tried
 * @typedef {{version: number, deal: number, step: number, leads: boolean, leading: string,
 *   here: Attendee[], sight: string, tried: Tried | null}} News
 *
 * A line: `LineShown` in studies/retelling.py, with its deal, and its place and steps as they came.
 * @typedef {import("../../history/static/stepping.js").Moment} Moment
 * @typedef {import("../../web/static/page.js").Laid} Laid
 * @typedef {{deal: number, first: number, moments: Moment[], turn: number | null, legal: Laid[],
 *   more: boolean, text: string}} Line
 * @typedef {import("../../server/live/static/connection.js").Message} Message
 */

/** Milliseconds without the line after which that is said. */
const LOST = 5_000;
/** Milliseconds until the server is called again after it has refused. */
const AGAIN = 60_000;

class StudyReplay extends Replay {
  #csrf = this.root.dataset.csrf ?? "";
  #path = `/studies/${this.root.dataset.study}`;
  /** The step at which everybody is. */
  #shared = { deal: Number(this.root.dataset.deal), step: Number(this.root.dataset.step) };
  #following = true;
  #sight = this.root.dataset.sight ?? "";
  /** @type {News | null} */
  #news = null;
  /** @type {Line | null} */
  #line = null;
  /** Number of times that a line was asked for, or was over. */
  #asked = 0;
  /** Whether own steps are on their way to the server. */
  #sending = false;
  /** What is done here goes to the server in turn. @type {Promise<unknown>} */
  #turn = Promise.resolve();
  /** @type {{deal: number, step: number} | null} */
  #next = null;
  /** @type {EventSource | null} */
  #source = null;
  /** @type {number | undefined} */
  #lost;
  #talk = new StudyTalk(this.root, this.#path, (lines) => this.announcer.say(lines), this.#csrf);

  begin() {
    super.begin();
    by("follow").addEventListener("click", () => this.#follow());
    by("line-begin").addEventListener("click", () => this.#begin());
    by("line-take").addEventListener("click", () => {
      void this.#do({ do: "take", place: String((this.#news?.tried?.count ?? 1) - 1) });
    });
    by("line-back").addEventListener("click", () => void this.#do({ do: "back" }));
    this.signal.addEventListener("abort", () => this.#source?.close());
    this.#listen();
  }

  where() {
    return this.#shared;
  }

  /** @param {number} number */
  address(number) {
    return at(`${this.#path}/deals/${number}?sight=${this.#sight}`);
  }

  /**
   * The steps of a deal; while a line is tried from it, those before the line, and its own.
   * @param {number} number
   */
  async load(number) {
    const known = await super.load(number);
    const line = this.#line;
    return line?.deal === number ? [...known.slice(0, line.first), ...line.moments] : known;
  }

  /** Takes everybody along where the person leads; else the person looks around alone. */
  note() {
    const here = { deal: this.deal, step: this.step };
    const same = here.deal === this.#shared.deal && here.step === this.#shared.step;
    if (this.#line || same) {
      if (same && !this.#line) this.#following = true;
    } else if (this.#news?.leads && !this.#news.tried) {
      this.#shared = here;
      this.#next = here;
      void this.#lead();
    } else this.#following = false;
    this.#paintFollowing();
  }

  // What is done here

  /** Sends the last of the own steps: the server needs none before it. */
  async #lead() {
    if (this.#sending) return;
    this.#sending = true;
    while (this.#next) {
      const { deal, step } = this.#next;
      this.#next = null;
      await this.#do({ do: "lead", deal: String(deal), step: String(step) });
    }
    this.#sending = false;
    // Perhaps somebody else has led meanwhile.
    if (this.#news && !this.#news.leads && !this.#news.tried) this.#move(this.#news);
  }

  #begin() {
    if (by("line-begin").ariaDisabled === "true") {
      this.announcer.say([say("study_follow_first")]);
      return;
    }
    const { deal, step } = this.#shared;
    void this.#do({ do: "try", deal: String(deal), step: String(step) });
  }

  /**
   * Sends what was done, and says why it is refused.
   * @param {Record<string, string>} fields
   */
  async #do(fields) {
    const coming = this.#turn.then(() => sent(at(`${this.#path}/do`), { ...fields, csrf: this.#csrf }));
    this.#turn = coming;
    const line = await coming;
    setText(by("line-answer"), line);
    by("line-answer").hidden = line === "";
    if (line === "") return;
    this.announcer.say([line]);
    this.#next = null;
    if (this.#news) this.#shared = { deal: this.#news.deal, step: this.#news.step };
    this.#follow();
  }

  #follow() {
    this.#following = true;
    const { deal, step } = this.#shared;
    const line = this.#line;
    void this.go(deal, line ? line.first + line.moments.length - 1 : step);
    if (document.activeElement === by("follow")) by("step").focus();
    this.#paintFollowing();
  }

  // What comes

  #listen() {
    const heard = this.#talk.heard;
    const source = new EventSource(at(`${this.#path}/changes?heard=${heard}`));
    this.#source = source;
    source.addEventListener("message", ({ data }) => this.#see(JSON.parse(data)));
    source.addEventListener("talk", ({ data }) => this.#talk.hear(JSON.parse(data)));
    source.addEventListener("over", ({ data }) => this.#over(JSON.parse(data)));
    source.addEventListener("open", () => this.#found());
    source.addEventListener("error", () => {
      if (this.signal.aborted) return;
      this.#lost ??= window.setTimeout(() => this.#tellLost(say("lost")), LOST);
      if (source.readyState === EventSource.CLOSED) {
        window.setTimeout(() => this.#listen(), AGAIN);
      }
    });
  }

  /** @param {string} line */
  #tellLost(line) {
    setText(by("lost"), line);
    by("lost").hidden = false;
    this.announcer.say([line]);
  }

  #found() {
    window.clearTimeout(this.#lost);
    this.#lost = undefined;
    if (by("lost").hidden) return;
    by("lost").hidden = true;
    this.announcer.say([say("back")]);
  }

  /** @param {string} line */
  #over(line) {
    this.#source?.close();
    window.clearTimeout(this.#lost);
    this.stop();
    this.#tellLost(line);
  }

  /** @param {News} news */
  #see(news) {
    const before = this.#news;
    this.#news = news;
    this.#meet(before?.here ?? news.here, news.here);
    if (news.leading !== before?.leading) this.announcer.say([news.leading]);
    setText(by("leading"), news.leading);
    if (news.sight !== this.#sight) {
      this.#sight = news.sight;
      if (before && !(this.#line && this.#following)) void this.go(this.deal, this.step);
    }
    this.#talk.meet(news.here);
    if (news.tried || this.#line) void this.#try(news, before);
    if (!news.tried && !this.#line) this.#move(news);
    // Whoever is handed the lead begins where everybody is.
    if (news.leads && before && !before.leads && !this.#following) this.#follow();
    this.#paintFollowing();
  }

  /**
   * Tells who has come and who has gone, and lists those who are here.
   * @param {Attendee[]} before
   * @param {Attendee[]} here
   */
  #meet(before, here) {
    const were = new Set(before.map(({ person }) => person));
    const are = new Set(here.map(({ person }) => person));
    this.announcer.say([
      ...here.filter(({ person }) => !were.has(person)).map(({ came }) => came),
      ...before.filter(({ person, me }) => !are.has(person) && !me).map(({ gone }) => gone),
    ]);
    keyed(
      by("here"),
      here,
      ({ person }) => person,
      (attendee) => {
        const name = make("span", { dir: "auto" });
        const hand = make("button", { type: "button", class: "quiet" });
        hand.addEventListener("click", () => {
          void this.#do({ do: "hand", to: attendee.person });
          by("step").focus();
        });
        return make("li", {}, [name, hand]);
      },
      (item, { name, me, leads }) => {
        const [called, hand] = /** @type {HTMLElement[]} */ ([...item.children]);
        const marks = [me ? say("you") : "", leads ? say("study_leads") : ""].filter(Boolean);
        setText(called, marks.length > 0 ? `${name} (${marks.join(", ")})` : name);
        setText(hand, say("study_hand", { name }));
        hand.hidden = !this.#news?.leads || me === true;
      },
    );
  }

  /**
   * Goes where everybody is, unless the person looks around alone, or is ahead of the answers.
   * @param {News} news
   */
  #move({ deal, step }) {
    if (this.#sending) return;
    const moved = deal !== this.#shared.deal || step !== this.#shared.step;
    this.#shared = { deal, step };
    if (!this.#following || (this.deal === deal && this.step === step)) return;
    this.stop();
    // Steps between are said as well, if there are few.
    const from = deal === this.deal && step > this.step && step - this.step < 6 ? this.step + 1 : step;
    if (moved) void this.go(deal, step, from, step);
  }

  // Lines

  /**
   * Shows the line that is tried, or that it is over.
   * @param {News} news
   * @param {News | null} before
   */
  async #try({ tried, deal, step, version, sight }, before) {
    if (!tried) {
      this.#line = null;
      this.#asked += 1;
      this.#shared = { deal, step };
      if (before?.tried) this.announcer.say([before.tried.over]);
      this.#paintLine();
      if (this.#following) this.#follow();
      else void this.go(this.deal, this.step);
      return;
    }
    if (tried.told !== before?.tried?.told) this.announcer.say([tried.told]);
    if (this.#line && before?.tried && version === before.version && sight === before.sight) return;
    this.#asked += 1;
    const mine = this.#asked;
    const came = await answered(at(`${this.#path}/line`));
    if (!came || mine !== this.#asked || this.signal.aborted) return;
    this.#shared = { deal, step };
    const text = JSON.stringify([deal, came.first, came.moments]);
    const said = this.#line?.deal === deal ? this.#line.moments.length : 0;
    const shown = this.#line?.text === text;
    // Nobody has to explain a card that was not played in the match.
    const moments = fleshed(came.moments).map((moment) => ({ ...moment, played: 0 }));
    this.#line = { turn: null, legal: [], more: false, ...came, deal, moments, text };
    const last = came.first + moments.length - 1;
    // A line that has just begun shows nothing new.
    const begun = moments.length === 0 && this.deal === deal && this.step === last;
    if (this.#following && !shown && !begun) await this.go(deal, last, Math.min(came.first + said, last), last);
    this.#paintLine();
  }

  #paintLine() {
    const tried = this.#news?.tried ?? null;
    const line = this.#line;
    const mine = tried?.mine === true;
    const cards = by("line-cards");
    const within = by("line").contains(document.activeElement);
    this.root.classList.toggle("tries", tried !== null);
    by("tried").hidden = tried === null;
    setText(by("tried"), tried?.told ?? "");
    by("line-begin").hidden = tried !== null;
    by("line-take").hidden = !mine || tried?.count === 0;
    by("line-back").hidden = tried === null || !(mine || this.#news?.leads);
    by("line-more").hidden = !line?.more;
    const seats = this.moments[this.step]?.scene.seats ?? [];
    const turn = mine ? (line?.turn ?? null) : null;
    by("line-turn").hidden = !mine || !line;
    if (mine && line) {
      setText(
        by("line-turn"),
        turn === null
          ? say("study_no_card")
          : say("study_turn", { name: seats[turn]?.name ?? say("seat_number", { number: turn + 1 }) }),
      );
    }
    cards.hidden = turn === null;
    keyed(
      cards,
      turn === null ? [] : (line?.legal ?? []),
      ({ card }) => card,
      ({ card, name }) => {
        const button = make("button", { type: "button" }, name);
        button.addEventListener("click", () => {
          const place = String(this.#news?.tried?.count ?? 0);
          void this.#do({ do: "card", card, place });
        });
        return make("li", {}, [button]);
      },
      () => {},
    );
    const { activeElement: focused } = document;
    const lost = focused === null || focused === document.body || focused.closest("[hidden]") !== null;
    if (within && lost) by(mine ? "line-turn" : "line-begin").focus();
  }

  #paintFollowing() {
    by("follow").hidden = this.#following || this.#news?.leads === true;
    const here = this.deal === this.#shared.deal && this.step === this.#shared.step;
    setAttribute(by("line-begin"), "aria-disabled", here ? null : "true");
  }
}

/** Talk beside the review: heard here, and shown in the panel once that is opened. */
class StudyTalk {
  /** Sayings that the panel has not shown yet. @type {Message[]} */
  said = [];
  may = "all";
  seated = true;
  /** Moves the focus into the panel. */
  lead = () => {};
  heard = 0;
  #unread = 0;
  /** @type {Attendee[]} */
  #here = [];
  /** @type {{paint: (scene: any) => void} | null} */
  #panel = null;

  /**
   * @param {HTMLElement} root
   * @param {string} path of the review
   * @param {(lines: string[]) => void} tell
   * @param {string} csrf
   */
  constructor(root, path, tell, csrf) {
    this.person = root.dataset.me ?? "";
    this.means = { tell };
    this.path = path;
    this.csrf = csrf;
    this.before = Number(root.dataset.talked);
    this.part = by("talk-part");
    this.part.addEventListener("toggle", () => void this.#open());
  }

  /** @param {Message[]} sayings */
  hear(sayings) {
    for (const saying of sayings) {
      if (saying.number <= this.heard) continue;
      this.heard = saying.number;
      this.said.push(saying);
      if (saying.number <= this.before) continue;
      const { name, line } = saying;
      const own = saying.person === this.person;
      this.means.tell([own ? say("talk_own", { line }) : say("talk_says", { name, line })]);
      if (!own && !this.part.hasAttribute("open")) this.#unread += 1;
    }
    this.#paint();
  }

  /** @param {Attendee[]} here */
  meet(here) {
    this.#here = here;
    this.#paint();
  }

  async #open() {
    if (!this.part.hasAttribute("open")) return;
    this.#unread = 0;
    if (!this.#panel) {
      const { begun } = await import("../../talk/static/talk.js");
      this.#panel = await begun(/** @type {any} */ (this), (asked) => this.#ask(asked), this.path);
    }
    this.#paint();
  }

  #paint() {
    const count = this.#unread;
    setText(by("talk-title"), say(count > 0 ? "talk_unread" : "ask_talk", { count }));
    this.#panel?.paint({ seat: 0, phase: "ended", seats: this.#here });
  }

  /**
   * @param {Message} asked
   * @returns {Promise<any>} the server's answer
   */
  async #ask(asked) {
    const id = Math.random().toString(36).slice(2);
    const body = new URLSearchParams({ csrf: this.csrf, message: JSON.stringify({ ...asked, id }) });
    try {
      const headers = { accept: "application/json" };
      const answer = await request(at(`${this.path}/talk`), { method: "POST", headers, body });
      const came = await answer.json();
      return answer.ok ? came : { ok: false, lines: [came.line] };
    } catch {
      return { ok: false, lines: [say("lost")] };
    }
  }
}

/**
 * The JSON at an address; null if it cannot be had.
 * @param {string} address
 */
async function answered(address) {
  try {
    const answer = await request(address, { headers: { accept: "application/json" } });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/**
 * Sends a form, and returns why it is refused; empty if it is not.
 * @param {string} address
 * @param {Record<string, string>} fields
 * @returns {Promise<string>}
 */
async function sent(address, fields) {
  try {
    const headers = { accept: "application/json" };
    const body = new URLSearchParams(fields);
    const answer = await request(address, { method: "POST", headers, body });
    return answer.ok ? "" : ((await answer.json()).line ?? say("lost"));
  } catch {
    return say("lost");
  }
}

export const start = (/** @type {AbortSignal} */ signal) => new StudyReplay(signal).begin();

onPage(start);
