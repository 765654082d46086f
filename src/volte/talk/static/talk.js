/** The panel for talking: the sayings, forms to speak, and ways to mute or report others. */

import { moved } from "../../web/static/buttons.js";
import {
  at,
  by,
  fill,
  isolated,
  keyed,
  lang,
  linkStyle,
  make,
  request,
  setAttribute,
  setText,
  table,
} from "../../web/static/page.js";

/** @typedef {import("../../server/live/static/connection.js").Message} Message */
/** @typedef {import("../../server/live/static/talking.js").Talk} Talk */
/** @typedef {(message: Message) => Promise<Message | null>} Ask */
/**
 * Somebody else of the table, what one has decided about them, and whether one may ask them to be
 * friends.
 * @typedef {{person: string, name: string, muted: boolean, avoided: boolean,
 *   befriends: boolean}} Other
 */

/** Lines that the panel keeps at most. */
const MOST = 200;

/**
 * The panel, after its markup has been fetched into the page.
 * @param {Talk} talk
 * @param {Ask} ask
 * @param {string} [place] path of the page where people talk, if it is no table
 */
export async function begun(talk, ask, place) {
  linkStyle("talk/static/talk.css");
  const path = place ?? `/tables/${table}`;
  await fill("talk", at(`${path}/talk`));
  return new Panel(talk, ask, path, place === undefined);
}

class Panel {
  #log = by("talk-log");
  #text = /** @type {HTMLInputElement} */ (by("talk-text"));
  #phrase = /** @type {HTMLSelectElement} */ (by("talk-phrase"));
  #room = /** @type {HTMLSelectElement} */ (by("talk-room"));
  #report = /** @type {HTMLFormElement} */ (by("talk-report"));
  /** @type {Record<string, string>} */
  #words = JSON.parse(by("talk-forms").dataset.words ?? "{}");
  /** Names at the seats, as the list of people was read last. */
  #seated = "";
  /** The saying that is to be reported, or the person. @type {Message | Other | null} */
  #reported = null;
  /** The button from which the report was begun. @type {HTMLElement | null} */
  #from = null;
  #painted = false;

