/**
 * Put into every page before its own scripts: what the server said last, what was
 * said, and whether the focus was ever lost, or moved while nobody touched anything (an empty
 * hand may give it to the first card of the next).
 */
(() => {
  const watched = {
    /** The scene that came last; null before the first. */
    scene: null,
    /** All that was said, by notifications or in the live region. */
    said: [],
    /** After what the focus was gone, or stood elsewhere. */
    lost: [],
    moved: [],
    /** Happenings that have been looked at. */
    looked: 0,
    /** Cuts the line: nobody is told properly. */
    hangUp: () => {
      for (const socket of sockets) {
        socket.dispatchEvent(new CloseEvent("close", { code: 1006 }));
        socket.close();
      }
    },
  };
  const sockets = [];
  window.watched = watched;

  /**
   * What the match asks of the person now, of what is wanted; or how it is over; else null. Cards
   * lie still by then: a press on one that slides away before the release is no click on it.
   */
  watched.due = (wanted) => {
    const { scene } = watched;
    if (!scene) return null;
    const hand = document.getElementById("hand");
    const painted = hand.querySelectorAll("[role=option]").length;
    if (painted !== scene.hand.length || hand.getAnimations({ subtree: true }).length > 0) return null;
    if (["ended", "closed"].includes(scene.phase)) return scene.phase;
    return wanted.find((each) => scene.may.includes(each)) ?? null;
  };

  /** What is the same for as long as the match waits for one of these. */
  watched.moment = (wanted) => {
    const { deal, phase, hand, may } = watched.scene;
    return [deal, phase, hand.length, ...wanted.filter((each) => may.includes(each))].join(" ");
  };

  /** How often the person did something; how often when the last message came; to what, last. */
  let touches = 0;
  let known = 0;
  let touched = null;
  for (const kind of ["keydown", "pointerdown", "click"]) {
    const count = ({ target }) => {
      touches += 1;
      touched = target;
    };
    addEventListener(kind, count, true);
  }

  const told = (element) => element?.outerHTML.slice(0, 120) ?? "nothing";
  const nowhere = (element) =>
    !element || element === document.body || element === document.documentElement;

  function look(message) {
    const before = document.activeElement ?? document.body;
    // An answer is to what the person did, whatever came between the two.
    const mine = touches > known || message.say === "answer";
    const since = (known = touches);
    // The page's own listener has painted by the time of the next task.
    setTimeout(() => {
      const after = document.activeElement;
      const what = message.happening?.event ?? message.say;
      // What the person has pressed may open a dialog a moment later.
      const opened = after?.closest("[role=dialog]") && before.contains(touched);
      watched.looked += 1;
      if (!nowhere(before) && nowhere(after)) watched.lost.push(`${what}: from ${told(before)}`);
      else if (mine || opened || touches !== since) return;
      else if (before.checkVisibility() && !before.contains(after))
        watched.moved.push(`${what}: from ${told(before)} to ${told(after)}`);
    });
  }

  window.WebSocket = class extends WebSocket {
    constructor(address, protocols) {
      super(address, protocols);
      sockets.push(this);
      this.addEventListener("message", ({ data }) => {
        if (data === "") return; // the line is tried
        const message = JSON.parse(data);
        if (message.say === "scene") watched.scene = message;
        look(message);
      });
    }
  };

  // The part of chance that is the person's own (16 bytes); ids of connections stay their own.
  if (window.stillBytes) {
    const draw = crypto.getRandomValues.bind(crypto);
    crypto.getRandomValues = (array) => (array.length === 16 ? array.fill(7) : draw(array));
  }

  document.addEventListener("DOMContentLoaded", () => {
    const live = document.getElementById("live");
    if (!live) return;
    const notify = live.ariaNotify;
    live.ariaNotify &&= (text, about) => {
      watched.said.push(text);
      notify.call(live, text, about);
    };
    new MutationObserver(() => {
      const message = live.lastElementChild?.textContent;
      if (message) watched.said.push(message);
    }).observe(live, { childList: true, characterData: true, subtree: true });
  });
})();
