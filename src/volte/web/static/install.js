/** Makes the site an application that can be installed, where browsers allow it: not over HTTP. */

if (window.isSecureContext && "serviceWorker" in navigator) {
  const worker = new URL("../../worker.js", import.meta.url);
  navigator.serviceWorker.register(worker, { updateViaCache: "none" }).catch(() => {
    // Private windows have none; nothing else depends on it.
  });
}
