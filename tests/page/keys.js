/** Keys, and the questions that they ask. Evaluates to an object of functions. */
({
  /** Takes down the questions from now on. */
  hearQuestions() {
    const send = WebSocket.prototype.send;
    window.asked = [];
    WebSocket.prototype.send = function (data) {
      const { say, what, card, seat } = JSON.parse(data || "{}");
      if (say === "ask") window.asked.push(what + (card || "") + (seat ?? ""));
      send.call(this, data);
    };
  },

  /** Types a key that the keyboard of these tests does not have. */
  type(init) {
    return document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { ...init, bubbles: true }));
  },

  /** The first field of each part of the settings. */
  firstFields() {
    return [...document.querySelectorAll('#settings-form fieldset')].map(
      (each) => each.querySelector('input, select').id);
  },
})
