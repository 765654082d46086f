/**
 * News: the lines at the head of every page come and go while it stands open. At a table, where
 * nothing may move, they stand in the menu, and its script tells them. The worker of the browser
 * tells outside of the page what somebody has asked for.
 */

import { at, by, keyed, make, onPage, request, setText } from "../../web/static/page.js";
import { csrf, refresh, subscribed, untold } from "./outside.js";

/**
 * @typedef {{kind: string, about: string, path: string, title: string, line: string,
 *   label: string, outside: string, answer: string}} Line
 */

// Seconds until the server is asked again:
const SEEN = 20; // while somebody looks at the page
const HIDDEN = 60;
const DUE = 7; // after somebody's turn has begun; the server tells it once they have not acted

/** @param {Line} line */
const keyOf = ({ kind, about }) => `${kind} ${about}`;

/** @param {AbortSignal} signal */
export function start(signal) {
  if (!document.getElementById("news")) return;
  const list = by("news");
  const atTable = document.body.classList.contains("table-page");
  const here = location.pathname.slice(new URL(at("/")).pathname.length - 1);
  const shown = () => /** @type {HTMLElement[]} */ ([...list.children]);
  const titles = () => shown().map(({ dataset }) => `${dataset.title} – `).join("");
  let prefix = atTable ? "" : titles();
  let timer = 0;
  let asked = 0;
  let tried = false; // whether to get messages, once a page
  /** The texts that the worker knows; it is told again when they change. */
  let outside = "";

  /** @param {number} seconds */
  const wait = (seconds) => {
    window.clearTimeout(timer);
    if (!signal.aborted) timer = window.setTimeout(look, seconds * 1000);
  };

  /** @param {Line[]} lines */
  const paint = (lines) => {
    const known = new Set(shown().map(({ dataset }) => dataset.key));
    // A line that has the focus stays until it has it no longer.
    const read = shown().find((each) => each.contains(document.activeElement));
    if (read && !lines.some((line) => keyOf(line) === read.dataset.key)) return;
    keyed(list, lines, keyOf, created, (element, line) => {
      element.dataset.title = line.title;
      const [said] = element.children;
      if (said) setText(said, line.line);
    });
    if (atTable) {
      for (const line of lines) {
        if (!known.has(keyOf(line))) tell(line.line);
      }
      return;
    }
    const before = prefix;
    prefix = titles();
    if (prefix !== before) document.title = prefix + document.title.replace(before, "");
  };

  /** @param {string} detail */
  const tell = (detail) => document.dispatchEvent(new CustomEvent("told", { detail }));

  const look = async () => {
    const number = ++asked;
    wait(document.hidden ? HIDDEN : SEEN);
    const query = new URLSearchParams({ at: here, seen: document.hidden ? "" : "1" });
    try {
      const answer = await request(at(`/api/news?${query}`), { keepalive: true });
      if (answer.status === 401) window.clearTimeout(timer); // signed out meanwhile
      if (!answer.ok || number !== asked || signal.aborted) return;
      /** @type {{news: Line[], push: string}} */
      const { news: lines, push } = await answer.json();
      paint(lines);
      const texts = JSON.stringify(lines.map((line) => line.outside));
      if (texts !== outside) void refresh();
      outside = texts;
      if (!tried) {
        tried = true;
        await subscribed(push);
      }
    } catch {
      // There is no connection, or no push service; another page tries again.
    }
  };

  document.addEventListener("visibilitychange", () => void look(), { signal });
  document.addEventListener(
    "due",
    (event) => wait(event instanceof CustomEvent && event.detail ? DUE : 0),
    { signal },
  );
  // Whoever uses this browser next, the notice is not theirs.
  const leaving = (/** @type {Event} */ { target }) =>
    target instanceof HTMLFormElement && target.action.endsWith(at("/logout"));
  document.addEventListener("submit", (event) => leaving(event) && void untold(), { signal });
  signal.addEventListener("abort", () => window.clearTimeout(timer));
  if (atTable) for (const each of shown()) tell(each.children[0]?.textContent ?? "");
  wait(SEEN);
  void refresh();
}

/** @param {Line} line */
function created(line) {
  const id = `news-${line.kind}-${line.about}`;
  const row = make("div", {}, [make("span", { id }, line.line)]);
  const about = { "aria-describedby": id };
  const { dataset } = by("news");
  if (line.answer) {
    row.append(
      make("form", { "aria-live": "off", method: "post", action: at(line.answer) }, [
        make("input", { type: "hidden", name: "csrf", value: csrf() }),
        make("button", { name: "yes", value: "1", ...about }, dataset.yes),
        make("button", { name: "yes", value: "0", ...about }, dataset.no),
      ]),
    );
  } else if (line.path) {
    const link = { class: "button", href: at(line.path), "aria-live": "off", ...about };
    row.append(make("a", link, line.label));
  }
  return row;
}

onPage(start);
