/** Reads the chance (shuffles and lots) of each deal from a log, and checks it (docs/fair.md). */

import { takerOf } from "./score.js";
import {
  base64,
  encode,
  fromBase64,
  hmac,
  promised,
  sha256,
  sharesFor,
} from "../../web/static/shares.js";

/**
 * The log's facts about one deal. Bytes are in base64, as they come; null for a seat left out.
 * @typedef {{number: number, digest: string, house: number[], secret: string | null,
 *   promises: Map<number, string | null>, shares: Map<number, string | null>, disorder: boolean,
 *   dealer: number, direction: string, hands: (string[] | null)[], kitty: string[] | null,
 *   played: Map<number, Set<string>>, lots: string[][]}} Chance
 *
 * One check: its name, whether it has passed, and the seat at fault if that is known.
 * @typedef {{what: string, right: boolean, seat?: number}} Finding
 */

const SUITS = "CDSH";
const RANKS = "23456789TJQKA";
/** A whole pack in its order, from which lots are drawn. */
const PACK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

/**
 * @param {Record<string, any>[]} log
 * @returns {{rules: Record<string, any>, chances: Chance[], given: boolean}} given: whether the cards
 *   are given and not drawn
 */
export function readLog(log) {
  /** @type {Record<string, any>} */
  let rules = {};
  let given = false;
  /** @type {Chance[]} */
  const chances = [];
  for (const event of log) {
    if (event.event === "MatchStarted") {
      rules = event.rules;
      given = (event.cards ?? null) !== null;
    } else if (event.event === "Committed") chances.push(begun(event));
    else if (event.event === "Revealed") reveal(chances, event);
    else if (chances.length > 0) add(chances[chances.length - 1], event);
  }
  return { rules, chances, given };
}

/**
 * @param {Record<string, any>} event
 * @returns {Chance}
 */
function begun({ number, digest, house }) {
  return {
    number,
    digest,
    house,
    secret: null,
    promises: new Map(),
    shares: new Map(),
    disorder: false,
    dealer: 0,
    direction: "hold",
    hands: [],
    kitty: null,
    played: new Map(),
    lots: [],
  };
}

/**
 * @param {Chance[]} chances
 * @param {Record<string, any>} event
 */
function reveal(chances, { number, secret }) {
  const chance = chances.find((each) => each.number === number);
  if (chance) chance.secret = secret;
}

/**
 * @param {Chance} chance
 * @param {Record<string, any>} event
 */
function add(chance, event) {
  const dealt = chance.hands.length > 0;
  switch (event.event) {
    case "Promised":
      if (dealt || anybody(chance)) chance.disorder = true;
      chance.promises.set(event.seat, event.digest);
      break;
    case "Contributed":
      if (dealt || chance.secret !== null) chance.disorder = true;
      chance.shares.set(event.seat, event.data);
      break;
    case "Dealt":
      chance.dealer = event.dealer;
      chance.direction = event.direction;
      chance.hands = event.hands;
      chance.kitty = event.kitty;
      break;
    case "DealerDrawn":
    case "LotsDrawn":
      for (const round of event.rounds) {
        chance.lots.push(round.map((/** @type {[number, string]} */ [, card]) => card));
      }
      break;
    case "Played":
      chance.played.set(event.seat, (chance.played.get(event.seat) ?? new Set()).add(event.card));
      break;
    case "PlayTakenBack":
      chance.played.get(event.seat)?.delete(event.card);
      break;
  }
}

/**
 * Whether a person's share has been told already: seats of the house may tell theirs at any time.
 * @param {Chance} chance
 */
function anybody({ shares, house }) {
  return [...shares].some(([seat, data]) => data !== null && !house.includes(seat));
}

/**
 * Checks a deal whose secret has been told; returns all checks.
 * @param {Chance} chance
 * @param {Chance | null} before the previous deal
 * @param {Record<string, any>} rules
 * @param {boolean} given whether the cards are given; then all hands must be known
 * @returns {Finding[]}
 */
