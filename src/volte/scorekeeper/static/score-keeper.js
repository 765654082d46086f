/** The score-keeper's page: numbers to tap, the sum as it is made, a sheet that is watched. */

import { by, make, setText } from "./page.js";

/** Milliseconds after which somebody who watches is shown what is new. */
const PACE = 5000;

/**
 * The fields for the counts of a deal: what is in them, and which of them is due.
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

  /** The fields in which nothing stands. */
  get empty() {
    return this.fields.filter((each) => each.value.trim() === "");
  }

  /** What the fields come to; null where one holds no number. */
  get sum() {
    const numbers = this.fields.map((each) => Number(each.value.trim().replace("−", "-")));
    if (numbers.some((each) => !Number.isInteger(each))) return null;
    return numbers.reduce((one, other) => one + other, 0);
  }

  /**
   * Puts a number into the field that is due, and goes on to the next one that is empty.
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
 * Numbers for a thumb: one tap a player. For the keyboard they are one stop, left by Tab.
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
  // The system's own keyboard would lie over the numbers; one that is plugged in still types.
  for (const field of counts.fields) field.inputMode = "none";
  pad.replaceChildren(...buttons);
  pad.hidden = false;
}

/** A form is sent once, however often it is tapped. */
function sendOnce() {
  for (const form of document.querySelectorAll("main form")) {
    form.addEventListener("submit", (event) => {
      const { dataset } = /** @type {HTMLElement} */ (form);
      if (dataset.sent === "yes") event.preventDefault();
      dataset.sent = "yes";
    });
  }
  // A page that comes back from behind may send again.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
}

/**
 * Brings a sheet that is watched up to date, while it can be seen.
 * @param {HTMLElement} watched
 */
function watch(watched) {
  window.setInterval(async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(location.href);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("watched");
      if (!fresh || fresh.dataset.version === watched.dataset.version) return;
      watched.dataset.version = fresh.dataset.version;
      watched.replaceChildren(...fresh.childNodes);
      setText(by("news"), [...watched.querySelectorAll(".standing li")].map(read).join(" "));
    } catch {
      // Without a connection the sheet stands as it was; the next time may be better.
    }
  }, PACE);
}

/** @param {Element} element */
function read(element) {
  return element.textContent ?? "";
}

/** The names that are typed stand in the choice of the first dealer too. */
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

const box = document.getElementById("counts");
if (box) {
  const counts = new DealFields(box);
  const pad = by("pad");
  if (pad.dataset.most && window.matchMedia("(any-pointer: coarse)").matches) showPad(pad, counts);
  counts.paint();
}
const watched = document.getElementById("watched");
if (watched) watch(watched);
const print = document.getElementById("print");
if (print) {
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}
sendOnce();
nameDealers();
