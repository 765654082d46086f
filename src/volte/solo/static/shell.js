/**
 * Pages without a server: the worker makes each, and this script puts it in the place of the one
 * before, so that Python is loaded once.
 *
 * Every host of files has the address of a page: it is that of its section, with the rest in the
 * query. `/learn/3` at a playroom is `/fr/learn/?at=/learn/3` here.
 */

import { Announcer } from "../../web/static/announcer.js";
import { alone, applyLooks, by, saveFile, setAttribute, setText, settings, tab } from "../../web/static/page.js";
import { ofTab } from "../../web/static/storage.js";
import { again, attend, first } from "./start.js";

/**
 * @typedef {import("./line.js").Answer} Answer
 * A page to show: its place below the language, whether it adds to the history of the tab or takes the
 * place of the last page there (or is there already), and the key of what is remembered of an earlier
 * visit.
 * @typedef {{place: string, how: "push" | "replace" | "", before?: string}} Target
 */

/** Milliseconds without an answer after which it is said that one is coming. */
const SLOW = 800;
/** Milliseconds until a reader has taken in that the focus has moved to another page. */
const LINGERING = 600;
/** Redirects that are followed. */
const MOST_LEADS = 5;
/** The most bytes of a file that is sent with a form; see `LONGEST_SENT` in `volte.alone.records`. */
const MOST = 10_000_000;
/** Elements that can have the focus. */
const STOPS = "a[href], button, input, select, textarea, summary, [tabindex='0']";
/** Fields that somebody fills in. */
const FIELDS = "input:not([type=hidden], [type=file]), select, textarea";

const { lang, dataset } = document.documentElement;
const home = `${dataset.base ?? ""}/${lang}`;
const sections = document.body.dataset.sections ?? "";
/** Places that the worker answers: the sections, rules of a table's own, the last match of a table. */
const inside = new RegExp(
  `^/(?:${sections})(?=[/?]|$)|^/rules/[^?]*[?]|^/tables/\\w+/(?:proof|record|replay)$`,
);
/** @type {Record<string, string>} */
const words = JSON.parse(by("start").dataset.words ?? "{}");
/** The door to the worker; see line.js. @type {any} */
const door = alone;
const main = by("content");
const announcer = new Announcer(by("start-heard"), lang);

// Addresses

/**
 * The place to which an address leads, if the worker makes that page: from the slash after the language
 * on, with its query and fragment; else empty.
 * @param {URL} address
 */
function placeAt({ origin, pathname, search, searchParams, hash }) {
  if (origin !== location.origin || !pathname.startsWith(`${home}/`)) return "";
  const place = pathname.slice(home.length).replace(/\/$/, "") + search;
  const at = searchParams.get("at") ?? "";
  return inside.test(place) ? (inside.test(at) ? at : place) + hash : "";
}

/** A place without its fragment. @param {string} place */
const bare = (place) => place.replace(/#.*/, "");

/**
 * The address of a place here.
 * @param {string} place
 */
function addressOf(place) {
  const { pathname, search, hash } = new URL(place, location.origin);
  const [, first, ...deeper] = pathname.split("/");
  const [, here] = location.pathname.slice(home.length).split("/");
  const section = sections.split("|").includes(first) ? first : here;
  const at = encodeURIComponent(pathname + search).replaceAll("%2F", "/");
  return `${home}/${section}/${deeper.length > 0 ? `?at=${at}` : search}${hash}`;
}

/**
 * An address as it is here: of a page that the worker makes, or of one that is a file, which hosts find
 * by the slash at its end.
 * @param {URL} url below the language
 */
function settled(url) {
  const place = placeAt(url);
  if (place) return new URL(addressOf(place), url).href;
  const [, table = ""] = /\/tables\/(\w+)$/.exec(url.pathname) ?? [];
  if (table) return new URL(`${home}/table/?match=${table}`, url).href;
  if (!/\.\w+$/.test(url.pathname)) url.pathname = url.pathname.replace(/\/?$/, "/");
  return url.href;
}

/**
 * Gives links the addresses that pages have here, so that a new tab finds them too. Each is listened to
 * by itself: if the window were, readers would call headings clickable.
 */
function settleLinks() {
  const links = document.querySelectorAll(`a[href^="${home}/"]`);
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (links)) {
    const address = settled(new URL(link.href));
    if (link.href !== address) link.href = address;
    link.addEventListener("click", pressed);
  }
}

