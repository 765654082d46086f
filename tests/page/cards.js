/** Cards that are drawn to be looked at. Evaluates to an object of functions. */
({
  /** Nine cards in a row. */
  async layOut([cards, width, lang, looks]) {
    const { back, picture } = await import("/static/web/static/page.js");
    document.documentElement.lang = lang;
    Object.assign(document.documentElement.dataset, looks);
    const faces = cards.map((card) => (card ? picture(card) : back()));
    const sheet = document.createElement("div");
    const { style } = sheet;
    style.setProperty("display", "grid");
    style.setProperty("width", `${9 * width}px`);
    style.setProperty("grid-template-columns", `repeat(9, ${width}px)`);
    sheet.append(...faces);
    document.body.replaceChildren(sheet);
    sheet.id = "cards-sheet";
  },

  /** For each card in a picture, a number from its pixels, and its number of colours. */
  async lookAt([picture, count, width]) {
    const bytes = Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return Array.from({ length: count }, (_, at) => {
      const [x, y] = [(at % 9) * width, Math.floor(at / 9) * width * 1.4];
      const { data } = canvas.getImageData(x, Math.ceil(y), width, Math.floor(width * 1.4));
      const pixels = new Uint32Array(data.buffer);
      const trace = pixels.reduce((sum, pixel) => (Math.imul(sum, 31) + pixel) | 0, 0);
      return [trace, new Set(pixels).size];
    });
  },

  /** The drawings of two cards and a back, before and after their looks were changed. */
  async drawnAnew() {
    const { back, faces, picture } = await import("/static/web/static/page.js");
    const shown = [picture("QS'"), picture("RJ"), back()];
    document.body.append(...shown);
    const root = document.documentElement;
    const hrefs = () => shown.map((each) => each.firstChild.getAttribute("href"));
    root.dataset.large = "false";
    root.dataset.back = "lattice";
    faces.settingsChanged();
    const before = hrefs();
    root.dataset.large = "true";
    root.dataset.back = "plain";
    faces.settingsChanged();
    return [before, hrefs(), shown.map((each) => each.getAttribute("aria-hidden"))];
  },
})
