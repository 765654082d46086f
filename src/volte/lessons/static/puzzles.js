/** The list of all puzzles: marks the solved ones. */

import { by, make, onPage } from "../../web/static/page.js";
import { solved } from "./solved.js";

export function start() {
  const mark = by("puzzles").dataset.done ?? "";
  const done = solved();
  for (const link of by("puzzles").querySelectorAll("a")) {
    if (!done.has(Number(link.dataset.number))) continue;
    link.classList.add("done");
    link.append(make("span", { class: "hidden" }, ` (${mark})`));
  }
}

onPage(start);
