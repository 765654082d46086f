/** What a browser keeps, and what it is told. Evaluates to an object of functions. */
({
  /** All texts that the browser keeps for a base path, by key. */
  kept: (base) =>
    new Promise((resolve, reject) => {
      const asked = indexedDB.open(`volte ${base}`);
      asked.onerror = () => reject(asked.error);
      asked.onsuccess = () => {
        const texts = asked.result.transaction("texts").objectStore("texts");
        const [keys, values] = [texts.getAllKeys(), texts.getAll()];
        values.onsuccess = () => {
          asked.result.close();
          resolve(Object.fromEntries(keys.result.map((key, at) => [key, values.result[at]])));
        };
      };
    }),

  /** Fills what room the browser leaves, as whoever shares the host may; returns the bytes. */
  fill: () =>
    new Promise((resolve, reject) => {
      const asked = indexedDB.open("neighbour");
      asked.onupgradeneeded = () => asked.result.createObjectStore("texts", { autoIncrement: true });
      asked.onerror = () => reject(asked.error);
      asked.onsuccess = () => {
        const put = (size, sum) => {
          const work = asked.result.transaction("texts", "readwrite");
          work.objectStore("texts").add("x".repeat(size));
          work.oncomplete = () => put(size, sum + size);
          work.onabort = () => {
            if (work.error.name !== "QuotaExceededError") reject(work.error);
            else if (size > 1) put(Math.floor(size / 4), sum);
            else resolve(sum);
          };
        };
        put(65536, 0);
      };
    }),

  /** Tells the happenings that a person is told of. */
  tell: () => {
    const dispatch = EventTarget.prototype.dispatchEvent;
    EventTarget.prototype.dispatchEvent = function (event) {
      if (event.type === "message" && String(event.data).startsWith('{"say":"happened"')) {
        const { number, happening } = JSON.parse(event.data);
        window.told([number, happening]);
      }
      return dispatch.call(this, event);
    };
  },
})
