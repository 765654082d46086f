/**
 * Takes what has just been done out of the address, once the page has told it: a page that is loaded
 * again, or given to others by its address, does not tell it again.
 */

import { onPage, tab } from "./page.js";

/** Parameters of addresses that name what has been done. */
const DONE = ["done", "drawn", "kept", "sent", "taken", "undone"];

export const start = () => {
  const address = tab.address();
  if (!DONE.some((name) => address.searchParams.has(name))) return;
  for (const name of DONE) address.searchParams.delete(name);
  tab.replace(address.href);
};

onPage(start);
