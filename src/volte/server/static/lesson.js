/** An answer in the lesson, judged without leaving the page: what came of it is said at once. */

import { by } from "./dom.js";

const live = by("live");

/** What is told of a wrong answer, and of a right one, in the order in which it is read. */
const WRONG = ["#correction p"];
const RIGHT = ["#came p", "#question > p", "#ask"];

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.method !== "get") return;
  event.preventDefault();
  const address = new URL(form.action);
  for (const [name, value] of new FormData(form, event.submitter)) {
    address.searchParams.append(name, String(value));
  }
  show(address.href, event.submitter?.id ?? "");
});

window.addEventListener("popstate", () => location.reload());

/**
 * @param {string} address
 * @param {string} pressed id of the button
 */
async function show(address, pressed) {
  let page;
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.statusText);
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    location.assign(address);
    return;
  }
  const came = page.getElementById("lesson");
  if (!came) return;
  const asked = by("lesson").querySelector("#ask")?.textContent;
  by("lesson").replaceChildren(...came.childNodes);
  history.pushState(null, "", address);
  const again = asked === document.getElementById("ask")?.textContent;
  focus(again ? pressed : "");
  tell(again ? WRONG : RIGHT);
}

/**
 * Where somebody was, or where it goes on.
 * @param {string} id
 */
function focus(id) {
  const places = [id && `#${id}`, "#next", ".held [name=card]"].filter(Boolean);
  for (const place of places) {
    const found = document.querySelector(place);
    if (found instanceof HTMLElement) {
      found.focus();
      return;
    }
  }
}

/**
 * One sentence, one write; a blank more, so that the same again is spoken again.
 * @param {string[]} places
 */
function tell(places) {
  const lines = places.flatMap((place) => [...document.querySelectorAll(place)]);
  const text = lines.map((line) => line.textContent?.trim()).join(" ");
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}
