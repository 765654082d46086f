/**
 * Measures of a page as it stands: contrast, targets, and parts cut off. Evaluates to an object of
 * functions, each of which answers with sentences about faults.
 */
(() => {
  const CONTROLS = "a[href], button, input, select, textarea, summary, [role=option]";
  const LEAST_TARGET = 24;
  /** Contrast that large words and barred cards need, by the contrast that small words need. */
  const LARGE = { 4.5: 3, 7: 4.5 };

  /** The function with its answers kept: nothing changes on the page while it is measured. */
  function once(answer) {
    const known = new Map();
    return (key) => {
      if (!known.has(key)) known.set(key, answer(key));
      return known.get(key);
    };
  }

  const told = (element) => {
    const name = element.id ? `#${element.id}` : "";
    const kind = element.className && typeof element.className === "string"
      ? `.${element.className.trim().split(/\s+/).join(".")}` : "";
    const text = (element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
    return `${element.localName}${name}${kind} "${text}"`;
  };

  const seen = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  /** Words for screen readers alone, kept in one pixel; and parts that only the focus brings in. */
  const unseen = once((element) => {
    const box = element.getBoundingClientRect();
    if (box.right <= 0 || box.bottom + scrollY <= 0) return true;
    const style = getComputedStyle(element);
    if (style.clipPath === "inset(50%)") return true;
    if (style.overflow !== "visible" && box.width <= 2 && box.height <= 2) return true;
    return element.parentElement !== null && unseen(element.parentElement);
  });

  /** The dialog that stands before all else, if one does. */
  const modal = () => [...document.querySelectorAll("dialog:modal, [aria-modal=true]")].find(seen);

  /** The part of the page that can be used now. */
  const stage = () => modal() ?? document.body;

  // Colours

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

  /** Red, green and blue from 0 to 255, and alpha from 0 to 1, however the colour is written. */
  const channels = once((colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  });

  const over = ([red, green, blue, alpha], below) =>
    [red, green, blue].map((each, place) => each * alpha + below[place] * (1 - alpha));

  function luminance(colour) {
    const [red, green, blue] = colour.map((each) => {
      const share = each / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  function contrast(one, other) {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }

  /** The colours that a background can have: those of a gradient are all among them. */
  function paints(style) {
    const stops = style.backgroundImage.match(/(?:rgba?|color|oklch|oklab|hsla?|lab|lch)\([^()]*\)/g);
    const found = (style.backgroundImage.includes("gradient") && stops) || [];
    const plain = channels(style.backgroundColor);
    return plain[3] > 0 ? [...found.map(channels), plain] : found.map(channels);
  }

  /** All the colours that may lie behind an element. */
  function backgrounds(element) {
    const layers = [];
    for (let each = element; each; each = each.parentElement) {
      const found = paints(getComputedStyle(each));
      if (found.length > 0) layers.push(found);
      if (found.length > 0 && found.every((colour) => colour[3] === 1)) break;
    }
    const base = [channels("Canvas").slice(0, 3)];
    return layers.reverse().reduce(
      (below, layer) => layer.flatMap((colour) => below.map((each) => over(colour, each))),
      base,
    );
  }

  function opacity(element) {
    let found = 1;
    for (let each = element; each; each = each.parentElement)
      found *= Number(getComputedStyle(each).opacity);
    return found;
  }

  /** The elements that hold words of their own. */
  function texts() {
    const walker = document.createTreeWalker(stage(), NodeFilter.SHOW_TEXT);
    const found = new Set();
    while (walker.nextNode()) {
      const { parentElement: parent, data } = walker.currentNode;
      if (data.trim() && !["SCRIPT", "STYLE", "NOSCRIPT"].includes(parent.tagName)) found.add(parent);
    }
    return [...found].filter((element) => seen(element) && !unseen(element) && !behindWord(element));
  }

  /** Words on the felt behind an overlay, which goes again. */
  function behindWord(element) {
    if (!element.closest("#felt, .answer")) return false;
    const words = element.getBoundingClientRect();
    const told = ".answer, .asked, .bubble, .connection, .each, .ending, .gain, .note, .panel, .spell"
      + (element.matches(".portrait") ? ", .signs, .states" : ""); // tokens at its edge
    return [...document.querySelectorAll(`.game :is(${told}), #aside.open`)].some((each) => {
      if (each.contains(element) || !each.checkVisibility()) return false;
      const over = each.getBoundingClientRect();
      return over.left < words.right && words.left < over.right
        && over.top < words.bottom && words.top < over.bottom;
    });
  }

  /** Boxes in the picture in which an element's own words can be seen. */
  function boxes(element) {
    const [across, down] = modal() ? [0, 0] : [scrollX, scrollY];
    const range = document.createRange();
    const found = [...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())
      .flatMap((node) => {
        range.selectNodeContents(node);
        return [...range.getClientRects()];
      })
      .map(({ left, top, right, bottom, height }) => ({ left, top, right, bottom, high: height }));
    for (let each = element; each && each !== document.body; each = each.parentElement) {
      if (getComputedStyle(each).overflow === "visible") continue;
      const room = each.getBoundingClientRect();
      for (const box of found) {
        box.left = Math.max(box.left, room.left);
        box.top = Math.max(box.top, room.top);
        box.right = Math.min(box.right, room.right);
        box.bottom = Math.min(box.bottom, room.bottom);
      }
    }
    return found
      .filter((box) => box.right - box.left > 2 && box.bottom - box.top > box.high / 2)
      .map((box) => ({
        left: box.left + across, right: box.right + across,
        top: box.top + down, bottom: box.bottom + down,
      }));
  }

  /** The colours behind some words, as numbers, from a picture of the page without its words. */
  function behind(element, picture) {
    const found = [];
    for (const { left, top, right, bottom } of boxes(element))
      for (let across = 0.05; across < 1; across += 0.1)
        for (const down of [0.2, 0.5, 0.8]) {
          const x = Math.round(left + (right - left) * across);
          const y = Math.round(top + (bottom - top) * down);
          if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) continue;
          const at = 4 * (y * picture.width + x);
          const { data } = picture;
          found.push((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
        }
    return found;
  }

  /** The pictures as one, decoded without an address, which the content policy would not let in. */
  async function decoded(shots) {
    const images = await Promise.all(shots.map(([, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
      return createImageBitmap(new Blob([bytes], { type: "image/png" }));
    }));
    const [{ width }] = images;
    const height = Math.max(...images.map((image, place) => shots[place][0] + image.height));
    const drawn = new OffscreenCanvas(width, height).getContext("2d");
    // What the first picture shows holds: a part that sticks to the window has moved in the others.
    for (const place of [...images.keys()].reverse()) {
      drawn.drawImage(images[place], 0, shots[place][0]);
    }
    return drawn.getImageData(0, 0, width, height);
  }

  /**
   * Words without enough contrast to their background (1.4.3, 1.4.6), and the least contrast found.
   * Barred cards have to be readable as well, if not as easily.
   * `enough` is the contrast for small words; large ones need the one that goes with it.
   */
  async function faint(shots, enough) {
    const picture = await decoded(shots);
    for (const each of document.getAnimations()) each.cancel();
    const faults = [];
    let least = 21;
    for (const element of texts()) {
      if (element.closest(":disabled")) continue;
      const style = getComputedStyle(element);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      const barred = element.closest("[aria-disabled=true]") !== null;
      const [red, green, blue, alpha] = channels(style.color);
      const ink = [red, green, blue, alpha * opacity(element)];
      const against = once((number) => {
        const colour = [number >> 16, (number >> 8) & 255, number & 255];
        return contrast(over(ink, colour), colour);
      });
      const ratios = behind(element, picture).map(against).sort((a, b) => a - b);
      if (ratios.length === 0) continue;
      const ratio = ratios[Math.floor(ratios.length / 10)];
      if (!large && !barred) least = Math.min(least, ratio);
      if (ratio < (large || barred ? LARGE[enough] : enough) - 0.005)
        faults.push(`contrast ${ratio.toFixed(2)}: ${told(element)}`);
    }
    return { faults, least };
  }

  /** Fields whose edge cannot be seen (1.4.11). */
  function edgeless() {
    const fields = "input:not([type=hidden], [type=checkbox], [type=radio], [type=range]), select, textarea";
    return [...stage().querySelectorAll(fields)].filter(seen).flatMap((field) => {
      const style = getComputedStyle(field);
      const inside = over(channels(style.backgroundColor), [255, 255, 255]);
      const edge = parseFloat(style.borderTopWidth) > 0 ? channels(style.borderTopColor) : null;
      const ratio = Math.min(
        ...backgrounds(field.parentElement).map((outside) =>
          Math.max(edge ? contrast(over(edge, outside), outside) : 1, contrast(inside, outside))),
      );
      return ratio < 2.995 ? [`edge ${ratio.toFixed(2)}: ${told(field)}`] : [];
    });
  }

  /** Buttons, fields and cards that only their background shows. */
  function bare() {
    const kinds = "button, .button, input:not([type=hidden], [type=range]), select, [role=option]";
    return [...stage().querySelectorAll(kinds)]
      .filter((each) => seen(each) && !unseen(each) && !each.matches("input[type=checkbox], input[type=radio]"))
      .filter((each) => {
        const style = getComputedStyle(each);
        const edge = parseFloat(style.borderBottomWidth) > 0 && style.borderBottomStyle !== "none";
        const line = parseFloat(style.outlineWidth) > 0 && style.outlineStyle !== "none";
        const underlined = style.textDecorationLine.includes("underline");
        return !edge && !line && !underlined && !each.querySelector("svg, img");
      })
      .map((each) => `no edge: ${told(each)}`);
  }

  // Targets

  /**
   * The part of an element on which a press counts for it: width and height, measured only up to
   * the required size, since looking at every point of a page takes seconds.
   */
  function pressed(element) {
    const box = element.getBoundingClientRect();
    const hits = (x, y) => {
      const found = document.elementFromPoint(x, y);
      return found !== null && (element === found || element.contains(found)
        || found.closest("label")?.control === element);
    };
    const longest = (from, to, at) => {
      let best = 0, run = 0;
      for (let place = from + 0.5; place < to && best < LEAST_TARGET; place += 1) {
        run = at(place) ? run + 1 : 0;
        best = Math.max(best, run);
      }
      return best;
    };
    let [width, height] = [0, 0];
    for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      const [x, y] = [box.left + box.width * part, box.top + box.height * part];
      if (width < LEAST_TARGET)
        width = Math.max(width, longest(box.left, box.right, (each) => hits(each, y)));
      if (height < LEAST_TARGET)
        height = Math.max(height, longest(box.top, box.bottom, (each) => hits(x, each)));
    }
    return [width, height];
  }

  /** Links in a line of text are as high as the line (2.5.8, "inline"). */
  function inline(element) {
    if (element.localName !== "a" || getComputedStyle(element).display !== "inline") return false;
    const text = (element.parentElement?.textContent ?? "").trim();
    return text.length > (element.textContent ?? "").trim().length;
  }

  /** Controls that are too small to be hit (2.5.8). */
  function small() {
    const controls = [...stage().querySelectorAll(CONTROLS)].filter(
      (each) => seen(each) && !unseen(each) && !inline(each) && each.type !== "hidden"
        && !behindWord(each),
    );
    const faults = [];
    for (const control of controls) {
      control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const box = control.getBoundingClientRect();
      if (box.width === 0 || box.bottom < 0 || box.top > innerHeight) continue;
      if (behindWord(control)) continue; // since it was scrolled
      const label = control.labels?.[0];
      const [width, height] = pressed(control);
      const wide = label?.contains(control) ? label.getBoundingClientRect() : { width: 0, height: 0 };
      if (Math.max(width, wide.width) < LEAST_TARGET - 0.5
        || Math.max(height, wide.height) < LEAST_TARGET - 0.5)
        faults.push(`target ${width} × ${height}: ${told(control)}`);
    }
    scrollTo(0, 0);
    return faults;
  }

  // Room

  function scrolls(element) {
    for (let each = element.parentElement; each && each !== document.body; each = each.parentElement)
      if (["auto", "scroll"].includes(getComputedStyle(each).overflowX)) return true;
    return false;
  }

  /** Parts that need scrolling in two directions, or are out of reach (1.4.10). */
  function wide() {
    const faults = [];
    const room = document.documentElement.clientWidth;
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > room) faults.push(`the page is ${scrollWidth} wide, of ${room}`);
    for (const element of texts()) {
      const box = element.getBoundingClientRect();
      if ((box.right > room + 1 || box.left < -1) && !scrolls(element))
        faults.push(`from ${Math.round(box.left)} to ${Math.round(box.right)}: ${told(element)}`);
      else if (spills(element)) faults.push(`beyond its button: ${told(element)}`);
    }
    return faults;
  }

  /** Whether words stand beyond the edge of their button. */
  function spills(element) {
    const button = element.closest("button, a.button");
    if (!button || getComputedStyle(element).textOverflow === "ellipsis") return false;
    const words = document.createRange();
    words.selectNodeContents(element);
    const [inner, outer] = [words.getBoundingClientRect(), button.getBoundingClientRect()];
    return inner.left < outer.left - 1 || inner.right > outer.right + 1
      || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
  }

  /** Text that is cut off by its box; names too long for a plate end in dots, and have a title. */
  function cut() {
    return texts().flatMap((text) => {
      if (getComputedStyle(text).textOverflow === "ellipsis" && text.closest("[title]")) return [];
      for (let each = text; each && each !== document.body; each = each.parentElement) {
        const style = getComputedStyle(each);
        if (style.display === "inline" || unseen(each)) break;
        const across = ["hidden", "clip"].includes(style.overflowX)
          && each.scrollWidth > each.clientWidth + 1;
        const down = ["hidden", "clip"].includes(style.overflowY)
          && each.scrollHeight > each.clientHeight + 1;
        if (across || down) return [`cut off: ${told(text)}`];
        if (style.overflow !== "visible") break;
      }
      return [];
    });
  }

  return { modal, faint, edgeless, bare, small, wide, cut };
})()
