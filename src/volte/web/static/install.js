/**
 * Tells the server the time zone, by a cookie, and makes the site an application that can be
 * installed, where browsers allow it: not over HTTP.
 */

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const path = new URL("../../../..", import.meta.url).pathname.replace(/(.)\/$/, "$1");
const secure = window.isSecureContext && location.protocol === "https:" ? "; secure" : "";
document.cookie = `volte_zone=${timeZone}; path=${path}; max-age=31536000; samesite=lax${secure}`;

if (window.isSecureContext && "serviceWorker" in navigator) {
  const worker = new URL("../../../../worker.js", import.meta.url);
  navigator.serviceWorker.register(worker, { updateViaCache: "none" }).catch(() => {
    // Private windows have none; nothing else depends on it.
  });
}
