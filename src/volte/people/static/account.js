/** Extras of an account's pages: showing typed passwords, copying and printing recovery codes. */

/**
 * @param {string} id
 * @returns {HTMLElement | null}
 */
const one = (id) => document.getElementById(id);

/** Offers a box to show typed passwords; without it they stay hidden. */
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
  // Browsers remember the values of text fields, so a password must not be in one when it is sent.
  one("account-form")?.addEventListener("submit", () => {
    for (const each of secrets) each.type = "password";
  });
}

/** Offers to print the codes, and to copy them where the browser allows that. */
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
