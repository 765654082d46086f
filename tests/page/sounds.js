/** Sounds that are taken down instead of heard; evaluates to an object of functions. */
({
  /** Every note that is struck, and the side of every sound; a browser has but a few contexts. */
  listen() {
    const Context = AudioContext;
    let context;
    window.AudioContext = function () { return (context ??= new Context()); };
    window.struck = [];
    window.sides = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) {
      if (this.context.state === "running") {
        window.struck.push({ pitch: this.frequency.value, deeper: this.detune.value, when });
      }
      return start.call(this, when);
    };
    const connect = AudioNode.prototype.connect;
    AudioNode.prototype.connect = function (target, ...more) {
      if (target === this.context.destination) window.sides.push(this.pan.value);
      return connect.call(this, target, ...more);
    };
  },

  /** The names of the sounds that some happenings make. */
  async hear([happenings, chosen, hidden, scenery]) {
    const { SOUNDS } = await import("/static/web/static/cues.js");
    const { Sounds } = await import("/static/server/live/static/sounds.js");
    const { settings } = await import("/static/web/static/page.js");
    const usual = { ...settings };
    Object.assign(settings, chosen);
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    const sounds = new Sounds();
    document.body.click();
    const context = new AudioContext();
    await context.resume();
    const value = context.currentTime; // all of it happens at one moment, however busy we are
    Object.defineProperty(context, "currentTime", { value, configurable: true });
    const seats = new Array(4).fill({});
    const scene = {
      seat: 0, seats, may: [], deal: 1, phase: "playing", hand: [], asked: "",
      trick: [{ seat: 3, card: "2C" }], broken: false, ...scenery,
    };
    const rules = { points: { table: chosen.table ?? [["QS", 13]] } };
    sounds.see({ number: 1, lines: [], fresh: false, happening: { event: "MatchStarted", rules } });
    sounds.paint(scene);
    window.struck.length = 0;
    window.sides.length = 0;
    for (const happening of happenings) {
      if (happening.event === "scene") sounds.paint({ ...scene, ...happening });
      else sounds.see({ number: 1, lines: [], fresh: true, ...happening, happening });
    }
    window.naming = Boolean(sounds.naming);
    Object.assign(settings, usual);
    delete document.hidden;
    delete context.currentTime;
    const pitches = JSON.stringify(window.struck.map(({ pitch }) => pitch));
    return Object.keys(SOUNDS).filter((name) =>
      pitches.includes(JSON.stringify(SOUNDS[name].notes.map(([pitch]) => pitch)).slice(1, -1)));
  },

  /**
   * Measures of a sound: the energy on both sides, and for each twentieth of a second the number of
   * zero crossings of the left side's wave (its pitch), and its energy.
   */
  async sound([name, loudness, steps, count]) {
    const { strike, placeOf, MIDDLE } = await import("/static/web/static/cues.js");
    const rate = 22050;
    const context = new OfflineAudioContext(2, 3 * rate, rate);
    const place = steps === null ? MIDDLE : placeOf(steps, count);
    strike(context, name, { from: 0, loudness, place });
    const heard = await context.startRendering();
    const [left, right] = [0, 1].map((side) => heard.getChannelData(side));
    const energy = (wave) => wave.reduce((sum, each) => sum + each * each, 0);
    let crossings = 0;
    const shape = [];
    for (let from = 0; from < left.length; from += rate / 20) {
      const part = left.slice(from, from + rate / 20);
      let crossed = 0;
      for (let at = 1; at < part.length; at += 1) {
        if (part[at - 1] < 0 !== part[at] < 0) crossed += 1;
      }
      shape.push([energy(part) > 0.001 ? crossed : 0, energy(part)]);
    }
    return { left: energy(left), right: energy(right), shape };
  },
})
