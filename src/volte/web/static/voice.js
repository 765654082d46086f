/** The page's own voice, for people without a screen reader. */

import { sentencesOf } from "./announcer.js";

/** Milliseconds after which a sentence counts as spoken, even if the browser has not said so. */
const LONGEST = 20_000;

export class Voice {
  /** Sentences not yet spoken to their end; referenced here so that none is garbage-collected. */
  /** @type {Set<SpeechSynthesisUtterance>} */
  #left = new Set();
  /** @type {number | undefined} */
  #watch;

  /**
   * @param {string} lang
   * @param {number} rate 1 is the voice's own
   * @param {() => void} done called when all has been spoken
   */
  constructor(lang, rate, done) {
    this.lang = lang;
    this.rate = rate;
    this.done = done;
  }

  /** Number of sentences not yet spoken to their end. */
  get left() {
    return this.#left.size;
  }

  /** Whether it is speaking. */
  get busy() {
    return this.left > 0;
  }

  /**
   * Speaks a text after the present one, sentence by sentence, since Chromium falls silent in the
   * middle of long texts.
   * @param {string} text
   */
  say(text) {
    if (!("speechSynthesis" in window)) return;
    window.speechSynthesis.resume(); // it may have gone to sleep
    for (const sentence of sentencesOf(text)) this.#speak(sentence);
    this.#watchOver();
  }

  /** Stops speaking at once. */
  stop() {
    this.#left.clear();
    window.clearTimeout(this.#watch);
    if ("speechSynthesis" in window) window.speechSynthesis.cancel();
  }

  /** @param {string} sentence */
  #speak(sentence) {
    const utterance = new SpeechSynthesisUtterance(sentence.trim());
    utterance.lang = this.lang;
    utterance.voice = this.#voice();
    utterance.rate = this.rate;
    const over = () => this.#over(utterance);
    utterance.addEventListener("end", over);
    utterance.addEventListener("error", over);
    this.#left.add(utterance);
    window.speechSynthesis.speak(utterance);
  }

  /**
   * A voice of the language, of its country rather than of another, and then one of this device if
   * possible: it answers sooner.
   */
  #voice() {
    const all = window.speechSynthesis.getVoices();
    /** @param {string} lang */
    const speaking = (lang) =>
      all.filter((each) => each.lang.replace("_", "-").toLowerCase().startsWith(lang.toLowerCase()));
    const own = speaking(this.lang);
    const voices = own.length > 0 ? own : speaking(this.lang.split("-")[0]);
    return voices.find((each) => each.localService) ?? voices[0] ?? null;
  }

  /** @param {SpeechSynthesisUtterance} utterance */
  #over(utterance) {
    if (!this.#left.delete(utterance)) return; // it has been silenced
    if (this.busy) this.#watchOver();
    else {
      window.clearTimeout(this.#watch);
      this.done();
    }
  }

  /** Watches for a voice that has got stuck. */
  #watchOver() {
    window.clearTimeout(this.#watch);
    this.#watch = window.setTimeout(() => {
      this.stop();
      this.done();
    }, LONGEST);
  }
}
