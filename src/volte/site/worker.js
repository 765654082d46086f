/**
 * Service worker of an exported site: keeps all of its files, so that it plays without a network.
 *
 * What is kept is what was exported, by digest: files of two versions are never mixed. A newer
 * version takes only the files that have changed from the network, and waits until no page is at a
 * table; pages that are not ask it to take over.
 */

/** Digest of the whole site; the export writes it here, and the digest of each file by its path. */
const VERSION = "VERSION";
/** @type {Record<string, string>} */
const FILES = JSON.parse("FILES");

/** Others may share the origin: names of caches bear the path of the site. */
const BASE = new URL("./", location.href).pathname;
const OWN = `volte ${BASE} `;
const KEPT = `${OWN}${VERSION}`;
const DIGEST = "x-volte-digest";
/** Headers that are about the way of an answer, and not about its content. */
const ON_THE_WAY = ["content-encoding", "content-length", "set-cookie", "vary"];
const TABLE = /\/table\/$/;

/** @type {any} */
const worker = self;

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(begin()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(tidy()));
worker.addEventListener("message", (/** @type {any} */ event) => event.waitUntil(take()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  /** @type {Request} */
  const request = event.request;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || !pathname.startsWith(BASE)) return;
  const path = pathname.slice(BASE.length).replace(/(^|\/)index\.html$/, "$1");
  if (path in FILES) event.respondWith(file(path));
  else if (`${path}/` in FILES) event.respondWith(Response.redirect(`${BASE}${path}/${search}`));
});

async function begin() {
  const kept = await caches.open(KEPT);
  const earlier = await before();
  /** @type {Map<string, Promise<Response>>} */
  const answers = new Map();
  const all = Object.entries(FILES).map(async ([path, digest]) => {
    const answer = answers.get(digest) ?? earlier.get(digest)?.() ?? brought(path, digest);
    answers.set(digest, answer);
    await kept.put(BASE + path, (await answer).clone());
  });
  await Promise.all(all);
}

/** Files that are kept already, by digest. */
async function before() {
  /** @type {Map<string, () => Promise<Response>>} */
  const found = new Map();
  for (const name of await own()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const answer = await cache.match(request);
      const digest = answer?.headers.get(DIGEST);
      if (answer && digest) found.set(digest, async () => answer);
    }
  }
  return found;
}

/**
 * A file from the network, or from what the browser remembers of it. Throws if it is another one,
 * as while the files of a host are being replaced.
 * @param {string} path
 * @param {string} digest
 */
async function brought(path, digest) {
  for (const cache of /** @type {RequestCache[]} */ (["default", "reload"])) {
    const answer = await fetch(BASE + path, { cache });
    const content = await answer.arrayBuffer();
    if (answer.ok && (await digestOf(content)) === digest) {
      const headers = new Headers(answer.headers);
      for (const name of ON_THE_WAY) headers.delete(name);
      headers.set(DIGEST, digest);
      return new Response(content, { headers });
    }
  }
  throw new Error(`${path} is not the file of this version.`);
}

/** @param {ArrayBuffer} content */
async function digestOf(content) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Names of the caches of this site. */
async function own() {
  return (await caches.keys()).filter((name) => name.startsWith(OWN));
}

/** Takes over, unless a page is at a table. */
async function take() {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const paths = pages.map((/** @type {{url: string}} */ { url }) => new URL(url).pathname);
  if (!paths.some((/** @type {string} */ path) => TABLE.test(path))) await worker.skipWaiting();
}

async function tidy() {
  for (const name of await own()) if (name !== KEPT) await caches.delete(name);
  await worker.clients.claim();
}

/**
 * A file of this version: at its address there may be another one already.
 * @param {string} path
 */
async function file(path) {
  const kept = await caches.open(KEPT);
  return (await kept.match(BASE + path)) ?? fetch(BASE + path);
}
