/** What is said to ears: through the one live region, and aloud where somebody wants that. */

/** Milliseconds between two writes: of several within one task, only the last is spoken. */
const APART = 400;
const NO_BREAK_SPACE = "\u00a0";

export class Announcer {
  /** @type {string[]} */
  #waiting = [];
  #last = "";
  /** @type {number | undefined} */
  #timer;
  #written = -Infinity;

  /**
   * @param {HTMLElement} region polite, and empty when the page was loaded
   * @param {string} lang
   */
  constructor(region, lang) {
    this.region = region;
    this.lang = lang;
    this.aloud = false;
  }

  /**
   * Says lines after what is being said; what comes close together becomes one message.
   * @param {readonly string[]} lines
   */
  say(lines) {
    this.#waiting.push(...lines.filter((line) => line !== ""));
    if (this.#waiting.length === 0 || this.#timer !== undefined) return;
    const wait = Math.max(0, this.#written + APART - performance.now());
    this.#timer = window.setTimeout(() => this.#write(false), wait);
  }

  /**
   * Answers a key: what was waiting is old by then, but not lost.
   * @param {readonly string[]} lines
   */
  answer(lines) {
    this.#waiting = [...lines.filter((line) => line !== ""), ...this.#waiting];
    if (this.#waiting.length > 0) this.#write(true);
  }

  /** @param {boolean} cut */
  #write(cut) {
    window.clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#waiting.map(ended).join(" ");
    this.#waiting = [];
    this.#written = performance.now();
    // What is there already would not be spoken again.
    this.#last = text === this.#last ? text + NO_BREAK_SPACE : text;
    this.region.textContent = this.#last;
    if (this.aloud) this.#speak(text, cut);
  }

  /**
   * @param {string} text
   * @param {boolean} cut
   */
  #speak(text, cut) {
    if (!("speechSynthesis" in window)) return;
    if (cut) window.speechSynthesis.cancel();
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = this.lang;
    window.speechSynthesis.speak(utterance);
  }
}

/**
 * With a stop at its end, for a pause before the next.
 * @param {string} line
 */
function ended(line) {
  return /[.!?…:;]$/.test(line) ? line : `${line}.`;
}
