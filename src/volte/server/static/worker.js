/**
 * Stands between the pages and the network: says so where there is none. It keeps the files that
 * belong to everybody and the page without a connection, and nothing that was made for a person.
 * Whatever the network can give comes from the network.
 */

/** The server writes a digest of the files here. */
const KEPT = "volte-" + "VERSION";
const OFFLINE = "/offline";
const FILES = ["/static/volte.css", "/static/offline.js", "/static/icon.svg"];

/** @type {any} */
const worker = self;

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(begin()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(tidy()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  /** @type {Request} */
  const request = event.request;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(visited(request));
  else if (pathname.startsWith("/static/")) event.respondWith(file(request));
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
 * A file of everybody's.
 * @param {Request} request
 */
async function file(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.status !== 206) {
      const copy = answer.clone();
      caches.open(KEPT).then((kept) => kept.put(request, copy));
    }
    return answer;
  } catch (error) {
    const answer = await caches.match(request);
    if (answer) return answer;
    throw error;
  }
}
