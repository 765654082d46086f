/**
 * Put into every page before its own scripts; notes the last scene, the messages that were said,
 * and whether the focus was ever lost, or moved while nobody touched anything (an empty hand may
 * give it to the first card of the next).
 */
(() => {
  const watched = {
    /** The last scene; null before the first. */
    scene: null,
    /** The messages said by the page, by notifications or in the live region. */
    said: [],
    /** Happenings after which the focus was gone, or elsewhere. */
    lost: [],
    moved: [],
    /** Happenings that have been looked at. */
    looked: 0,
    /** Lets a message that was held through (see `Listener`). */
    pass: (data) => {
      passed = new MessageEvent("message", { data });
      sockets.at(-1).dispatchEvent(passed);
    },
    /** Cuts the line, without a close that says so. */
    hangUp: () => {
      for (const socket of sockets) {
        socket.dispatchEvent(new CloseEvent("close", { code: 1006 }));
        socket.close();
      }
    },
  };
  const sockets = [];
  let passed = null;
  window.watched = watched;

  /**
   * The wanted action that the match asks of the person now, or the phase in which it is over; else
   * null. Cards lie still by then: a press on one that slides away before the release is no click.
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

  /** Key of the match's present request: it changes when the match goes on. */
  watched.moment = (wanted) => {
    const { deal, phase, hand, may } = watched.scene;
    return [deal, phase, hand.length, ...wanted.filter((each) => may.includes(each))].join(" ");
  };

  const rest = () => new Promise((done) => setTimeout(done, 10));

  /**
   * Plays the first legal card whenever a card is asked, by a click without a pointer, until a
   * condition about the scene holds then, or anything else is asked; gives what is. Rejects if for
   * that many milliseconds nothing goes on.
   */
  watched.playOn = async (wanted, holds, patience) => {
    let begun = performance.now();
    let before = null;
    for (;;) {
      const due = watched.due(wanted);
      if (due && watched.moment(wanted) !== before) {
        if (due !== "Play" || holds(watched.scene)) return due;
        before = watched.moment(wanted);
        begun = performance.now();
        document.querySelector("#hand [role=option]:not([aria-disabled=true])").click();
      }
      if (performance.now() > begun + patience) throw new Error(`${before}: ${watched.scene?.status}`);
      await rest();
    }
  };

  /** Number of the person's acts; the number when the last message came; the last act answered. */
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
    // An answer belongs to the person's act, even with other messages between the two.
    const mine = touches > known || message.say === "answer";
    const since = (known = touches);
    // A card that was played keeps the focus until it is told: then the next card has it.
    const leaves = before.classList.contains("left");
    // The page's own listener has painted by the time of the next task.
    setTimeout(() => {
      const after = document.activeElement;
      const what = message.happening?.event ?? message.say;
      // A press may open a dialog a moment later.
      const opened = after?.closest("[role=dialog]") && before.contains(touched);
      watched.looked += 1;
      if (!nowhere(before) && nowhere(after)) watched.lost.push(`${what}: from ${told(before)}`);
      else if (mine || opened || touches !== since || (leaves && after.closest("#hand"))) return;
      else if (before.checkVisibility() && !before.contains(after))
        watched.moved.push(`${what}: from ${told(before)} to ${told(after)}`);
    });
  }

  /** A class of lines to a table, whose messages are looked at. */
  const lookedAt = (Line) =>
    class extends Line {
      constructor(...args) {
        super(...args);
        sockets.push(this);
        this.addEventListener("message", (event) => {
          const { data } = event;
          if (data === "") return; // the line is tried
          if (window.holdTold && event !== passed) {
            event.stopImmediatePropagation();
            window.holdTold(data);
            return;
          }
          const message = JSON.parse(data);
          if (message.say === "scene") watched.scene = message;
          look(message);
        });
      }

      send(text) {
        if (text === "" && window.holdTold) {
          // Its time is not that of the line.
          queueMicrotask(() => this.dispatchEvent(new MessageEvent("message", { data: "" })));
          return;
        }
        if (text !== "") window.noteAsked?.(text);
        super.send(text);
      }
    };
  window.WebSocket = lookedAt(WebSocket);

  // A page without a server has a line of its own; see solo/static/line.js.
  let door;
  const open = (made) => {
    if (made === door) return;
    door = made;
    let line;
    const set = (Line) => (line = lookedAt(Line));
    Object.defineProperty(made, "line", { get: () => line, set, enumerable: true });
  };
  Object.defineProperty(window, "volte", { get: () => door, set: open, configurable: true });

  // The part of chance that is the person's own (16 bytes); ids of connections stay their own.
  if (window.stillBytes) {
    const draw = crypto.getRandomValues.bind(crypto);
    crypto.getRandomValues = (array) => (array.length === 16 ? array.fill(7) : draw(array));
  }

  // News that a move of the focus says before the name of the card.
  document.addEventListener("focusin", ({ target }) => {
    const label = target.role === "option" && target.getAttribute("aria-label");
    if (label) watched.said.push(label.slice(0, -target.textContent.length).trimEnd());
  });

  /** Listens to the page, from its beginning. */
  const listen = () => {
    const live = document.getElementById("live");
    watched.said.length = 0;
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
  };
  document.addEventListener("DOMContentLoaded", () => {
    listen();
    // Without a server, pages take each other's place.
    new MutationObserver(listen).observe(document.querySelector("main"), { childList: true });
  });
})();
