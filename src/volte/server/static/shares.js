/**
 * What this browser has added to shuffles: kept here, so that a record can be held against it
 * later (docs/fair.md: only the program itself knows which bytes it sent).
 */

const KEY = "volte shares";
const MOST = 500;

/** @typedef {{digest: string, seat: number, data: string}} Share */

/**
 * @param {string} digest of the house's commitment, in base64
 * @param {number} seat
 * @param {string} data the bytes that were sent, in base64
 */
export function rememberShare(digest, seat, data) {
  const others = all().filter((share) => share.digest !== digest || share.seat !== seat);
  try {
    localStorage.setItem(KEY, JSON.stringify([...others, { digest, seat, data }].slice(-MOST)));
  } catch {
    // Without storage nothing can be compared later.
  }
}

/**
 * What was sent for the deal of that commitment.
 * @param {string} digest
 */
export function sharesFor(digest) {
  return all().filter((share) => share.digest === digest);
}

/** @returns {Share[]} */
function all() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
