/** A voice of the page's own, for those who use no screen reader. */

/** Milliseconds after which a sentence counts as spoken, whatever the browser says of it. */
const LONGEST = 20_000;

export class Voice {
  /** Sentences that have not been spoken to their end, kept so that none is swept away before. */
  /** @type {Set<SpeechSynthesisUtterance>} */
  #left = new Set();
  /** @type {number | undefined} */
  #watch;

  /**
   * @param {string} lang
   * @param {number} rate 1 is as fast as it speaks by itself
   * @param {() => void} done called when all has been spoken
   */
  constructor(lang, rate, done) {
    this.lang = lang;
    this.rate = rate;
    this.done = done;
  }

  /** Whether it is speaking. */
  get busy() {
    return this.#left.size > 0;
  }

  /**
   * Speaks after what it is speaking: sentence by sentence, since Chromium falls silent in the
   * middle of long ones.
   * @param {string} text
   */
  say(text) {
    if (!("speechSynthesis" in window)) return;
    window.speechSynthesis.resume(); // it may have gone to sleep
    for (const sentence of text.match(/.+?(?:[.!?…]+(?=\s|$)|$)/g) ?? []) this.#speak(sentence);
    this.#watchOver();
  }

  /** Is silent at once. */
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

  /** A voice of the language, of this device if there is one: it answers sooner. */
  #voice() {
    const voices = window.speechSynthesis
      .getVoices()
      .filter((each) => each.lang.toLowerCase().startsWith(this.lang));
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

  /** A voice that has got stuck is not waited for. */
  #watchOver() {
    window.clearTimeout(this.#watch);
    this.#watch = window.setTimeout(() => {
      this.stop();
      this.done();
    }, LONGEST);
  }
}
