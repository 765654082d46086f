/**
 * Stands between the pages and the network: says so where there is none. It keeps the page without
 * a connection with its files, and nothing that was made for a person.
 */

/** The server writes a digest of the files here. */
const DIGEST = "VERSION";
const KEPT = `volte-${DIGEST}`;
const OFFLINE = ours("offline");
/** What the page without a connection needs; all others are kept by the browser itself. */
const FILES = ["volte.css", "offline.js", "icon.svg"].map((name) => ours(`static/${DIGEST}/${name}`));

/** @type {any} */
const worker = self;

/** @param {string} path from where this script lies, which is where the playroom begins */
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
  for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
  await worker.clients.claim();
}

/**
 * A page, which is never kept.
 * @param {Request} request
 */
async function visited(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const answer = await caches.match(OFFLINE);
    if (answer) return answer;
    throw error;
  }
}

/**
 * A file of the page without a connection: what is under such an address never changes.
 * @param {Request} request
 */
async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}
