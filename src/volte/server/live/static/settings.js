/** Settings chosen without leaving the table, and the invitation to it. */

import { alone, at, by, fill, request, say, setText, settings } from "../../../web/static/page.js";

/**
 * @typedef {{kept?: Record<string, any>, wrong?: Record<string, string>, quiet?: boolean}} Outcome
 *   the settings saved; or the faults, by field; or neither, if nothing could be saved. `quiet`:
 *   success need not be told
 * @typedef {HTMLInputElement | HTMLSelectElement} Control
 */

/** Milliseconds after which settings that hold at once are saved: arrows go through several. */
const SAVED = 400;
/** Milliseconds after the last letter of a search until its result is told. */
const TOLD = 600;

/**
 * The form, in its place.
 * @param {(outcome: Outcome) => void} done
 * @param {(line: string) => void} tell
 * @returns {Promise<import("../../../web/static/page.js").Part>}
 */
export async function begun(done, tell) {
  const cues = import("../../../web/static/cues.js");
  await fill("settings", at("/me/form"));
  const measuring = import("../../../web/static/measuring.js");
  // The form works without them.
  for (const each of [cues, measuring]) each.then(({ offer }) => offer()).catch(() => {});
  const form = /** @type {HTMLFormElement} */ (by("settings-form"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = new FormData(form);
    const boxes = [...form.querySelectorAll("input[type=checkbox]")];
    const unchecked = boxes.map((box) => [/** @type {Control} */ (box).name, ""]);
    void save(form, fields, Object.fromEntries([...unchecked, ...fields]), done);
  });
  by("settings-quick").addEventListener("change", holdAtOnce(form, done));
  form.addEventListener("input", ({ target }) => {
    const waits = target instanceof Element && !target.closest("#settings-quick, .search");
    if (waits) form.dataset.changed = ""; // the button to save stays in sight
  });
  by("search").addEventListener("input", searched(form, tell));
  by("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault(); // it is no field of the form
  });
  return {};
}

/**
 * @param {HTMLFormElement} form
 * @param {FormData} fields those to be sent
 * @param {Record<string, any>} texts by field, those that the form shows from then on
 * @param {(outcome: Outcome) => void} done
 * @param {boolean} [quiet]
 */
async function save(form, fields, texts, done, quiet = false) {
  const body = new URLSearchParams();
  for (const [name, value] of fields) body.append(name, String(value));
  try {
    const headers = { "x-volte": "1" };
    const answer = await request(form.action, { method: "POST", body, headers });
    if (answer.status === 422 || answer.status === 409) {
      const problem = await answer.json();
      shows(problem.stored ?? {});
      done(problem);
    } else if (!answer.ok) {
      done({});
    } else if (fields.has("lang") && fields.get("lang") !== document.documentElement.lang) {
      speak(String(fields.get("lang")));
    } else {
      const kept = await answer.json();
      if (!quiet) delete form.dataset.changed;
      shows(texts);
      for (const each of form.querySelectorAll("[name=pace]")) {
        const radio = /** @type {HTMLInputElement} */ (each);
        radio.checked = radio.value === `${kept.bot_pace} ${kept.trick_pace}`;
      }
      done({ kept: quiet ? {} : kept, quiet }); // what is chosen meanwhile holds already
    }
  } catch {
    done({});
  }
}

/**
 * Loads the page again in another language.
 * @param {string} lang
 */
function speak(lang) {
  const here = document.documentElement.lang;
  if (!alone) location.reload();
  else location.href = location.href.replace(`${alone.base}/${here}/`, `${alone.base}/${lang}/`);
}

/**
 * Applies settings as soon as they are chosen, and saves them soon after.
 * @param {HTMLFormElement} form
 * @param {(outcome: Outcome) => void} done
 */
function holdAtOnce(form, done) {
  /** The texts that are not saved yet. @type {Record<string, string>} */
  let unsaved = {};
  let soon = 0;
  const keep = () => {
    const texts = unsaved;
    unsaved = {};
    const before = shown();
    const told = Object.fromEntries(Object.keys(texts).map((name) => [name, before[name]]));
    const fields = new FormData();
    fields.set("csrf", String(new FormData(form).get("csrf")));
    fields.set("shown", JSON.stringify(told));
    for (const [name, text] of Object.entries(texts)) if (text !== "") fields.set(name, text);
    void save(form, fields, texts, done, true);
  };
  return (/** @type {Event} */ { target }) => {
    const { name, type, value, checked } = /** @type {HTMLInputElement} */ (target);
    const [bot_pace, trick_pace] = value.split(" ").map(Number);
    /** @type {Record<string, any>} */
    const chosen =
      name === "pace" ? { bot_pace, trick_pace } : { [name]: type === "checkbox" ? checked : value };
    for (const [each, now] of Object.entries(chosen)) {
      unsaved[each] = now === true ? "on" : now === false ? "" : String(now);
      if (name === "pace") /** @type {Control} */ (by(each)).value = unsaved[each];
    }
    done({ kept: chosen, quiet: true });
    window.clearTimeout(soon);
    soon = window.setTimeout(keep, SAVED);
  };
}

