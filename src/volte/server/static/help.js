/** Help for newcomers, and the dialog of the keys that work now. */

/** The keys that work now, and what they say. */
export function showKeys() {}

/** Shows the help for newcomers, unless they have read it. */
export function welcomeNewcomer() {}
