/** Deals and their proofs, for the page of a table and the page of a match that is over. */

import { bytesOf, check, readLog } from "./chances.js";
import { keyed, make, say, setAttribute, setText } from "../../web/static/page.js";

/** @typedef {import("./chances.js").Chance} Chance */
/** @typedef {import("./chances.js").Finding} Finding */
/** @typedef {ReturnType<typeof readLog>} Told */

/** Name of a check → key of the sentence for success. @type {Record<string, string>} */
const RIGHT = {
  chain: "right_chain",
  order: "right_order",
  seal: "right_seal",
  promises: "right_promises",
  own: "right_own",
  cards: "right_cards",
  given: "right_given",
  lots: "right_lots",
};
/** Name of a check → key of the sentence for failure. @type {Record<string, string>} */
const WRONG = {
  chain: "wrong_chain",
  order: "wrong_order",
  seal: "wrong_seal",
  promises: "wrong_promises",
  own: "wrong_own",
  own_left: "wrong_own_left",
  cards: "wrong_cards",
  given: "wrong_given",
  lots: "wrong_lots",
};

/**
 * Show every deal of a log, with buttons to check it. May be called again as the log grows.
 * @param {HTMLElement} box
 * @param {Record<string, any>[]} log
 * @param {string[]} names by seat
 * @param {string} heading the tag of the deals' headings
 * @param {(lines: string[]) => void} tell says the outcome
 */
export function showProofs(box, log, names, heading, tell) {
  const told = readLog(log);
  if (box.children.length === 0) {
    const all = make("button", { type: "button", class: "all" }, say("proof_all"));
    box.append(
      make("p", { class: "help" }, say(told.given ? "proof_help_given" : "proof_help")),
      make("p", { class: "buttons" }, [all]),
      make("ol", { class: "proofs" }),
    );
  }
  const list = box.children[2];
  const [button] = box.children[1].children;
  /** @type {HTMLElement} */ (button).onclick = () => tell(judgeAll(list, told, names));
  keyed(
    list,
    told.chances,
    ({ number }, place) => `${number} ${place}`,
    ({ number }) => framed(number, heading),
    (item, chance, place) => {
      paintFacts(item.children[4].children[1], chance, names);
      const waits = !canBeChecked(chance, told);
      const [one] = item.children[2].children;
      item.children[2].toggleAttribute("hidden", waits);
      if (waits) setText(item.children[1], say(chance.secret ? "proof_hidden" : "proof_waits"));
      else if (item.dataset.checked === undefined) setText(item.children[1], "");
      /** @type {HTMLElement} */ (one).onclick = () => tell([judge(item, told, place, names)]);
    },
  );
}

/**
 * @param {number} number
 * @param {string} heading
 */
function framed(number, heading) {
  return make("li", { id: `proof-${number}` }, [
    make(heading, {}, say("proof_deal", { number })),
    make("p", { class: "verdict" }),
    make("p", { class: "buttons" }, [
      make("button", { type: "button" }, say("proof_one", { number })),
    ]),
    make("ul", { class: "findings" }),
    make("details", {}, [
      make("summary", {}, say("proof_facts", { number })),
      make("dl", { class: "facts" }),
    ]),
  ]);
}

// Judging

/**
 * Whether a deal's secret is revealed and, where its cards are given, all hands are known.
 * @param {Chance} chance
 * @param {Told} told
 */
function canBeChecked({ secret, hands, kitty }, { given }) {
  return secret !== null && !(given && [...hands, kitty].includes(null));
}

/**
 * Check one deal, show the findings, and return them as a sentence.
 * @param {HTMLElement} item
 * @param {Told} told
 * @param {number} place
 * @param {string[]} names
 */
function judge(item, { rules, chances, given }, place, names) {
  const chance = chances[place];
  const findings = check(chance, chances[place - 1] ?? null, rules, given);
  const holds = findings.every((finding) => finding.right);
  const name = holds ? "proof_holds" : "proof_fails";
  const verdict = say(given ? `${name}_given` : name, { number: chance.number });
  item.dataset.checked = holds ? "holds" : "fails";
  setText(item.children[1], verdict);
  item.children[3].replaceChildren(
    ...findings.map((finding) => make("li", {}, sentences(finding, names))),
  );
  const wrong = findings.filter((finding) => !finding.right);
  return [verdict, ...wrong.map((finding) => worded(finding, names))].join(" ");
}

/**
 * Check all deals whose secrets are revealed; return how many hold, and which do not.
 * @param {Element} list
 * @param {Told} told
 * @param {string[]} names
 */
function judgeAll(list, told, names) {
  let count = 0;
  let most = 0;
  /** @type {string[]} */
  const wrong = [];
  told.chances.forEach((chance, place) => {
    if (!canBeChecked(chance, told)) return;
    const item = /** @type {HTMLElement} */ (list.children[place]);
    const verdict = judge(item, told, place, names);
    most += 1;
    if (item.dataset.checked === "holds") count += 1;
    else wrong.push(verdict);
  });
  return [say(told.given ? "proof_sum_given" : "proof_sum", { count, most }), ...wrong];
}

/**
 * @param {Finding} finding
 * @param {string[]} names
 */
function sentences(finding, names) {
  const { right } = finding;
  const sign = make("span", { class: right ? "right" : "wrong" }, right ? "✓" : "✗");
  sign.setAttribute("aria-hidden", "true");
  return [sign, new Text(` ${worded(finding, names)}`)];
}

/**
 * @param {Finding} finding
 * @param {string[]} names
 */
function worded({ what, right, seat }, names) {
  return say((right ? RIGHT : WRONG)[what], seat === undefined ? {} : { name: names[seat] });
}

// The facts on record

/**
 * @param {Element} list
 * @param {Chance} chance
 * @param {string[]} names
 */
function paintFacts(list, chance, names) {
  /** @type {[string, string | null][]} */
  const facts = [[say("fact_seal"), chance.digest]];
  for (const [seat, digest] of chance.promises) {
    facts.push([say("fact_promise", { name: names[seat] }), digest]);
  }
  for (const [seat, data] of [...chance.shares].sort(([one], [other]) => one - other)) {
    const name = chance.house.includes(seat) ? "fact_house" : "fact_share";
    facts.push([say(name, { name: names[seat] }), data]);
  }
  if (chance.secret !== null) facts.push([say("fact_secret"), chance.secret]);
  keyed(
    list,
    facts,
    (_, place) => String(place),
    () => make("div", {}, [make("dt"), make("dd")]),
    (pair, [name, value]) => {
      setText(pair.children[0], name);
      setText(pair.children[1], value === null ? say("fact_none") : hex(value));
      setAttribute(pair, "class", value === null ? "none" : null);
    },
  );
}

/** @param {string} text in base64 */
function hex(text) {
  return [...bytesOf(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
