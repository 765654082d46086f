/**
 * The ready phrases over the felt, for pointers: one press opens them, another says one. Keys and
 * ears have the panel; see talk.js.
 */

import { by, make, say, table } from "./page.js";

/** @typedef {import("./connection.js").Message} Message */
/** @typedef {import("./page.js").Scene} Scene */

/** Their names and lines, once they have come. @type {[string, string][]} */
let known = [];

/**
 * Shows them, or puts them away.
 * @param {Scene} scene
 * @param {import("./corner.js").Means} means
 */
export async function offer(scene, means) {
  if (known.length === 0) known = await fetched();
  if (away()) return;
  const phrases = known.map(([phrase, line]) =>
    button(line, () => {
      void speak(phrase, scene, means);
    }),
  );
  const write = button(say("talk_write"), () => means.talk.open());
  write.classList.add("write");
  const shown = means.talk.may === "all" ? [write, ...phrases] : phrases;
  const palette = make("div", { id: "phrases", class: "phrases", "aria-hidden": "true" }, shown);
  // The focus stays where the person plays from.
  palette.addEventListener("mousedown", (event) => event.preventDefault());
  by("felt").append(palette);
  document.addEventListener("pointerdown", elsewhere);
  document.addEventListener("keydown", escape);
}

/** Puts them away; whether they were there. */
function away() {
  const palette = document.getElementById("phrases");
  palette?.remove();
  document.removeEventListener("pointerdown", elsewhere);
  document.removeEventListener("keydown", escape);
  return palette !== null;
}

/** @param {Event} event */
function elsewhere({ target }) {
  if (target instanceof Element && !target.closest("#phrases, #corner")) away();
}

/** @param {KeyboardEvent} event */
function escape({ key }) {
  if (key === "Escape") away();
}

/**
 * @param {string} line
 * @param {() => void} run
 */
function button(line, run) {
  const made = make("button", { type: "button", tabindex: "-1" }, line);
  made.addEventListener("click", () => {
    away();
    run();
  });
  return made;
}

/**
 * @param {string} phrase
 * @param {Scene} scene
 * @param {import("./corner.js").Means} means
 */
async function speak(phrase, { seat, phase }, { ask, show }) {
  const free = seat !== null || phase === "waiting" || phase === "ended";
  const answer = await ask({ say: "speak", room: free ? "table" : "watchers", phrase });
  if (answer && !answer.ok) show(answer.lines, true);
}

/** From the panel, where all of it stands in the language of the person. */
async function fetched() {
  const answer = await fetch(`/tables/${table}/talk`);
  if (!answer.ok) throw new Error(String(answer.status));
  const read = new DOMParser().parseFromString(await answer.text(), "text/html");
  const options = read.querySelectorAll("#talk-phrase option");
  return [...options].map((each) => /** @type {[string, string]} */ ([
    /** @type {HTMLOptionElement} */ (each).value,
    each.textContent ?? "",
  ]));
}
