/**
 * What the address and the browser know before anything is painted, for the scripts that follow:
 * `alone` in page.js. No module, as modules come after the first painting.
 */
{
  const { dataset, lang } = document.documentElement;
  const { base = "" } = dataset;
  const place = base && `${base} `; // as in storage.js
  /** @type {Record<string, any>} */
  let settings = {};
  try {
    settings = { ...JSON.parse(localStorage.getItem(`${place}volte settings`) ?? "{}") };
    localStorage.setItem(`${place}volte language`, lang);
  } catch {
    // The usual settings hold.
  }
  for (const look of Object.keys(dataset)) {
    if (look in settings) dataset[look] = String(settings[look]);
  }
  const table = new URLSearchParams(location.search).get("match") ?? "";
  /** @type {any} */ (globalThis).volte = { base, table, settings: { ...settings, lang } };
}
