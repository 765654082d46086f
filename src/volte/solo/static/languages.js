/** Leads on to the pages in the language that was read last here, or that the browser asks for. */
{
  const { base = "", languages = "" } = document.documentElement.dataset;
  const there = languages.split(" ");
  const wanted = [...navigator.languages];
  try {
    wanted.unshift(localStorage.getItem(`${base && `${base} `}volte language`) ?? "");
  } catch {
    // Nothing is stored.
  }
  /** The language of pages that is one, or else that is it without its country. @param {string} each */
  const spoken = (each) =>
    [each, each.split("-")[0]]
      .map((name) => there.find((lang) => lang.toLowerCase() === name.toLowerCase()))
      .find(Boolean);
  const lang = wanted.map(spoken).find(Boolean) ?? "en";
  location.replace(`${base}/${lang}/${location.search}${location.hash}`);
}
