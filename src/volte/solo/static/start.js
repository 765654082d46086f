/**
 * The start of Python in this browser, for eyes and ears: how far it is, when it is there, and what
 * to do where it fails; and the answers that the worker cannot give alone.
 */

import { alone, at, by, filled, lang, make, parsed, setText, settings } from "../../web/static/page.js";
import { lasting } from "../../web/static/storage.js";

/** Milliseconds of a start that nobody is told about. */
const SHORT = 800;
/** Milliseconds after which ears hear that half of it is there. */
const LONG = 4000;
/** Milliseconds without a message after which it is said what to do. */
const TOO_LONG = 20_000;

const box = by("start");
/** @type {Record<string, string>} */
const words = JSON.parse(box.dataset.words ?? "{}");
/** The door to the worker: `alone`, once line.js has completed it. @type {any} */
const door = alone;

/** Sentences that are told while the table stands, by the name of the message. */
const NEWS = ["unkept", "full", "room", "aside"];

/**
 * Attends to the start, from now on. Returns two functions: `say` shows and tells a sentence in place
 * of the start, with ways on; `done` takes it away again.
 * @param {{tell: (line: string) => void, show: (line: string) => void, home: () => void,
 *   settle: (settings: Record<string, any>) => void, stays?: boolean}} means `tell`: for ears; `show`:
 *   for eyes too; `home`: takes the focus when what had it is gone; `settle`: takes the stored
 *   settings; `stays`: whether the start is not over once Python runs, but by `done`
 */
export function attend({ tell, show, home, settle, stays = false }) {
  const began = performance.now();
  const long = () => performance.now() - began;
  let half = false;
  /** Whether the start is over, and whether it has failed. */
  let over = false;
  let lost = false;
  /** Whether another window has the matches: its sentence stands until they are here. */
  let waits = false;
  const short = window.setTimeout(() => tell(words.loading), SHORT);
  let patience = 0;

  /**
   * Says what has happened in place of the start, and offers ways on.
   * @param {string} sentence
   * @param {HTMLElement[]} [ways]
   */
  function say(sentence, ways = []) {
    window.clearTimeout(short);
    window.clearTimeout(patience);
    setText(by("start-told"), sentence);
    by("start-done").hidden = true;
    offer(ways);
    box.hidden = false;
    tell(sentence);
  }

  /** @param {HTMLElement[]} ways */
  function offer(ways) {
    const held = by("start-buttons").contains(document.activeElement);
    by("start-buttons").replaceChildren(...ways);
    by("start-buttons").hidden = ways.length === 0;
    if (held) home();
  }

  /** Takes the start away. */
  function done() {
    over = true;
    window.clearTimeout(short);
    window.clearTimeout(patience);
    offer([]);
    box.hidden = true;
  }

  /** @param {{done: number, all: number}} progress in bytes */
  function paint({ done: there, all }) {
    const whole = there >= all;
    const bar = /** @type {HTMLProgressElement} */ (by("start-done"));
    if (whole) bar.removeAttribute("value"); // Python begins, who knows how long
    else bar.value = there / all;
    const share = (there / all).toLocaleString(lang, { style: "percent" });
    setText(by("start-told"), whole ? words.starting : filled(words.loaded, { share }));
    if (!half && !whole && there * 2 >= all && long() > LONG) tell(words.half);
    half ||= there * 2 >= all;
  }

  /** @param {string} reason for which the worker is over */
  function fail(reason) {
    over = lost = true;
    box.classList.remove("saved");
    say(words[reason], reason === "barred" ? [] : [again()]);
  }

  function wait() {
    window.clearTimeout(patience);
    patience = window.setTimeout(() => {
      setText(by("start-why"), words.slow);
      by("start-why").hidden = false;
      offer([again()]);
      tell(words.slow);
    }, TOO_LONG);
  }

  door.farewell = words.taken_over;
  door.listen((/** @type {Record<string, any>} */ { progress, ready, failed, told, count, text }) => {
    if (!over) wait();
    if (progress && !over && !waits) paint(progress);
    if (told === "elsewhere" || told === "here") waits = told === "elsewhere";
    if (ready) {
      if (!stays) done();
      void stored().then((kept) => {
        if (Object.keys(kept).some((name) => kept[name] !== settings[name])) settle(kept);
      });
    }
    if (failed === "taken_over" && door.table) done(); // the line tells it
    else if (failed) fail(failed);
    if (NEWS.includes(told)) show(filled(words[told], { count }));
    if (told === "refused" && !lost) say(text || words.refused, [first()]);
    if (told === "elsewhere") say(words.elsewhere, [takeOver()]);
    if (told === "here") {
      setText(by("start-told"), words.starting);
      offer([]);
    }
  });
  wait();
  return { say, done };
}

export const again = () => make("a", { class: "button", href: "" }, words.again);
export const first = () => make("a", { class: "button", href: at(`/${lang}/`) }, words.first);

function takeOver() {
  const button = make("button", { type: "button", class: "first" }, words.take_over);
  button.addEventListener("click", () => door.takeOver());
  return button;
}

// Answers that the worker cannot give alone

/** @type {typeof fetch} */
const ask = door.request;

door.request = async (/** @type {string} */ address, /** @type {RequestInit} */ init = {}) => {
  if (address === at("/me/form")) return settingsForm();
  const answer = await ask(address, init);
  if (init.method === "POST" && answer.ok) void stored();
  return answer;
};

/** The person's settings as they are stored now; pages know them from then on before Python runs. */
async function stored() {
  const answer = await ask(at("/me"));
  if (!answer.ok) return settings;
  const text = await answer.text();
  lasting.set("volte settings", text);
  return JSON.parse(text);
}

/** The form of the settings, which lies on the host, with the person's own filled in. */
async function settingsForm() {
  const [page, texts] = await Promise.all([
    fetch(at(`/${lang}/settings.html`)).then((answer) => answer.text()),
    ask(at("/me/form")).then((answer) => answer.json()),
  ]);
  const form = document.createElement("div");
  form.append(...parsed(page));
  for (const field of form.querySelectorAll("[name]")) {
    const text = texts[/** @type {HTMLInputElement} */ (field).name];
    if (text === undefined) continue;
    if (field instanceof HTMLSelectElement) {
      for (const each of field.options) each.toggleAttribute("selected", each.value === text);
    } else if (field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type)) {
      field.toggleAttribute("checked", field.value === text);
    } else {
      field.setAttribute("value", text);
    }
  }
  const written = [...form.childNodes].map((each) => new XMLSerializer().serializeToString(each));
  return new Response(written.join(""), { headers: { "content-type": "text/html" } });
}
