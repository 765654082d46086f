/** What the pages of an account do more than without a script: passwords shown, codes copied. */

/**
 * @param {string} id
 * @returns {HTMLElement | null}
 */
const one = (id) => document.getElementById(id);

/** Lets somebody see what they type; for those who do not ask, it stays hidden. */
function revealing() {
  const line = one("reveal");
  const box = one("revealed");
  if (line === null || !(box instanceof HTMLInputElement)) return;
  /** @type {NodeListOf<HTMLInputElement>} */
  const secrets = document.querySelectorAll("#account-form input[type=password]");
  box.checked = false;
  line.hidden = false;
  box.addEventListener("change", () => {
    for (const each of secrets) each.type = box.checked ? "text" : "password";
  });
  // Browsers keep what was typed into a text: never a password.
  one("account-form")?.addEventListener("submit", () => {
    for (const each of secrets) each.type = "password";
  });
}

/** Copies the codes where the browser lets a page do that, and prints them. */
function keeping() {
  const codes = one("codes");
  const copy = one("copy");
  const print = one("print");
  if (codes === null || copy === null || print === null) return;
  print.hidden = false;
  print.addEventListener("click", () => window.print());
  if (!navigator.clipboard) return; // over plain HTTP there is none
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    const told = [...codes.querySelectorAll("code")].map((each) => each.textContent).join("\n");
    await navigator.clipboard.writeText(told);
    const said = one("said");
    if (said) said.textContent = copy.dataset.said ?? "";
  });
}

revealing();
keeping();