new MutationObserver(settleLinks).observe(document.body, { childList: true, subtree: true });

// The history of the tab

/** The place of the page that is shown; empty before the first. */
let shown = "";
/** Key of the entry of the history. @type {string} */
let key = history.state?.key ?? crypto.randomUUID();

/** @type {(within: ParentNode) => HTMLInputElement[]} */
const fields = (within) => [...within.querySelectorAll(/** @type {any} */ (FIELDS))];

/** Remembers of the page how far it is scrolled, what has the focus, and what is filled in. */
function leave() {
  const focus = [...main.querySelectorAll(STOPS)].indexOf(/** @type {any} */ (document.activeElement));
  const filled = fields(main).map(({ value, checked }) => ({ value, checked }));
  ofTab.set(`volte page ${key}`, JSON.stringify({ scroll: window.scrollY, focus, filled }));
}

/**
 * Writes the place of a page into the history.
 * @param {Target} target
 */
function enter({ place, how }) {
  if (how === "push" && bare(place) !== bare(shown)) {
    leave();
    key = crypto.randomUUID();
    history.pushState({ key }, "", addressOf(place));
  } else if (how !== "") {
    history.replaceState({ key }, "", addressOf(place));
  }
  shown = place;
}

window.addEventListener("popstate", () => {
  const place = here();
  const stays = bare(place) === bare(shown);
  if (!stays) leave();
  key = history.state?.key ?? crypto.randomUUID();
  if (stays) shown = place;
  else void visit({ place, how: "", before: key });
});
window.addEventListener("pagehide", leave);
history.scrollRestoration = "manual";

/** The place of the address of the tab. */
const here = () => placeAt(new URL(location.href));
/** @param {string} address in a page */
const placeFrom = (address) => placeAt(new URL(address, tab.address()));

Object.assign(tab, {
  swaps: true,
  address: () => new URL(home + here(), location.origin),
  reload: () => void visit({ place: here(), how: "replace" }),
  go: (/** @type {string} */ address) => follow(new URL(address, tab.address())),
  push: (/** @type {string} */ address) => enter({ place: placeFrom(address), how: "push" }),
  replace: (/** @type {string} */ address) => enter({ place: placeFrom(address), how: "replace" }),
});

// Asking for pages

/** The request that is under way. @type {{target: Target, sends: boolean} | null} */
let underway = null;
/** Whether a newer version of the site has come, which holds from the next page on. */
let renewed = false;
if (navigator.serviceWorker?.controller) {
  navigator.serviceWorker.addEventListener("controllerchange", () => (renewed = true));
}

/**
 * Goes to an address, of a page that the worker makes or of any other.
 * @param {URL} url
 */
function follow(url) {
  const place = placeAt(url);
  if (place) void visit({ place, how: "push" });
  else location.assign(settled(url));
}

/**
 * Asks for a page, and shows it. Until a form that was sent is answered, or a way through the history
 * has come to its page, nothing else is asked for but by another such way; nor is the same page twice.
 * @param {Target} target
 * @param {URLSearchParams} [form] its fields, if one is sent
 */
async function visit(target, form) {
  const bound = underway && (underway.sends || underway.target.how === "");
  if (target.how !== "" && (bound || underway?.target.place === target.place)) return;
  if (renewed && !form) return location.assign(addressOf(target.place));
  const mine = { target, sends: form !== undefined };
  underway = mine;
  const late = window.setTimeout(() => shown && starting.say(words.coming), SLOW);
  try {
    const [place, answer] = await answered(target.place, form);
    if (underway !== mine) return;
    if (place === "") location.assign(settled(new URL(answer.location ?? "", location.href)));
    else if (answer.filename || !answer.type.startsWith("text/html")) save(place, answer);
    else if (form && place === target.place) await show(answer.body, { place: shown, how: "replace" });
    else await show(answer.body, { ...target, place });
  } catch (error) {
    console.error(error);
    if (underway === mine) fail(target, form);
  } finally {
    window.clearTimeout(late);
    if (underway === mine) underway = null;
  }
}

