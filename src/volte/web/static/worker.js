/**
 * Service worker between the pages and the network: shows a page of its own if there is none. It
 * caches that page with its files, and nothing that was made for a person.
 */

/** The server writes a digest of the files here. */
const DIGEST = "VERSION";
/** Others may share the origin: names of caches bear the path of the playroom. */
const OWN = `volte ${ours("./")} `;
const KEPT = `${OWN}${DIGEST}`;
const OFFLINE = ours("offline");
/** Files of the page without a connection; the browser itself caches all others. */
const FILES = ["volte.css", "offline.js", "icon.svg"].map((name) =>
  ours(`static/${DIGEST}/web/static/${name}`),
);

/** @type {any} */
const worker = self;

/** @param {string} path relative to this script, which lies at the playroom's base */
function ours(path) {
  return new URL(path, location.href).pathname;
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(begin()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(tidy()));
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