/**
 * Hides the settings in which none of the words that are searched for occurs, and tells how many
 * are left.
 * @param {HTMLFormElement} form
 * @param {(line: string) => void} tell
 */
function searched(form, tell) {
  let soon = 0;
  return (/** @type {Event} */ { target }) => {
    const words = plain(/** @type {HTMLInputElement} */ (target).value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const group of form.querySelectorAll(":scope > fieldset")) {
      const heading = plain(group.querySelector("legend")?.textContent ?? "");
      const fields = /** @type {HTMLElement[]} */ ([
        ...group.querySelectorAll(":scope > :is(.field, fieldset, details)"),
      ]);
      for (const each of fields) {
        const text = `${heading} ${plain(each.textContent ?? "")}`;
        each.hidden = !words.every((word) => text.includes(word));
        if (!each.hidden) count += 1;
      }
      /** @type {HTMLElement} */ (group).hidden = fields.every(({ hidden }) => hidden);
    }
    const found = words.length > 0 ? say("settings_found", { count }) : "";
    setText(by("found"), found);
    by("found").hidden = found === "";
    window.clearTimeout(soon);
    if (found) soon = window.setTimeout(() => tell(found), TOLD);
  };
}

/**
 * A text for comparison, without capitals and accents.
 * @param {string} text
 */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The texts that the form showed at first, or has saved since, by field. */
function shown() {
  const field = document.querySelector("#settings-form [name=shown]");
  return field instanceof HTMLInputElement ? JSON.parse(field.value) : {};
}

/**
 * Notes the stored texts as those that the form shows, so that only later changes are sent as
 * changes.
 * @param {Record<string, any>} texts by field
 */
export function shows(texts) {
  const field = document.querySelector("#settings-form [name=shown]");
  if (!(field instanceof HTMLInputElement)) return;
  const before = shown();
  for (const name of Object.keys(before)) before[name] = texts[name] ?? before[name];
  field.value = JSON.stringify(before);
}

/**
 * Saves settings that were changed elsewhere than in the form, and shows them there. Throws if they
 * cannot be saved.
 * @param {"verbosity" | "reader_rate"} place
 * @param {readonly string[]} names
 */
export async function keep(place, names) {
  const csrf = document.querySelector("input[name=csrf]")?.getAttribute("value") ?? "";
  /** @type {Record<string, string>} */
  const texts = {};
  for (const name of names) {
    const value = settings[name];
    texts[name] = value === true ? "on" : String(value || "");
    const field = document.querySelector(`#settings-form [name=${name}]`);
    if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = value;
    else if (field instanceof HTMLSelectElement || field instanceof HTMLInputElement) {
      field.value = texts[name];
    }
  }
  const body = new URLSearchParams({ csrf, ...texts });
  const answer = await request(at(`/me/${place}`), { method: "POST", body });
  if (!answer.ok) throw new Error(String(answer.status));
  shows(texts);
}

/**
 * Handles a button of the invitation: opens a private table and focuses its address, or copies
 * the address, or lets the device share it.
 * @param {EventTarget | null} button
 * @param {() => Promise<import("./connection.js").Message | null>} open
 * @param {() => void} copied
 */
export async function pressed(button, open, copied) {
  const field = /** @type {HTMLInputElement} */ (by("address"));
  if (button === by("invite")) {
    const answer = await open();
    if (!answer?.ok) return;
    by("uninvited").hidden = true;
    by("inviting").hidden = false;
    field.focus();
  } else if (button === by("share")) {
    // The person may change their mind.
    await navigator.share({ title: document.title, url: field.value }).catch(() => {});
  } else if (button === by("copy")) {
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // On plain HTTP there is no clipboard: the field is selected, and an older way tried.
      field.select();
      document.execCommand("copy");
      by("copy").focus();
    }
    copied();
  }
}
