/**
 * The first page of a site without a server: the form remembers the last game, and the matches that
 * the browser keeps are listed before Python runs. It is loaded only to delete a match, or to write
 * or read a file of them.
 */

import "../../server/live/static/game.js";
import { askOnceMore } from "../../web/static/dialog.js";
import { alone, at, by, filled, make, saveFile, setText } from "../../web/static/page.js";
import { lasting, ofTab } from "../../web/static/storage.js";
import { listings } from "./keeping.js";

/** @typedef {{name: string, total: number}} Seat */
/**
 * A kept table; see `Listing` and `TableSummary`.
 * @typedef {{table: string, state: string, updated: number, summary: {preset: string,
 *   changes: Record<string, unknown>, seats: Seat[], deal: number, totals: boolean,
 *   board?: string}}} Kept
 */

const { lang } = document.documentElement;
/** @type {Record<string, string>} */
const words = JSON.parse(by("kept").dataset.words ?? "{}");
/** Digits of a match's id. */
const DIGITS = 20;
/** States of what is listed on pages of its own: score sheets, and records that were opened. */
const ELSEWHERE = (by("kept").dataset.elsewhere ?? "").split(" ");
/** Options that a deal by a link always changes. */
const OF_ONE_DEAL = ["match_end", "pass_cycle"];
/** The most bytes of a file that is read. */
const MOST = 10_000_000;

// The form

const form = /** @type {HTMLFormElement} */ (by("play"));
const FIELDS = ["preset", "players", "level", "name"];

/** Draws an id for the next match; going back to this page draws another. */
function draw() {
  const bytes = crypto.getRandomValues(new Uint8Array(DIGITS / 2));
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0"));
  /** @type {HTMLInputElement} */ (by("match")).value = digits.join("");
}

/** Fills in the game that was played last, or that the address asks for; no name from elsewhere. */
function recall() {
  const { name: _, ...asked } = Object.fromEntries(new URLSearchParams(location.search));
  /** @type {Record<string, string>} */
  const game = { ...lasting.value("volte game", {}), ...asked };
  for (const name of FIELDS) {
    const field = /** @type {HTMLInputElement | HTMLSelectElement} */ (by(name));
    const fits = field instanceof HTMLInputElement || [...field.options].some(({ value }) => value === game[name]);
    if (game[name] !== undefined && fits) field.value = game[name];
  }
  by("preset").dispatchEvent(new Event("change")); // game.js names the game
}

form.addEventListener("formdata", ({ formData }) => {
  const game = Object.fromEntries([...formData].filter(([name]) => FIELDS.includes(name)));
  lasting.set("volte game", JSON.stringify(game));
  // The table takes it from there: the address may be anybody's.
  if (ofTab.set("volte name", String(game.name))) formData.delete("name");
});

// What is kept

const written = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" });
const listed = new Intl.ListFormat(lang, { style: "short", type: "unit" });

// Readers would read it out while it is empty, and have to know it before it says something.
for (const kind of ["focusin", "click", "change"]) {
  by("kept").addEventListener(kind, () => (by("kept-told").hidden = false));
}

/** @param {string} sentence */
const tell = (sentence) => setText(by("kept-told"), sentence);

/**
 * A match that is kept, as an item of the list.
 * @param {Kept} kept
 */
function item({ table, state, updated, summary }) {
  const { preset, changes, seats, deal, totals, board } = summary;
  const copy = /** @type {HTMLTemplateElement} */ (by("kept-match")).content.cloneNode(true);
  const all = /** @type {DocumentFragment} */ (copy);
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (all.querySelector(name));
  const titled = [.../** @type {HTMLSelectElement} */ (by("preset")).options].find(
    ({ value }) => value === preset,
  );
  const named = titled?.text ?? preset;
  const usual = board ? ["players", ...OF_ONE_DEAL] : ["players"];
  const own = Object.keys(changes).every((name) => usual.includes(name));
  const rules = own ? named : filled(words.changed, { rules: named });
  const match = filled(words.match_of, { rules, date: written.format(updated * 1000) });
  const players = seats
    .filter(({ name }) => name !== "")
    .map(({ name, total }) => (totals ? filled(words.scored, { name, points: total }) : name));
  const over = state === "waiting" && totals;
  const begun = filled(words.deal, { number: Math.max(1, deal) });
  setText(part("h3"), match);
  setText(part("[data-fact=players]"), listed.format(players));
  setText(part("[data-fact=state]"), over ? words.over : state === "waiting" ? words.waiting : begun);
  const link = /** @type {HTMLAnchorElement} */ (part("a"));
  link.href = `${form.action}?match=${encodeURIComponent(table)}`;
  link.setAttribute("aria-label", filled(words.go_on, { match }));
  const button = part("button");
  button.setAttribute("aria-label", filled(words.delete, { match }));
  button.addEventListener("click", () => sure(table, match));
  return all;
}

