/** The score sheet and the ends of deals, by themselves; evaluates to an object of functions. */
({
  /** Contents of the sheet after happenings and a scene. */
  async sheet([news, scene]) {
    const script = document.querySelector("script[src$='table.js']").src;
    const { Sheet } = await import(new URL("../../../history/static/sheet.js", script).href);
    const sheet = new Sheet();
    for (const happening of news) sheet.see({ happening, number: 0, lines: [], fresh: true });
    document.getElementById("sheet-part").open = true;
    const link = document.querySelector("link[data-parts~=\"web/static/scores.css\"]");
    if (!link.sheet) await new Promise((done) => link.addEventListener("load", done));
    await new Promise((done) => setTimeout(done, 100)); // the page's own sheet is empty
    sheet.paint(scene);
    const texts = (where) => [...document.querySelectorAll(where)].map((each) => each.innerText);
    const svg = document.querySelector("#chart svg");
    const labels = [...document.querySelectorAll("#chart .label text")];
    const lines = [...document.querySelectorAll("#chart .line")];
    return {
      rows: [...document.querySelectorAll("#sheet-rows tr")]
        .map((row) => [...row.children].map((cell) => cell.innerText.replace(/\s+/g, " "))),
      totals: texts("#sheet tfoot td"),
      leads: texts("#sheet tfoot td.leads").map((each) => each.replace(/\s+/g, " ")),
      lead: document.getElementById("sheet-lead").textContent,
      hidden: svg?.getAttribute("aria-hidden"),
      labels: labels.map((each) => each.textContent),
      heights: labels.map((each) => Number(each.getAttribute("y"))),
      dashes: lines.map((each) => each.querySelector("path").getAttribute("stroke-dasharray")),
      marks: lines.map((each) => each.querySelector(".mark").getAttribute("d")),
      limit: document.querySelectorAll("#chart .limit").length,
      drawn: svg ? svg.getBoundingClientRect().width : 0,
      wide: document.documentElement.scrollWidth,
    };
  },

  /** Contents of the end of a deal or a match. */
  async ending([news, scene]) {
    const script = document.querySelector("script[src$='table.js']").src;
    const { Ending } = await import(new URL("./ending.js", script).href);
    const ending = new Ending();
    for (const each of news) ending.see(each);
    ending.paint(scene);
    const box = document.getElementById("ending");
    return { text: box.innerText, hidden: box.hidden, moon: box.querySelector(".moon")?.innerText,
      heads: [...box.querySelectorAll("thead th")].map((each) => each.innerText),
      rows: [...box.querySelectorAll("tbody tr")]
        .map((row) => [...row.children].map((cell) => cell.innerText.replace(/\s+/g, " ")))};
  },
})
