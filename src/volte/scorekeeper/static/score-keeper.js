/** The score-keeper's pages: numbers to tap, the running sum, and the sheet for watchers. */

import { by, make, onPage, request, setText, tab } from "../../web/static/page.js";

/** Interval at which a watched sheet is brought up to date, in milliseconds. */
const PACE = 5000;

/**
 * The fields for the counts of a deal, their sum, and the field that is due next.
 */
class DealFields {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    this.due = Number(box.dataset.due);
    this.cards = box.dataset.cards === "yes";
    /** @type {HTMLInputElement[]} */
    this.fields = [...box.querySelectorAll("input")].filter((each) => each.type === "text");
    this.now = 0;
    for (const [place, field] of this.fields.entries()) {
      field.addEventListener("input", () => this.paint());
      field.addEventListener("focus", () => {
        this.now = place;
        this.paint();
        field.select();
      });
    }
    this.now = Math.max(0, this.fields.findIndex((each) => each.value === ""));
  }

  /** The fields that are empty. */
  get empty() {
    return this.fields.filter((each) => each.value.trim() === "");
  }

  /** The sum of the fields; null if one of them is not a whole number. */
  get sum() {
    const numbers = this.fields.map((each) => Number(each.value.trim().replace("−", "-")));
    if (numbers.some((each) => !Number.isInteger(each))) return null;
    return numbers.reduce((one, other) => one + other, 0);
  }

  /**
   * Put a number into the field that is due, and go on to the next empty one.
   * @param {number} number
   */
  put(number) {
    this.fields[this.now].value = String(number);
    const after = [...this.fields.keys()].filter((each) => this.fields[each].value === "");
    this.now = after.find((each) => each > this.now) ?? after[0] ?? this.now;
    this.paint();
  }

  paint() {
    const { sum, empty, due } = this;
    const left = sum === null ? 0 : due - sum;
    const last = this.cards && left >= 0 && (empty.length === 1 || left === 0);
    for (const field of this.fields) {
      field.placeholder = last && field.value.trim() === "" ? String(left) : "";
      field.parentElement?.classList.toggle("now", !last && field === this.fields[this.now]);
    }
    const told = last ? due : sum;
    const line = by("sum");
    const text = told === null ? "" : (this.box.dataset.sum ?? "").replace("{count}", `${told}`);
    setText(line, text.replace("-", "−"));
    line.classList.toggle("full", told === due);
    line.classList.toggle("over", this.cards && told !== null && told > due);
    this.onpaint();
  }

  onpaint() {}
}

/**
 * Show the numbers as buttons: one tap for each player. In the tab order they are one stop; arrow
 * keys move between them.
 * @param {HTMLElement} pad
 * @param {DealFields} counts
 */
function showPad(pad, counts) {
  const most = Number(pad.dataset.most);
  const buttons = Array.from({ length: most + 1 }, (_, number) => {
    const button = make("button", { type: "button", tabindex: number ? "-1" : "0" }, `${number}`);
    button.addEventListener("click", () => counts.put(number));
    return button;
  });
  pad.addEventListener("keydown", (event) => {
    const across = buttons.filter((each) => each.offsetTop === buttons[0].offsetTop).length;
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    const place = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const next = buttons[place + step];
    if (place < 0 || !next) return;
    event.preventDefault();
    buttons[place].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  counts.onpaint = () => {
    const name = counts.fields[counts.now].labels?.[0].textContent ?? "";
    pad.setAttribute("aria-label", (counts.box.dataset.pad ?? "").replace("{name}", name));
  };
  // The keyboard on the screen would cover the numbers; a real one still types.
  for (const field of counts.fields) field.inputMode = "none";
  pad.replaceChildren(...buttons);
  pad.hidden = false;
}

/**
 * Send each form once, however often its button is tapped.
 * @param {AbortSignal} signal
 */
function sendOnce(signal) {
  for (const form of document.querySelectorAll("main form")) {
    form.addEventListener("submit", (event) => {
      const { dataset } = /** @type {HTMLElement} */ (form);
      if (dataset.sent === "yes") event.preventDefault();
      dataset.sent = "yes";
    });
  }
  // A page restored by the browser's history must be able to send again.
  const shown = (/** @type {PageTransitionEvent} */ { persisted }) => persisted && tab.reload();
  window.addEventListener("pageshow", shown, { signal });
}

/**
 * Bring a watched sheet up to date at intervals, while the page is visible.
 * @param {HTMLElement} watched
 * @param {AbortSignal} signal
 */
function watch(watched, signal) {
  const timer = window.setInterval(async () => {
    if (document.hidden) return;
    try {
      const answer = await request(tab.address());
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("watched");
      if (!fresh || fresh.dataset.version === watched.dataset.version) return;
      watched.dataset.version = fresh.dataset.version;
      watched.replaceChildren(...fresh.childNodes);
      setText(by("standing"), [...watched.querySelectorAll(".standing li")].map(read).join(" "));
    } catch {
      // Without a connection the sheet stays as it is until the next try.
    }
  }, PACE);
  signal.addEventListener("abort", () => window.clearInterval(timer));
}

/** @param {Element} element */
function read(element) {
  return element.textContent ?? "";
}

/** Show the names as they are typed in the choice of the first dealer too. */
function nameDealers() {
  const dealer = document.getElementById("dealer");
  if (!(dealer instanceof HTMLSelectElement)) return;
  const players = /** @type {HTMLSelectElement} */ (by("players"));
  const unnamed = [...dealer.options].map((each) => each.text);
  const paint = () => {
    for (const option of dealer.options) {
      const field = document.getElementById(`seat${option.value}`);
      if (!(field instanceof HTMLInputElement)) continue;
      option.text = field.value.trim() || unnamed[option.index];
      option.hidden = option.disabled = Number(option.value) >= Number(players.value);
    }
  };
  by("table-form").addEventListener("input", paint);
  paint();
}

/** @param {AbortSignal} signal */
export function start(signal) {
  const box = document.getElementById("counts");
  if (box) {
    const counts = new DealFields(box);
    const pad = by("pad");
    const coarse = window.matchMedia("(any-pointer: coarse)").matches;
    if (pad.dataset.most && coarse) showPad(pad, counts);
    counts.paint();
  }
  const watched = document.getElementById("watched");
  if (watched) watch(watched, signal);
  const print = document.getElementById("print");
  if (print) {
    print.hidden = false;
    print.addEventListener("click", () => window.print());
  }
  sendOnce(signal);
  nameDealers();
}

onPage(start);
