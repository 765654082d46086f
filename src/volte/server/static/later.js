/** Parts of the page that are loaded when they are first needed, so that the table is there soon. */

import { by } from "./dom.js";

/** @typedef {import("./page.js").News} News */
/** @typedef {import("./page.js").Part} Part */
/** @typedef {import("./page.js").Scene} Scene */

export class Later {
  /** What it has not seen yet, since the match began. @type {News[]} */
  #missed = [];
  /** @type {Scene | null} */
  #scene = null;
  /** @type {Part | null} */
  #part = null;
  #loading = false;

  /**
   * @param {() => Promise<Part>} load
   * @param {(scene: Scene) => boolean} needed
   */
  constructor(load, needed) {
    this.load = load;
    this.needed = needed;
  }

  /** @param {News} news */
  see(news) {
    if (news.happening.event === "MatchStarted") this.#missed = [];
    if (this.#part) this.#part.see?.(news);
    else this.#missed.push(news);
  }

  /** @param {Scene} scene */
  paint(scene) {
    this.#scene = scene;
    if (this.#part) this.#part.paint?.(scene);
    else void this.wake();
  }

  suit() {
    this.#part?.suit?.();
  }

  /** Loads the part if it is needed by now. Where that fails, the next time will do. */
  async wake() {
    if (this.#part || this.#loading || !this.#scene || !this.needed(this.#scene)) return;
    this.#loading = true;
    try {
      this.#part = await this.load();
      for (const news of this.#missed.splice(0)) this.#part.see?.({ ...news, fresh: false });
      this.#part.suit?.();
      this.#part.paint?.(this.#scene);
    } catch {
      this.#part = null;
    }
    this.#loading = false;
  }
}

/**
 * What is needed once those details are open.
 * @param {string} id
 * @param {() => Promise<Part>} load
 */
export function onceOpen(id, load) {
  const later = new Later(load, () => by(id).hasAttribute("open"));
  by(id).addEventListener("toggle", () => void later.wake());
  return later;
}

/**
 * Puts what the server writes at that address into an element. Throws where there is no answer.
 * @param {string} id
 * @param {string} address
 */
export async function fill(id, address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  const read = new DOMParser().parseFromString(await answer.text(), "text/html");
  by(id).replaceChildren(...read.body.childNodes);
}

/**
 * Links a style sheet that nothing needed before, unless it is joined in one that is linked.
 * @param {string} name without its ending
 */
export function dress(name) {
  if (document.querySelector(`link[data-parts~="${name}"]`)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(`${name}.css`, import.meta.url).pathname;
  link.dataset.parts = name;
  document.head.append(link);
}
