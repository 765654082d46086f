/** The mark of each side. */

/** Mark of each seat or side: on partners' plates, as in the chart (volte.scene.chart). */
export const MARKS = [
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
  "M-3.6-3.6h7.2v7.2h-7.2z",
  "M0-5L5 0L0 5L-5 0z",
  "M0-4.6L4.6 3.6H-4.6z",
  "M0 4.6L4.6-3.6H-4.6z",
  "M-4-4L4 4M4-4L-4 4",
  "M0-5V5M-5 0H5",
  "M-5 0A5 5 0 0 1 5 0z",
  "M-4.5-2.5H4.5M-4.5 2.5H4.5",
  "M0-5L1.6-1.6L5 0L1.6 1.6L0 5L-1.6 1.6L-5 0L-1.6-1.6z",
];

/**
 * The mark of a side, for the eyes.
 * @param {number} side
 */
export function markOf(side) {
  const space = "http://www.w3.org/2000/svg";
  const drawn = document.createElementNS(space, "svg");
  drawn.setAttribute("viewBox", "-6 -6 12 12");
  drawn.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", MARKS[side]);
  drawn.append(path);
  return drawn;
}