export function check(chance, before, rules, given) {
  const cards = given ? digestOfCards(chance, rules) : null;
  return [
    { what: "chain", right: chance.number === (before?.number ?? 0) + 1 },
    { what: "order", right: !chance.disorder },
    { what: given ? "given" : "seal", right: sealed(chance, before, cards) },
    ...promises(chance),
    ...own(chance),
    ...(given ? [] : [{ what: "cards", right: dealtSo(chance, rules) }]),
    ...(chance.lots.length > 0 ? [{ what: "lots", right: drawnSo(chance) }] : []),
  ];
}

/**
 * Bytes as a log has them; none if they cannot be read.
 * @param {string | null | undefined} text
 */
export function bytesOf(text) {
  try {
    return fromBase64(text ?? "");
  } catch {
    return new Uint8Array(0);
  }
}

/** @typedef {number | string | Uint8Array} Field */

/** @param {Field[]} values */
function fields(...values) {
  return encode(
    ...values.map((value) =>
      value instanceof Uint8Array ? value : new TextEncoder().encode(String(value)),
    ),
  );
}

/**
 * The shares of some seats as fields: seat, bytes, seat, bytes, …, rising.
 * @param {Chance} chance
 * @param {(seat: number) => boolean} which
 * @returns {Field[]}
 */
function bySeat({ shares }, which) {
  return [...shares.keys()]
    .sort((one, other) => one - other)
    .filter((seat) => which(seat) && shares.get(seat) !== null)
    .flatMap((seat) => [seat, bytesOf(shares.get(seat))]);
}

/**
 * The digest of the cards of a deal, by their places in the unshuffled deck.
 * @param {Chance} chance
 * @param {Record<string, any>} rules
 */
function digestOfCards({ dealer, hands, kitty }, rules) {
  const deck = deckOf(rules.deck);
  const fromLeft = [...hands.slice(dealer + 1), ...hands.slice(0, dealer + 1), kitty];
  const piles = fromLeft.map((pile) =>
    fields(...(pile ?? []).map((card) => deck.indexOf(card)).sort((one, other) => one - other)),
  );
  return sha256(fields("volte cards 1", ...piles));
}

/**
 * @param {Chance} chance
 * @param {Chance | null} before
 * @param {Uint8Array | null} cards the digest of the cards, where they are given
 */
function sealed(chance, before, cards) {
  const secret = bytesOf(chance.secret);
  const house = new Set(chance.house);
  const all = chance.house.every((seat) => typeof chance.shares.get(seat) === "string");
  const digest = sha256(
    fields(
      cards === null ? "volte commitment 1" : "volte given cards 1",
      chance.number,
      before === null ? "" : bytesOf(before.digest),
      ...(cards === null ? [] : [cards]),
      secret,
      ...bySeat(chance, (seat) => house.has(seat)),
    ),
  );
  return all && secret.length === 32 && base64(digest) === chance.digest;
}

/**
 * Checks each person's share against its promise, if any were made.
 * @param {Chance} chance
 * @returns {Finding[]}
 */
function promises({ number, house, promises, shares }) {
  if (promises.size === 0) return [];
  for (const [seat, data] of shares) {
    if (data === null || house.includes(seat)) continue;
    const bytes = bytesOf(data);
    const kept = promises.get(seat) === base64(promised(number, seat, bytes));
    if (bytes.length < 16 || !kept) return [{ what: "promises", right: false, seat }];
  }
  return [{ what: "promises", right: true }];
}

/**
 * Checks the share that this browser has sent, if it has, against the log.
 * @param {Chance} chance
 * @returns {Finding[]}
 */
function own({ digest, shares }) {
  return sharesFor(digest).map(({ seat, data }) => {
    const left = shares.get(seat) === null;
    return { what: left ? "own_left" : "own", right: shares.get(seat) === data, seat };
  });
}

/**
 * Whether secret and shares give the cards that were dealt. Hidden hands are checked against the
 * cards that were played and passed from them.
 * @param {Chance} chance
 * @param {Record<string, any>} rules
 */
