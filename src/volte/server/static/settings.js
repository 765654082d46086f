/** Settings kept without leaving the table, and the address to give to somebody. */

/**
 * @param {HTMLFormElement} form
 * @param {(kept: Record<string, any> | null) => void} done null where they could not be kept
 */
export function listenForSettings(form, done) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const fields = new FormData(form);
    const body = new URLSearchParams();
    for (const [name, value] of fields) body.append(name, String(value));
    try {
      const headers = { "x-volte": "1" };
      const answer = await fetch(form.action, { method: "POST", body, headers });
      if (!answer.ok) {
        done(null);
        return;
      }
    } catch {
      done(null);
      return;
    }
    if (fields.get("lang") !== document.documentElement.lang) {
      location.reload();
      return;
    }
    done({
      verbosity: String(fields.get("verbosity")),
      bot_pace: Number(fields.get("bot_pace")),
      trick_pace: Number(fields.get("trick_pace")),
      auto_forced: fields.has("auto_forced"),
      keys: fields.has("keys"),
      speech: fields.has("speech"),
    });
  });
}

/**
 * @param {HTMLElement} button
 * @param {HTMLInputElement} field
 * @param {() => void} done
 */
export function copyAddress(button, field, done) {
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // On plain HTTP there is no clipboard: the field is selected, and an older way tried.
      field.select();
      document.execCommand("copy");
      button.focus();
    }
    done();
  });
}
