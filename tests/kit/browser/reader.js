/**
 * A simulated screen reader on the page, and a listener with a time of their own. Evaluates to a
 * function.
 *
 * The reader speaks message after message at its rate, and any key silences it. The listener waits
 * until all has been spoken and then acts, or presses an arrow key in the middle of some messages.
 */
async ([modules, words, settings, steps, how]) => {
  const { rate, cuts = 0, latency = 150, reaction = 250, measures = false } = how;
  const counts = (line) => (line.match(/\S*[\p{L}\p{N}]\S*/gu) ?? []).length;
  const sentencesOf = (line) => line.match(/.+?(?:[.!?…]+(?=\s|$)|$)/g) ?? [];

  // Time
  let now = 0;
  let count = 0;
  const timers = new Map();
  performance.now = () => now;
  window.setTimeout = (run, wait = 0) => timers.set(++count, { at: now + wait, run }) && count;
  window.clearTimeout = (id) => timers.delete(id);
  const pass = async (until) => {
    for (;;) {
      const due = [...timers].filter(([, { at }]) => at <= until);
      if (due.length === 0) break;
      const [id, { at, run }] = due.reduce((one, other) => (other[1].at < one[1].at ? other : one));
      timers.delete(id);
      now = Math.max(now, at);
      run();
      await null;
    }
    now = Math.max(now, until);
  };

  // The page
  localStorage.clear();
  document.body.replaceChildren();
  for (const id of ["table", "log", "live"]) {
    document.body.append(Object.assign(document.createElement("div"), { id }));
  }
  Object.assign(document.getElementById("table").dataset, { words, settings, lang: "en" });
  const page = await import(`${modules}/web/static/page.js`);
  Object.assign(page.settings, JSON.parse(settings));
  const { Announcer } = await import(`${modules}/web/static/announcer.js`);
  const { Listening } = await import(`${modules}/server/live/static/listening.js`);
  const region = document.getElementById("live");
  region.ariaNotify = () => {};
  const announcer = new Announcer(region, "en");
  const listening = new Listening(announcer);

  // The reader. Each sentence: when it will have been spoken, and whether it was heard to its end
  const spoken = [];
  let free = 0;
  let asked = null; // when the sentence by which the rate is measured will have ended
  const keep = announcer.said;
  announcer.said = (text, sort, items) => {
    keep(text, sort, items);
    if (text === "") return;
    free = Math.max(free, now + latency);
    const news = items.filter(({ silent }) => !silent);
    const lines = sort === "news" ? news : [{ line: text }];
    for (const { line, again = false } of lines) {
      for (const sentence of sentencesOf(line)) {
        const begins = free;
        free += (counts(sentence) * 60_000) / rate;
        const aside = sort !== "news" || line === page.say("measure") || line === page.say("why_again");
        spoken.push({ sentence: sentence.trim(), begins, ends: free, heard: true, again, aside });
      }
      if (line === page.say("measure")) asked = free;
    }
  };
  const press = (key) => {
    for (const each of spoken) if (each.ends > now) each.heard = false;
    free = Math.min(free, now);
    document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  };

  // The listener
  const listen = async () => {
    for (let before = -1; before < spoken.length || free > now; ) {
      before = spoken.length;
      await pass(Math.max(now + 500, free));
      if (asked !== null && measures) {
        await pass(asked + reaction);
        asked = null;
        press("Control");
      }
    }
  };
  let turn = 0;
  let chance = 0;
  const interrupt = async (since) => {
    for (let place = since; place < spoken.length; place += 1) {
      const { begins, ends, again, aside } = spoken[place];
      chance = (chance + 0.382) % 1; // the same for every rate
      if (again || aside || chance > cuts) continue;
      await pass(Math.max(now, begins + (ends - begins) * (0.2 + 0.6 * ((chance * 7) % 1))));
      if (ends <= now) continue;
      press("ArrowRight");
      await listen();
      return;
    }
  };
  for (const { wait, mine, event, lines, scene } of steps) {
    if (mine) {
      const since = turn;
      await pass(now + 400);
      if (cuts > 0) await interrupt(since);
      await listen();
      await pass(now + reaction - 250);
      press("Enter");
      turn = spoken.length;
      await pass(now + 60);
    } else await pass(now + wait);
    listening.see({ number: (count += 1000), happening: event, lines, fresh: true });
    if (scene) listening.paint(scene);
    await pass(now);
  }
  await listen();

  const heard = new Map();
  const result = { said: 0, words: 0, again: 0, wordsAgain: 0, cut: 0, lost: 0, twice: 0, asides: 0 };
  for (const { sentence, heard: whole, again, aside } of spoken) {
    const known = heard.get(sentence);
    if (aside) result.asides += 1;
    else if (again) {
      if (known?.cut > 0) known.cut -= 1;
      else {
        result.again += 1;
        result.wordsAgain += counts(sentence);
      }
      if (!whole) result.twice += 1;
    } else {
      result.said += 1;
      result.words += counts(sentence);
      if (whole) continue;
      result.cut += 1;
      heard.set(sentence, { cut: (known?.cut ?? 0) + 1 });
    }
  }
  for (const { cut } of heard.values()) result.lost += cut;
  return { ...result, rate: page.settings.reader_rate };
}
