/** The proof of the deals, as the page works it out. Evaluates to an object of functions. */
({
  /** The cards, shuffled by the page. */
  async shuffled([secret, shares, label, cards]) {
    const { shuffle } = await import("/static/history/static/chances.js");
    return shuffle(cards, { secret, shares: new Map(shares) }, label);
  },

  /** Faults that the page finds in a deal of a log. */
  async found([log, place]) {
    const { check, readLog } = await import("/static/history/static/chances.js");
    const { chances, rules, given } = readLog(log);
    return check(chances[place], chances[place - 1] ?? null, rules, given)
      .filter((each) => !each.right).map((each) => each.what);
  },

  /** SHA-256 digests of messages, by the page. */
  async digests(messages) {
    const { sha256, base64, fromBase64 } = await import('/static/web/static/shares.js');
    return messages.map((each) => base64(sha256(fromBase64(each))));
  },

  /** The promise of some bytes. */
  async promise([number, seat, data]) {
    const { promised, base64, fromBase64 } = await import('/static/web/static/shares.js');
    return base64(promised(number, seat, fromBase64(data)));
  },
})
