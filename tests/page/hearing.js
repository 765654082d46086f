/** Parts of the page of a table that speak, by themselves; evaluates to an object of functions. */
({
  /** Begins the parts on an empty page; their messages go into `said`. */
  async begin([words, settings]) {
    document.body.replaceChildren();
    for (const id of ["table", "log", "live"]) {
      document.body.append(Object.assign(document.createElement("div"), { id }));
    }
    Object.assign(document.getElementById("table").dataset, { words, settings, lang: "en" });
    const { Announcer } = await import("/static/web/static/announcer.js");
    const { Listening } = await import("/static/server/live/static/listening.js");
    const region = document.getElementById("live");
    window.said = [];
    const notify = region.ariaNotify;
    region.ariaNotify &&= (text, about) => {
      window.said.push(text);
      window.priority = about.priority;
      notify.call(region, text, about);
    };
    new MutationObserver(() => window.said.push(region.lastElementChild.textContent)).observe(
      region, { childList: true });
    window.announcer = new Announcer(region, "en");
    window.listening = new Listening(window.announcer);
    window.listening.settingsChanged();
    await import("/static/web/static/voice.js");
  },

  /** Gives the browser voices that speak until `end()`; their texts go into `spoken`. */
  speak() {
    window.spoken = [];
    window.SpeechSynthesisUtterance = class extends EventTarget {
      constructor(text) { super(); this.text = text; }
    };
    const voices = [
      { lang: "fr-FR", localService: true },
      { lang: "en-GB", localService: false, name: "far" },
      { lang: "en-US", localService: true, name: "near" },
    ];
    const synthesis = {
      queue: [],
      resume() {},
      cancel() {
        for (const each of this.queue.splice(0)) each.dispatchEvent(new Event("error"));
        window.spoken.push("(cut)");
      },
      getVoices: () => voices,
      speak(each) {
        this.queue.push(each);
        window.spoken.push(`${each.voice.name} ${each.rate}: ${each.text}`);
      },
      end() { this.queue.shift()?.dispatchEvent(new Event("end")); },
    };
    Object.defineProperty(window, "speechSynthesis", { value: synthesis });
  },
})