/**
 * The answer to a request, and the place that it comes from; an empty place if it leads elsewhere.
 * @param {string} place
 * @param {URLSearchParams} [form]
 * @returns {Promise<[string, Answer]>}
 */
async function answered(place, form) {
  const sent = form && { method: "POST", body: form };
  /** @type {Answer} */
  let answer = await door.answer(home + bare(place), sent);
  for (let leads = 0; answer.location && leads < MOST_LEADS; leads += 1) {
    place = placeFrom(answer.location);
    if (place === "") break;
    answer = await door.answer(home + bare(place));
  }
  if (answer.status >= 500 && answer.body === "") throw new Error(`${answer.status} ${place}`);
  return [place, answer];
}

/**
 * Says that a page has not come; where it may help, Python is loaded anew.
 * @param {Target} target
 * @param {URLSearchParams} [form]
 */
function fail({ place }, form) {
  if (shown && !form) location.assign(addressOf(place));
  else starting.say(words.unanswered, [again(), first()]);
}

/**
 * Saves an answer as a file.
 * @param {string} place
 * @param {Answer} answer
 */
function save(place, { type, body, base64, filename }) {
  const name = filename || (bare(place).replace(/\?.*/, "").split("/").pop() ?? "");
  const content = base64 ? Uint8Array.from(atob(body), (sign) => sign.charCodeAt(0)) : body;
  saveFile(name, new Blob([content], { type }));
  if (shown) starting.done();
  else void visit({ place: bare(place).replace(/^(\/\w+).*/, "$1"), how: "replace" });
}

// Showing pages

/** @typedef {HTMLLinkElement} Sheet */
/** @param {Document} page */
const sheetsOf = (page) =>
  /** @type {Sheet[]} */ ([...page.querySelectorAll("link[rel=stylesheet]")]);

/** Style sheets of the page that is shown. */
let worn = sheetsOf(document);
/** Ends with the page that is shown. */
let page = new AbortController();

/**
 * Puts a page in the place of the one that is shown. It is complete at once, with its styles.
 * @param {string} text
 * @param {Target} target
 */
async function show(text, target) {
  const fresh = new DOMParser().parseFromString(text, "text/html");
  for (const each of fresh.querySelectorAll("noscript")) each.remove();
  const scripts = /** @type {NodeListOf<HTMLScriptElement>} */ (
    fresh.querySelectorAll("script[type=module]")
  );
  const asked = underway;
  const [styles, modules] = await Promise.all([
    dressed(fresh),
    Promise.all([...scripts].map(({ src }) => import(src))),
  ]);
  if (asked !== underway) return;
  page.abort();
  page = new AbortController();
  const begins = shown === "";
  const moved = !begins || document.activeElement === document.body;
  enter(target);
  for (const each of styles) each.removeAttribute("media");
  for (const each of worn) if (!styles.includes(each)) each.remove();
  worn = styles;
  document.title = fresh.title;
  const content = /** @type {HTMLElement} */ (fresh.getElementById("content"));
  /** @type {any} */
  const left = target.before ? ofTab.value(`volte page ${target.before}`, null) : null;
  const there = fields(content);
  if (left?.filled?.length === there.length) {
    there.forEach((field, number) => Object.assign(field, left.filled[number]));
  }
  replace(content.childNodes);
  const now = [...fresh.querySelectorAll("#site-nav a")];
  for (const [place, link] of document.querySelectorAll("#site-nav a").entries()) {
    setAttribute(link, "aria-current", now[place]?.getAttribute("aria-current") ?? null);
  }
  by("site-nav").hidePopover();
  starting.done();
  by("start").classList.add("late");
  const held = document.activeElement;
  for (const { start } of modules) start?.(page.signal);
  if (moved && held === document.activeElement) arrive(target.place, left);
}

/**
 * Puts new content in the place of the old. What has the focus stays for a moment, for readers alone:
 * where it has gone already, Orca does not say what has the focus next. Nothing stays selected there,
 * or readers would follow the end of the selection as it goes. All lies in a block of text, or Orca
 * would go from the heading to every list of choices that a script fills in.
 * @param {Iterable<Node>} content
 */
