/** Leads on to the pages in the language that was read last here, or that the browser asks for. */
{
  const { base = "", languages = "" } = document.documentElement.dataset;
  const there = languages.split(" ");
  const wanted = navigator.languages.map((each) => each.slice(0, 2).toLowerCase());
  try {
    wanted.unshift(localStorage.getItem(`${base && `${base} `}volte language`) ?? "");
  } catch {
    // Nothing is stored.
  }
  const lang = wanted.find((each) => there.includes(each)) ?? "en";
  location.replace(`${base}/${lang}/${location.search}${location.hash}`);
}
