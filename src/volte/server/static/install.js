/** Makes the site an application that can be installed, where browsers allow it: not over HTTP. */

if (window.isSecureContext && "serviceWorker" in navigator) {
  navigator.serviceWorker.register("/worker.js", { updateViaCache: "none" }).catch(() => {
    // Private windows have none; nothing else depends on it.
  });
}
