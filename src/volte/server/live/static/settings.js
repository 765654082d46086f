/** Settings saved without leaving the table, and the invitation to it. */

import { at, by, fill, settings } from "../../../web/static/page.js";

/**
 * @typedef {{kept?: Record<string, any>, wrong?: Record<string, string>}} Outcome
 *   the settings saved; or the faults, by field; or neither, if nothing could be saved
 */

/**
 * The form, in its place.
 * @param {(outcome: Outcome) => void} done
 * @returns {Promise<import("../../../web/static/page.js").Part>}
 */
export async function begun(done) {
  const cues = import("../../../web/static/cues.js");
  await fill("settings", at("/me/form"));
  const measuring = import("../../../web/static/measuring.js");
  // The form works without them.
  for (const each of [cues, measuring]) each.then(({ offer }) => offer()).catch(() => {});
  const form = /** @type {HTMLFormElement} */ (by("settings-form"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const fields = new FormData(form);
    const body = new URLSearchParams();
    for (const [name, value] of fields) body.append(name, String(value));
    try {
      const headers = { "x-volte": "1" };
      const answer = await fetch(form.action, { method: "POST", body, headers });
      if (answer.status === 422 || answer.status === 409) {
        const problem = await answer.json();
        shows(problem.stored ?? {});
        done(problem);
      } else if (!answer.ok) {
        done({});
      } else if (fields.get("lang") !== document.documentElement.lang) {
        location.reload();
      } else {
        const boxes = [...form.querySelectorAll("input[type=checkbox]")];
        const unchecked = boxes.map((box) => [/** @type {HTMLInputElement} */ (box).name, ""]);
        shows(Object.fromEntries([...unchecked, ...fields]));
        done({ kept: await answer.json() });
      }
    } catch {
      done({});
    }
  });
  return {};
}

/**
 * Notes the stored texts as those that the form shows, so that only later changes are sent as
 * changes.
 * @param {Record<string, any>} texts by field
 */
export function shows(texts) {
  const field = document.querySelector("#settings-form [name=shown]");
  if (!(field instanceof HTMLInputElement)) return;
  const shown = JSON.parse(field.value);
  for (const name of Object.keys(shown)) shown[name] = texts[name] ?? shown[name];
  field.value = JSON.stringify(shown);
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
  const answer = await fetch(at(`/me/${place}`), { method: "POST", body });
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