async function paint() {
  const all = /** @type {Kept[]} */ (await listings());
  const kept = all.filter(({ state }) => !ELSEWHERE.includes(state));
  const items = kept.flatMap((each) => {
    try {
      return [item(each)];
    } catch (error) {
      console.error(error); // its line is damaged
      return [];
    }
  });
  by("kept-list").replaceChildren(...items);
  if (items.length < kept.length) tell(filled(words.aside, { count: kept.length - items.length }));
  by("kept-none").hidden = kept.length > 0;
  by("save-all").hidden = all.length === 0;
  by("kept").hidden = false;
}

/**
 * Asks whether a match is to be deleted, and deletes it.
 * @param {string} table
 * @param {string} match its name
 */
function sure(table, match) {
  const about = filled(words.delete_about, { match });
  const answers = { yes: words.delete_yes, no: words.delete_no };
  askOnceMore({ title: words.delete_title, about, ...answers }, async () => {
    const answer = await ask(`/tables/${table}/delete`, { method: "POST" });
    if (!answer) return;
    await paint();
    head();
    tell(words.deleted);
  });
}

/** Puts the focus on the heading of the matches; readers would always call it clickable. */
function head() {
  by("kept-title").tabIndex = -1;
  by("kept-title").focus();
}

// The worker

/** The door to the worker: `alone`, once line.js has completed it. @type {any} */
const door = alone;
/** Settles once the worker runs; false where it cannot. @type {Promise<boolean> | null} */
let running = null;

async function started() {
  await import("./line.js");
  return new Promise((/** @type {(runs: boolean) => void} */ resolve) => {
    door.listen((/** @type {Record<string, any>} */ { ready, failed, told, count }) => {
      if (ready) resolve(true);
      if (failed) resolve(false);
      if (failed || told === "aside" || told === "full") tell(filled(words[failed ?? told], { count }));
      if (told === "elsewhere") takeOver();
    });
  });
}

/** Offers to go on here while another tab has the matches. */
function takeOver() {
  tell(words.elsewhere);
  const button = make("button", { type: "button" }, words.take_over);
  button.addEventListener("click", () => {
    head();
    tell(words.wait);
    door.takeOver();
  });
  by("kept-told").append(" ", button);
}

/**
 * The worker's answer to a request; null where there is none, which is told then.
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<any>}
 */
async function ask(path, init) {
  tell(words.wait);
  running ??= started().catch(() => false);
  if (!(await running)) {
    if (by("kept-told").textContent === words.wait) tell(words.unreachable);
    return null;
  }
  const answer = await door.request(at(path), init);
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text || "{}");
  tell(answer.status === 422 ? text : words.failed);
  return null;
}

async function saveAll() {
  const answer = await ask("/kept");
  if (!answer) return;
  const name = `volte-${new Date().toISOString().slice(0, 10)}.matches`;
  const bytes = Uint8Array.from(atob(answer.file), (sign) => sign.charCodeAt(0));
  saveFile(name, new Blob([bytes]));
  tell(filled(answer.left ? words.saved_part : words.saved, { name, count: answer.left }));
}

/**
 * The bytes of a file in Base64, made beside the page; empty if they cannot be read.
 * @param {File} file
 * @returns {Promise<string>}
 */
function inBase64(file) {
  const reader = new FileReader();
  return new Promise((resolve) => {
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => resolve("");
    reader.readAsDataURL(file);
  });
}

/** @param {File} file */
async function takeIn(file) {
  const text = file.size > MOST ? "" : await inBase64(file);
  if (text === "") return tell(words.unreadable);
  const send = (/** @type {string} */ sure) =>
    ask("/kept", { method: "POST", body: new URLSearchParams({ file: text, sure }) });
  const found = await send("");
  if (!found) return;
  if (found.fresh === 0) return tell(filled(words.nothing_new, found));
  tell("");
  const answers = { yes: words.import_yes, no: words.import_no };
  askOnceMore({ title: words.import_title, about: filled(words.import_about, found), ...answers }, async () => {
    const done = await send("yes");
    if (!done) return;
    await paint();
    head();
    tell(filled(words.imported, done));
  });
}

const file = /** @type {HTMLInputElement} */ (by("kept-file"));
by("save-all").addEventListener("click", () => void saveAll());
by("take-in").addEventListener("click", () => file.click());
file.addEventListener("change", () => {
  if (file.files?.[0]) void takeIn(file.files[0]);
  file.value = "";
});
window.addEventListener("pageshow", () => {
  draw();
  void paint();
});
recall();