function replace(content) {
  getSelection()?.removeAllRanges();
  const held = document.activeElement;
  const block = document.createElement("div");
  block.setAttribute("aria-busy", "false"); // without it browsers leave the block out for readers
  block.append(...content);
  if (!held || held === main || !main.contains(held)) return main.replaceChildren(block);
  let left = held;
  for (; left !== main; left = /** @type {Element} */ (left.parentElement)) {
    for (const name of ["id", "autofocus"]) left.removeAttribute(name);
    if (left !== held) left.setAttribute("role", "none"); // nothing is left with it
    for (const each of [...(left.parentElement?.childNodes ?? [])]) if (each !== left) each.remove();
  }
  const rest = /** @type {Element} */ (main.firstElementChild);
  rest.className = "hidden";
  main.prepend(block);
  window.setTimeout(() => rest.remove(), LINGERING);
}

/**
 * The style sheets of a page, once they have come; new ones do not hold yet.
 * @param {Document} fresh
 */
async function dressed(fresh) {
  const there = sheetsOf(document);
  const coming = [];
  const styles = [];
  for (const wanted of sheetsOf(fresh)) {
    const known = there.find(({ href }) => href === wanted.href);
    const sheet = known ?? document.importNode(wanted);
    if (!known) {
      sheet.media = "not all";
      coming.push(new Promise((done) => (sheet.onload = sheet.onerror = done)));
      if (styles.length > 0) styles[styles.length - 1].after(sheet);
      else worn[0].before(sheet);
    }
    styles.push(sheet);
  }
  await Promise.all(coming);
  return styles;
}

/**
 * Puts the focus where a fresh page has it, or where it was when the page was left; its own script
 * has not moved it.
 * @param {string} place
 * @param {{scroll: number, focus: number} | null} left
 */
function arrive(place, left) {
  const named = namedBy(place.slice(bare(place).length + 1));
  const asked = main.querySelector("[autofocus]");
  const head = main.querySelector("h1") ?? main;
  if (left) {
    focus(main.querySelectorAll(STOPS)[left.focus] ?? head);
    window.scrollTo(0, left.scroll);
  } else if (named) {
    focus(named);
    named.scrollIntoView();
  } else {
    window.scrollTo(0, 0);
    focus(asked ?? head);
    asked?.scrollIntoView({ block: "nearest" });
  }
}

/**
 * The element that a fragment of an address names.
 * @param {string} fragment
 */
function namedBy(fragment) {
  try {
    return document.getElementById(decodeURIComponent(fragment));
  } catch {
    return null; // it is badly written
  }
}

/** @param {any} element */
function focus(element) {
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

// What the person does

/** @param {MouseEvent} event on a link */
function pressed(event) {
  const held = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  const link = /** @type {HTMLAnchorElement} */ (event.currentTarget);
  if (event.defaultPrevented || held || !["", "_self"].includes(link.target)) return;
  const place = placeAt(new URL(link.href));
  if (!place || (link.hash && bare(place) === bare(shown))) return;
  event.preventDefault();
  void visit({ place, how: "push" });
}

window.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const { submitter } = event;
  const attribute = (/** @type {string} */ name) =>
    submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name) ?? "";
  const url = new URL(attribute("action"), tab.address());
  if (event.defaultPrevented || !placeAt(url)) return;
  event.preventDefault();
  void send(url, attribute("method").toLowerCase() === "post", new FormData(form, submitter));
});

/**
 * Sends a form. Of a file goes its text.
 * @param {URL} url
 * @param {boolean} posts
 * @param {FormData} data
 */
async function send(url, posts, data) {
  const fields = new URLSearchParams();
  for (const [name, value] of data) {
    const text = typeof value === "string" ? value : value.size > MOST ? "" : await value.text();
    fields.append(name, text);
  }
  if (!posts) url.search = String(fields);
  await visit({ place: placeAt(url), how: "push" }, posts ? fields : undefined);
}

// The beginning

const starting = attend({
  tell: (line) => announcer.answer([line], "aside"),
  show(line) {
    setText(by("start-news"), line);
    by("start-news").hidden = false;
    announcer.answer([line], "aside");
  },
  home: () => main.focus(),
  settle(kept) {
    Object.assign(settings, kept);
    applyLooks();
  },
  stays: true,
});
void visit({ place: here(), how: "replace", before: key });
