/**
 * Service worker between the pages and the network: shows a page of its own if there is none. It
 * caches that page with its files, and nothing that was made for a person. Outside of the pages it
 * tells news, in one notice that the next one replaces.
 */

/** The server writes a digest of the files here. */
const DIGEST = "VERSION";
/** Others may share the origin: names of caches bear the path of the playroom. */
const OWN = `volte ${ours("./")} `;
const KEPT = `${OWN}${DIGEST}`;
const OFFLINE = ours("offline");
/** Files of the page without a connection; the browser itself caches all others. */
const FILES = ["bare-page.css", "web/static/offline.js", "web/static/icon.svg"].map((name) =>
  ours(`static/${DIGEST}/${name}`),
);

/** @type {any} */
const worker = self;

/** @param {string} path relative to this script, which lies at the playroom's base */
function ours(path) {
  return new URL(path, location.href).pathname;
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(begin()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(tidy()));
worker.addEventListener("push", (/** @type {any} */ event) =>
  event.waitUntil(look(() => event.data?.json())),
);
worker.addEventListener("message", (/** @type {any} */ event) =>
  event.waitUntil(event.data === "news" ? look() : close()),
);
worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(go(event.notification.data.path));
});
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  /** @type {Request} */
  const request = event.request;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(visited(request));
  else if (FILES.includes(pathname)) event.respondWith(file(request));
});

async function begin() {
  const kept = await caches.open(KEPT);
  await kept.addAll([OFFLINE, ...FILES].map((path) => new Request(path, { credentials: "omit" })));
  await worker.skipWaiting();
}

async function tidy() {
  const names = (await caches.keys()).filter((name) => name.startsWith(OWN) && name !== KEPT);
  for (const name of names) await caches.delete(name);
  await worker.clients.claim();
}

/**
 * Answers with a page, which is never cached.
 * @param {Request} request
 */
async function visited(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const answer = await cached(OFFLINE);
    if (answer) return answer;
    throw error;
  }
}

/**
 * Answers with a file of the page without a connection, which never changes at its address.
 * @param {Request} request
 */
async function file(request) {
  return (await cached(request)) ?? fetch(request);
}

/** @param {RequestInfo} request */
async function cached(request) {
  return (await caches.open(KEPT)).match(request);
}

/** The one mark of all notices: the next one replaces the one that stands. */
const TAG = "volte";

/** @typedef {{outside: string, path: string}} Told */

/**
 * Tells what is true now, or takes back what was told; nothing is told while a page is looked at.
 * @param {() => Told | undefined} [sent] gives the message by which this was asked, for when nobody
 *   answers
 */
async function look(sent) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const seen = pages.some((/** @type {any} */ page) => page.visibilityState === "visible");
  const lines = seen ? [] : await news(sent);
  const [first] = lines;
  if (!first) return close();
  const body = lines.map(({ outside }) => outside).join("\n");
  const [shown] = await worker.registration.getNotifications({ tag: TAG });
  if (shown?.body === body) return;
  const known = shown?.body.split("\n") ?? [];
  await worker.registration.showNotification("Volte", {
    tag: TAG,
    body,
    icon: ours(`static/${DIGEST}/web/static/icon-192.png`),
    renotify: lines.some(({ outside }) => !known.includes(outside)),
    data: { path: first.path },
  });
}

/**
 * What the person wants to be told outside of the pages, and is true now.
 * @param {() => Told | undefined} [sent]
 * @returns {Promise<Told[]>}
 */
async function news(sent) {
  try {
    const answer = await fetch(ours("api/news"));
    if (!answer.ok) return []; // signed out meanwhile
    return (await answer.json()).news.filter((/** @type {Told} */ { outside }) => outside);
  } catch {
    const told = sent?.();
    return told ? [told] : [];
  }
}

/** Takes back what was told. */
async function close() {
  for (const each of await worker.registration.getNotifications({ tag: TAG })) each.close();
}

/**
 * Goes to a page, to the one that is open there if there is one.
 * @param {string} path
 */
async function go(path) {
  const address = new URL(ours(`.${path || "/"}`), location.href).href;
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find((/** @type {any} */ page) => page.url.split(/[?#]/)[0] === address);
  await (open ? open.focus() : worker.clients.openWindow(address));
}
