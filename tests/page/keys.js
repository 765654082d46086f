/** Keys, and the questions that they ask. Evaluates to an object of functions. */
({
  /** Takes down the questions from now on. */
  hearQuestions() {
    const send = (window.volte?.line ?? WebSocket).prototype.send;
    window.asked = [];
    (window.volte?.line ?? WebSocket).prototype.send = function (data) {
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

  /** Takes down of the next dialog what readers have of it when it appears. */
  readDialogs() {
    new MutationObserver((_, observer) => {
      const dialog = document.querySelector('.dialog');
      if (!dialog) return;
      observer.disconnect();
      window.readAtFirst = [...dialog.children].filter((each) => each.ariaHidden !== 'true')
        .map((each) => each.textContent);
    }).observe(document.getElementById('table'), { childList: true });
  },

  /** The first field of each part of the settings. */
  firstFields() {
    return [...document.querySelectorAll('#settings-form fieldset')].map(
      (each) => each.querySelector('input, select').id);
  },
})
