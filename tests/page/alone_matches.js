/** Texts that a browser has kept before. Evaluates to an object of functions. */
({
  /** Keeps texts by key, in the database of a name. */
  keep: (name, texts) =>
    new Promise((resolve, reject) => {
      const asked = indexedDB.open(name, 1);
      asked.onerror = () => reject(asked.error);
      asked.onupgradeneeded = () => asked.result.createObjectStore("texts");
      asked.onsuccess = () => {
        const work = asked.result.transaction("texts", "readwrite");
        for (const [key, text] of Object.entries(texts)) work.objectStore("texts").put(text, key);
        work.oncomplete = () => resolve(asked.result.close());
      };
    }),
})