  /**
   * @param {Talk} talk
   * @param {Ask} ask
   * @param {string} path of the page
   * @param {boolean} atTable whether people sit together there, so that one may be kept apart from
   *   somebody, or ask them to be friends
   */
  constructor(talk, ask, path, atTable) {
    this.talk = talk;
    this.ask = ask;
    this.path = path;
    this.atTable = atTable;
    talk.lead = () => this.focus();
    by("talk-own").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#say({ text: this.#text.value });
    });
    by("talk-ready").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#say({ phrase: this.#phrase.value });
    });
    this.#report.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#send();
    });
    by("talk-cancel").addEventListener("click", () => this.#close());
    this.#log.addEventListener("keydown", (event) => this.#move(event));
    by("talk-people-part").addEventListener("toggle", () => void this.#list());
  }

  /** Moves the focus to the first field for speaking that is shown. */
  focus() {
    const ways = [this.#text, this.#phrase, this.#log];
    ways.find((each) => each.offsetParent !== null)?.focus();
  }

  /** @param {import("../../web/static/page.js").Scene} scene */
  paint(scene) {
    for (const said of this.talk.said.splice(0)) this.#hear(said);
    this.#allow(scene);
    const seated = JSON.stringify(scene.seats.map(({ name }) => name));
    if (seated !== this.#seated) void this.#list();
    this.#seated = seated;
    // Somebody who has opened the panel with its key has the focus on its title until it is filled.
    if (!this.#painted && document.activeElement === by("talk-title")) this.focus();
    this.#painted = true;
  }

  /**
   * Shows the forms that the person may use, and the rooms to which they may talk.
   * @param {import("../../web/static/page.js").Scene} scene
   */
  #allow(scene) {
    const { may } = this.talk;
    by("talk-forms").hidden = may === "nobody";
    by("talk-off").hidden = may !== "nobody";
    by("talk-own").hidden = may !== "all";
    by("talk-only").hidden = may !== "phrases";
    const seated = scene.seat !== null;
    by("talk-rooms").hidden = seated;
    const [everybody, watchers] = this.#room.options;
    everybody.disabled = !seated && !["waiting", "ended"].includes(scene.phase);
    watchers.disabled = seated;
    if (this.#room.selectedOptions[0]?.disabled ?? true) {
      this.#room.value = everybody.disabled ? "watchers" : "table";
    }
  }

  // Sayings

  /** @param {Message} said */
  #hear(said) {
    const log = this.#log;
    const own = said.person === this.talk.person;
    const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 8;
    const name = own ? this.#words.talk_you : said.name;
    const to = said.room === "watchers" ? ` ${this.#words.talk_watchers_mark}` : "";
    const at = new Date(said.at * 1000);
    const time = at.toLocaleTimeString(lang, { timeStyle: "short" });
    const line = make("div", { class: "said" }, [
      make("p", {}, [
        make("strong", {}, `${isolated(name)}${to}`),
        make("time", { datetime: at.toISOString() }, ` ${time} `),
        make("span", { dir: "auto" }, said.line),
      ]),
    ]);
    line.dataset.person = said.person;
    if (!own) line.append(this.#about(said));
    log.append(line);
    while (log.children.length > MOST) log.firstElementChild?.remove();
    by("talk-empty").hidden = true;
    this.#stand(this.#stops.at(-1));
    if (atEnd) log.scrollTop = log.scrollHeight;
  }

  /**
   * A button that opens the actions on a saying: mute, report, keep its person away.
   * @param {Message} said
   */
  #about(said) {
    const does = make("span", { class: "buttons", hidden: "" }, [
      this.#button("talk_mute", said, () => void this.#mute(said)),
      this.#button("talk_report", said, (from) => this.#begin(said, from)),
      ...(this.atTable ? [this.#button("talk_avoid", said, () => void this.#avoid(said))] : []),
    ]);
    const more = this.#button("talk_about", said, () => {
      does.hidden = !does.hidden;
      more.setAttribute("aria-expanded", String(!does.hidden));
    });
    more.setAttribute("aria-label", more.textContent ?? "");
    more.setAttribute("aria-expanded", "false");
    more.textContent = "⋯";
    more.classList.add("more");
    more.tabIndex = -1;
    return make("div", { class: "about" }, [more, does]);
  }

  // People

  /** Lists the other people of the table while that part is open. */
  async #list() {
    if (!by("talk-people-part").hasAttribute("open")) return;
    const answer = await request(at(`${this.path}/people`));
    if (!answer.ok) return;
    const others = /** @type {Other[]} */ (await answer.json());
    by("talk-alone").hidden = others.length > 0;
    keyed(
      by("talk-people"),
      others,
      ({ person }) => person,
      (other) => this.#person(other),
      (row, other) => this.#paintPerson(row, other),
    );
  }

  /** @param {Other} other */
  #person(other) {
    const turned = (this.atTable ? ["mute", "avoid"] : ["mute"]).map((does) => {
      const button = this.#button(`talk_${does}`, other, () => void this.#turn(button, other));
      button.dataset.does = does;
      return button;
    });
    const report = this.#button("talk_report", other, (from) => this.#begin(other, from));
    const befriend = this.#button("talk_befriend", other, () => void this.#befriend(befriend, other));
    befriend.dataset.asks = "";
    return make("li", {}, [
      make("strong", { dir: "auto" }, other.name),
      make("span", { class: "buttons" }, [befriend, ...turned, report]),
    ]);
  }

  /**
   * @param {HTMLElement} row
   * @param {Other} other
   */
  #paintPerson(row, other) {
    const befriend = /** @type {HTMLElement} */ (row.querySelector("[data-asks]"));
    // A button that has the focus keeps it: pressed again, it says how it stands.
    if (befriend !== document.activeElement) befriend.hidden = !other.befriends;
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll("[data-does]"))) {
      const { does } = button.dataset;
      const on = does === "mute" ? other.muted : other.avoided;
      button.dataset.on = String(on);
      setText(button, this.#named(on ? `talk_${does}_back` : `talk_${does}`, other));
    }
  }

  /**
   * Does what the button says, after which it takes that back.
   * @param {HTMLElement} button
   * @param {Other} other
   */
  async #turn({ dataset: { does = "", on } }, { person }) {
    const answer = await this.ask({ say: does, person, on: on !== "true" });
    if (answer?.ok && does === "mute" && on !== "true") this.#remove(person);
    await this.#list();
    this.#tell(answer, null);
  }

  /**
   * Asks somebody to be friends; the button then goes, once the focus has left it.
   * @param {HTMLElement} button
   * @param {Other} other
   */
  async #befriend(button, { person }) {
    const answer = await this.ask({ say: "befriend", person });
    if (answer?.ok) button.addEventListener("blur", () => void this.#list(), { once: true });
    this.#tell(answer, null);
  }

  /** @param {Message} said */
  async #avoid({ person }) {
    const answer = await this.ask({ say: "avoid", person, on: true });
    await this.#list();
    this.#tell(answer, null);
  }

  /**
   * @param {string} word
   * @param {Message | Other} said
   * @param {(button: HTMLElement) => void} run
   */
  #button(word, said, run) {
    const button = make("button", { type: "button", class: "quiet" }, this.#named(word, said));
    button.addEventListener("click", () => run(button));
    return button;
  }

  /**
   * @param {string} word
   * @param {Message | Other} said
   */
  #named(word, said) {
    return this.#words[word].replaceAll("{name}", isolated(said.name));
  }

  // The sayings have one stop of the Tab key; arrows go from one saying to the next.

  get #stops() {
    return /** @type {HTMLElement[]} */ ([...this.#log.querySelectorAll(".more")]);
  }

  /** @param {HTMLElement | undefined} stop */
  #stand(stop) {
    if (this.#log.contains(document.activeElement) && stop !== document.activeElement) return;
    for (const each of this.#stops) each.tabIndex = each === stop ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const stops = this.#stops;
    const at = stops.indexOf(/** @type {HTMLElement} */ (event.target));
    const to = at < 0 ? null : moved(event.key, at, stops.length);
    if (to === null) return;
    event.preventDefault();
    stops[to].focus();
    this.#stand(stops[to]);
  }

  // Requests

  /** @param {{text?: string, phrase?: string}} what */
  async #say(what) {
    const answer = await this.ask({ say: "speak", room: this.#room.value, ...what });
    if (answer?.ok && what.text === this.#text.value) this.#text.value = "";
    this.#tell(answer, what.text === undefined ? this.#phrase : this.#text);
  }

  /** @param {Message} said */
  async #mute(said) {
    const answer = await this.ask({ say: "mute", person: said.person, on: true });
    if (answer?.ok) {
      this.#remove(said.person);
      this.focus();
      await this.#list();
    }
    this.#tell(answer, null);
  }

  /**
   * Removes what somebody has said.
   * @param {string} person
   */
  #remove(person) {
    for (const each of [...this.#log.children]) {
      if (/** @type {HTMLElement} */ (each).dataset.person === person) each.remove();
    }
    this.#stand(this.#stops.at(-1));
  }

  /**
   * @param {Message | Other} said a saying, or a person
   * @param {HTMLElement} from
   */
  #begin(said, from) {
    this.#reported = said;
    this.#from = from;
    this.#report.reset();
    this.#report.hidden = false;
    by("talk-report-title").textContent = this.#named("talk_report_title", said);
    by("talk-report-about").textContent = this.#named("talk_report_about", said);
    by("talk-report-line").textContent = "line" in said ? said.line : "";
    by("talk-report-line").hidden = !("line" in said);
    by("talk-report-title").focus();
  }

  async #send() {
    const said = this.#reported;
    if (!said) return;
    const data = new FormData(this.#report);
    const answer = await this.ask({
      say: "report",
      person: said.person,
      sayings: "number" in said ? [said.number] : [],
      why: data.get("why"),
      note: data.get("note"),
    });
    if (answer?.ok) this.#close();
    this.#tell(answer, null);
  }

  #close() {
    this.#report.hidden = true;
    this.#reported = null;
    if (this.#from?.isConnected) this.#from.focus();
    else this.focus();
  }

  /**
   * Shows and announces the server's answer.
   * @param {Message | null} answer
   * @param {HTMLElement | null} field the field to mark if the answer is a refusal
   */
  #tell(answer, field) {
    const lines = /** @type {string[]} */ (answer?.lines ?? []);
    const place = by("talk-answer");
    place.textContent = lines.join(" ");
    place.hidden = lines.length === 0;
    place.classList.toggle("fault", answer?.ok === false);
    for (const each of [this.#text, this.#phrase]) {
      setAttribute(each, "aria-invalid", answer?.ok === false && each === field ? "true" : null);
    }
    this.talk.means.tell(lines);
  }
}
