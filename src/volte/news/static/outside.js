/** What this browser tells outside of the page, and whether it does. */

import { at, request } from "../../web/static/page.js";
import { lasting } from "../../web/static/storage.js";

/** The person whom this browser tells, as forms mark them: others use it too, after a sign-out. */
const KEY = "told outside";
/** The session and the server's key with which this browser has subscribed to messages. */
const SUBSCRIBED = "told by messages";

/** Whether the browser can tell anything outside of a page: over plain HTTP it cannot. */
export const possible = () =>
  window.isSecureContext && "serviceWorker" in navigator && "Notification" in window;

/** Whether the person has it tell them, and it may. */
export const wanted = () =>
  possible() && Notification.permission === "granted" && lasting.get(KEY) === mark();

/** @param {boolean} on */
export const want = (on) => (on ? lasting.set(KEY, mark()) : lasting.remove(KEY));

/** The token of forms, whose beginning stands for the session. */
export const csrf = () =>
  document.querySelector("input[name=csrf]")?.getAttribute("value") ?? "";

/** Has the worker look at what is true now, and tell it or take it back. */
export async function refresh() {
  if (!wanted()) return;
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage("news");
}

/** Has the worker take back what it has told, whether it is true or not. */
export async function untold() {
  if (!possible()) return;
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage("hush");
}

/** The mark of the person in the token of forms. */
const mark = () => csrf().split(".")[1] ?? "";

/**
 * Has the browser get messages while no page is open, where the person wants that; in a new session,
 * or once the server has another key, it subscribes anew. Throws where it cannot.
 * @param {string} key the server's; empty where it sends no messages
 */
export async function subscribed(key) {
  const now = `${csrf().split(".")[0]} ${key}`;
  if (!key || !wanted() || lasting.get(SUBSCRIBED) === now) return;
  const { pushManager } = await navigator.serviceWorker.ready;
  const old = await pushManager.getSubscription();
  if (lasting.get(SUBSCRIBED)?.split(" ")[1] !== key) await old?.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = await pushManager.subscribe(options);
  const answer = await request(at("/api/push"), {
    method: "POST",
    headers: { "content-type": "application/json", "x-volte": "1" },
    body: JSON.stringify(subscription),
  });
  if (!answer.ok) throw new Error(String(answer.status));
  lasting.set(SUBSCRIBED, now);
}

/** Has the browser tell nothing more, and get no more messages. */
export async function hush() {
  want(false);
  lasting.remove(SUBSCRIBED);
  await untold();
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager.getSubscription();
  if (!subscription) return;
  await subscription.unsubscribe();
  const body = new URLSearchParams({ csrf: csrf(), browser: "here" });
  await request(at("/me/push/forget"), { method: "POST", body });
}
