/** The places of the cards in a hand. */

/** Pixels of a card that belong to it alone, for a finger; fewer where many cards are in a narrow place. */
const STRIP = 44.5;
const NARROW_STRIP = 34;
/** Pixels by which a card that is chosen or has the focus stands out. */
const LIFT = 12;
/** Height of a card, in its widths. */
const HIGH = 1.4;

/**
 * Places for cards side by side, in as few rows as fingers can use; all in pixels.
 * @param {number} room from left to right
 * @param {number} most cards for which there must be room
 * @param {number} count of cards
 */
export function fanned(room, most, count) {
  const strip = most > 14 && room <= 340 ? NARROW_STRIP : STRIP;
  const tall = window.innerHeight;
  const fits = Math.max(1, Math.floor((room - STRIP * 1.15) / strip) + 1);
  const rows = Math.max(1, Math.ceil(most / fits));
  const columns = Math.ceil(most / rows);
  const widest = Math.min(tall * (rows > 1 ? 0.105 : 0.17), Math.max(112, tall * 0.095));
  const wide = Math.max(STRIP, Math.min(widest, room - (columns - 1) * strip));
  const step = columns > 1 ? Math.min((room - wide) / (columns - 1), wide + 6) : 0;
  const down = Math.max(strip + LIFT, wide * HIGH * 0.6);
  const high = Math.ceil((rows - 1) * down + wide * HIGH + LIFT + 4);
  const used = Math.min(rows, Math.ceil(count / columns));
  const each = Math.ceil(count / Math.max(used, 1));
  const places = Array.from({ length: count }, (_, at) => {
    const row = Math.floor(at / each);
    const inRow = Math.min(each, count - row * each);
    const left = (room - (inRow - 1) * step - wide) / 2 + (at % each) * step;
    const top = LIFT + (rows - used + row) * down;
    return { left, top, whole: at % each === inRow - 1 };
  });
  return { wide, step, high, places };
}
