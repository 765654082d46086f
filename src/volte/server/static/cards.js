/**
 * The pictures of cards. They are for eyes only: whoever shows one says beside it which card it is.
 * All are drawn in one file, made by scripts/cards; colours come from the style of the page.
 */

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new URL("cards.svg", import.meta.url).pathname;

/**
 * The face of a card.
 * @param {string} card its text, such as QS; that of a second pack looks the same
 */
export function picture(card) {
  return drawn("face", card.replace("'", ""));
}

/** The back of every card. */
export function back() {
  return drawn("face back", "");
}

/**
 * @param {string} kind
 * @param {string} card empty for a back
 */
function drawn(kind, card) {
  const face = document.createElementNS(SVG, "svg");
  face.setAttribute("class", kind);
  face.setAttribute("viewBox", "0 0 250 350");
  face.setAttribute("aria-hidden", "true");
  face.setAttribute("focusable", "false");
  face.dataset.card = card;
  face.append(document.createElementNS(SVG, "use"));
  draw(face);
  return face;
}

/**
 * As the page wants it now.
 * @param {SVGSVGElement} face
 */
function draw(face) {
  const { lang, dataset } = document.documentElement;
  const card = face.dataset.card;
  const size = dataset.large === "true" ? "-large" : "";
  const name = card ? `${card}-${lang}${size}` : `back-${dataset.back ?? "waves"}`;
  face.firstElementChild?.setAttribute("href", `${DRAWN}#${name}`);
}

/** Draws all of them anew when the looks have changed. @type {import("./page.js").Part} */
export const faces = {
  suit() {
    for (const face of document.querySelectorAll("svg.face")) {
      draw(/** @type {SVGSVGElement} */ (face));
    }
  },
};
