/**
 * A page of a site without a server: it is kept for when there is no network, and its links to
 * other languages keep what the address asks for.
 */

const { lang, dataset } = document.documentElement;
const { base = "", languages = "" } = dataset;

/** Languages for which the browser asks, and which the site has. */
const asked = navigator.languages.filter((each) => languages.split(" ").includes(each));
/**
 * A language as it is spoken in the country of the browser, where the site has that.
 * @param {string} named
 */
const spoken = (named) => asked.find((each) => each.startsWith(`${named}-`)) ?? named;

for (const link of document.querySelectorAll("a[hreflang]")) {
  const there = /** @type {HTMLAnchorElement} */ (link);
  const lead = () => {
    const path = location.pathname.slice(`${base}/${lang}`.length);
    there.href = `${base}/${spoken(there.hreflang)}${path}${location.search}${location.hash}`;
  };
  lead();
  // A page may change its address while it is there.
  for (const kind of ["focus", "pointerenter", "click"]) there.addEventListener(kind, lead);
}

/** Milliseconds for which readers know a region before something is told in it. */
const KNOWN = 200;

/** Keeps the site, and takes a newer version of it as soon as nobody is at a table. */
async function keep() {
  const { serviceWorker } = navigator;
  const renewed = serviceWorker.controller !== null;
  /** @param {string} what */
  const tell = (what) => {
    const line = document.getElementById("newer");
    if (!line || !renewed) return;
    line.hidden = false; // an empty one would be read out on every page
    setTimeout(() => (line.textContent = line.dataset[what] ?? ""), KNOWN);
  };
  serviceWorker.addEventListener("controllerchange", () => tell("line"));
  const kept = await serviceWorker.register(`${base}/worker.js`, { updateViaCache: "none" });
  const take = () => {
    kept.waiting?.postMessage("take over");
    if (kept.waiting && location.pathname.endsWith("/table/")) tell("waits");
  };
  take();
  kept.addEventListener("updatefound", () => {
    kept.installing?.addEventListener("statechange", take);
  });
}

/** Settles once the page has what it needs: at a table, when Python runs or has failed. */
function there() {
  return new Promise((/** @type {(now: void) => void} */ settle) => {
    document.addEventListener("DOMContentLoaded", () => {
      const { listen } = /** @type {any} */ (globalThis).volte ?? {};
      if (!listen) settle();
      else listen((/** @type {any} */ { ready, failed }) => (ready || failed) && settle());
    });
  });
}

// Private windows have none, nor has plain HTTP; the page needs the network then.
if ("serviceWorker" in navigator) there().then(keep).catch(() => {});
