/** Settings kept without leaving the table, and the address to give to somebody. */

/**
 * @typedef {{kept?: Record<string, any>, wrong?: Record<string, string>}} Outcome
 *   what is kept now; or what is wrong, by field; or neither, where nothing could be kept
 */

/**
 * @param {HTMLFormElement} form
 * @param {(outcome: Outcome) => void} done
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
      if (answer.status === 422) {
        done(await answer.json());
      } else if (!answer.ok) {
        done({});
      } else if (fields.get("lang") !== document.documentElement.lang) {
        location.reload();
      } else {
        done({ kept: await answer.json() });
      }
    } catch {
      done({});
    }
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
