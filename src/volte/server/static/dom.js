/** Small steps in the document: nothing is written that is there already. */

/**
 * The element of that id, which the template has.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function by(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`#${id}`);
  return found;
}

/**
 * @param {string} tag
 * @param {Record<string, string>} [attributes]
 * @param {string | Node[]} [content]
 * @returns {HTMLElement}
 */
export function make(tag, attributes = {}, content = "") {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (typeof content === "string") made.textContent = content;
  else made.append(...content);
  return made;
}

/**
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Sets an attribute, or takes it away where the value is null.
 * @param {Element} element
 * @param {string} name
 * @param {string | null} value
 */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/**
 * Brings the children of a list up to date without touching those that stay: nothing that is
 * looked at, or has the focus, is made anew or moved.
 * @template T
 * @param {Element} list
 * @param {readonly T[]} items
 * @param {(item: T, place: number) => string} key one that no other item has
 * @param {(item: T) => HTMLElement} create
 * @param {(element: HTMLElement, item: T, place: number) => void} paint
 */
export function keyed(list, items, key, create, paint) {
  const wanted = new Set(items.map(key));
  const there = new Map();
  for (const child of [...list.children]) {
    const name = /** @type {HTMLElement} */ (child).dataset.key ?? "";
    if (wanted.has(name)) there.set(name, child);
    else child.remove();
  }
  items.forEach((item, place) => {
    const name = key(item, place);
    let element = there.get(name);
    if (!element) {
      element = create(item);
      element.dataset.key = name;
    }
    if (list.children[place] !== element) list.insertBefore(element, list.children[place] ?? null);
    paint(element, item, place);
  });
}

/**
 * A page that is older than the files of the server is led to the new ones when it fetches another
 * module. It must not mix the two, and so loads itself again; once for each set of files, so that
 * two servers that differ cannot make it go round.
 */
function renew() {
  const { dataset } = document.documentElement;
  const [files = ""] = /[0-9a-f]{16}(?=\/[^/]*$)/.exec(import.meta.url) ?? [];
  if (files) dataset.files ??= files;
  if (!files || dataset.files === files) return;
  try {
    if (sessionStorage.getItem("volte files") === files) return;
    sessionStorage.setItem("volte files", files);
    location.reload();
  } catch {
    // Without storage nobody can tell how often that was.
  }
}

renew();