function dealtSo(chance, rules) {
  const deck = deckOf(rules.deck);
  const players = rules.deck.players;
  const order = shuffle(deck, chance, `deal ${chance.number}`);
  const size = Math.floor(deck.length / players);
  /** @type {Set<string>[]} */
  const hands = Array.from({ length: players }, () => new Set());
  order.slice(0, size * players).forEach((card, place) => {
    hands[(chance.dealer + 1 + place) % players].add(card);
  });
  const kitty = new Set(order.slice(size * players));
  if (chance.hands.length !== players) return false;
  if (chance.kitty !== null && !same(kitty, new Set(chance.kitty))) return false;
  return hands.every((hand, seat) => {
    const told = chance.hands[seat];
    return told === null ? playedFrom(hand, seat, chance, rules) : same(hand, new Set(told));
  });
}

/**
 * Whether a seat has played all cards of the hand it was dealt, but those that it passed and its
 * taker has played.
 * @param {Set<string>} hand
 * @param {number} seat
 * @param {Chance} chance
 * @param {Record<string, any>} rules
 */
function playedFrom(hand, seat, { direction, played }, rules) {
  const own = played.get(seat) ?? new Set();
  const gone = [...hand].filter((card) => !own.has(card));
  if (direction === "scatter") return own.size === hand.size && scattered(gone, seat, played);
  const taker = takerOf(seat, direction, rules.deck.players);
  const count = taker === seat ? 0 : rules.passing.count;
  const there = gone.every((card) => played.get(taker)?.has(card));
  return own.size === hand.size && gone.length === count && there;
}

/**
 * Whether one of those cards came from each of the other seats (W1).
 * @param {string[]} cards
 * @param {number} seat
 * @param {Map<number, Set<string>>} played
 */
function scattered(cards, seat, played) {
  const others = [...played.keys()].filter((each) => each !== seat);
  const once = others.every((each) => cards.filter((card) => played.get(each)?.has(card)).length === 1);
  return once && cards.length === others.length;
}

/** @param {Chance} chance */
function drawnSo(chance) {
  return chance.lots.every((drawn, place) => {
    const order = shuffle(PACK, chance, `lot ${chance.number}.${place + 1}`);
    return drawn.every((card, top) => order[top] === card);
  });
}

/** @param {{removed: string[], jokers: number, packs?: number}} deck */
function deckOf({ removed, jokers, packs = 1 }) {
  const second = packs === 2 ? PACK.map((card) => `${card}'`) : [];
  const all = [...PACK, ...["RJ", "BJ"].slice(0, jokers), ...second];
  return all.filter((card) => !removed.includes(card));
}

/**
 * Fisher–Yates from the last place, by HMAC-SHA256 in counter mode.
 * @param {readonly string[]} cards
 * @param {Chance} chance
 * @param {string} label
 */
export function shuffle(cards, chance, label) {
  const order = [...cards];
  const words = stream(chance, label);
  for (let place = order.length - 1; place > 0; place -= 1) {
    const other = below(place + 1, words);
    [order[place], order[other]] = [order[other], order[place]];
  }
  return order;
}

/**
 * A number below n, each equally likely.
 * @param {number} n
 * @param {Iterator<number>} words
 */
function below(n, words) {
  const limit = 2 ** 32 - (2 ** 32 % n);
  for (;;) {
    const word = words.next().value;
    if (word < limit) return word % n;
  }
}

/**
 * @param {Chance} chance
 * @param {string} label
 * @returns {Generator<number, never>}
 */
function* stream(chance, label) {
  const secret = bytesOf(chance.secret).slice(0, 64);
  const shares = bySeat(chance, () => true);
  for (let block = 0; ; block += 1) {
    const view = new DataView(hmac(secret, fields(label, ...shares, block)).buffer);
    for (let word = 0; word < 8; word += 1) yield view.getUint32(4 * word);
  }
}

/**
 * @param {Set<string>} one
 * @param {Set<string>} other
 */
function same(one, other) {
  return one.size === other.size && [...one].every((card) => other.has(card));
}
