"""Reading of typed text: cards, and yes or no, in both languages at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from volte.cards import (
    CARDS,
    PACK_SIZE,
    Card,
    CardFault,
    VolteError,
    in_first_pack,
    plain_suits,
    twin,
)
from volte.game import Phase
from volte.names import plain
from volte.say.answers import hand_order
from volte.say.catalogue import tongue
from volte.say.grammar import GRAMMARS, Vocabulary
from volte.view import View

Meanings = Mapping[str, tuple[Card, ...]]

_FILLERS: Final = frozenset(
    ("de", "d", "du", "le", "la", "les", "l", "un", "une", "of", "the", "a", "an")
)
_WORD: Final = re.compile(r"[a-z]+|\d+|[♣♦♠♥]")


def read_card(lang: str, text: str, among: Iterable[Card] = ()) -> Card:
    """The card that somebody means: `qs`, `♠Q`, `10c`, `dame de pique`, `as coeur`, `jr`.

    The display language has the first say: `10c` is the ten of hearts in French, of clubs in
    English. What it leaves open `among`, the hand, settles: also which of two equal cards is
    meant, where the hand has one (W11). Raises `CardFault`.
    """
    hand = set(among)
    held = set(map(in_first_pack, hand))
    for language in sorted(GRAMMARS, key=lambda other: other != tongue(lang)):
        exact, loose = _meanings(language)
        for spelling in _spellings(text):
            meant = exact.get(spelling, ())
            if not meant:
                continue
            # A French C is cœur, unless the hand holds the carreau and not the cœur.
            likely = (*meant, *loose.get(spelling, ()))
            chosen = (
                [card for card in meant if card in held]
                or [card for card in likely if card in held]
                or meant
            )
            if len(chosen) > 1:
                raise CardFault("ambiguous_card", text=text, cards=tuple(chosen))
            card = chosen[0]
            return twin(card) if card not in hand and twin(card) in hand else card
    raise CardFault("not_a_card", text=text)


def _spellings(text: str) -> Iterable[str]:
    """The text as the tables spell it: words run together, with its little words and without."""
    words = _words(text)
    yield "".join(words)
    telling = [word for word in words if word not in _FILLERS]
    if len(telling) < len(words):
        yield "".join(telling)
        # "d" and "a" are also ranks: only little words inside the name go.
        inner = [word for word in words[1:-1] if word not in _FILLERS]
        yield "".join((words[0], *inner, words[-1]))


def _words(text: str) -> Sequence[str]:
    # Blanks, apostrophes and hyphens only separate words, numbers and suits; a text with any other
    # sign names no card.
    spelled = plain_suits(plain(text))
    if re.search(r"[^a-z0-9♣♦♠♥\s'\-]", spelled):
        return ()
    return _WORD.findall(spelled)


@lru_cache
def _meanings(lang: str) -> tuple[Meanings, Meanings]:
    """Cards of a language by spelling, and those that a spelling may mean besides."""
    words = GRAMMARS[lang].vocabulary
    exact: dict[str, list[Card]] = {}
    loose: dict[str, list[Card]] = {}
    for card in CARDS[:PACK_SIZE]:
        for spelling in _of_card(words, card):
            exact.setdefault(spelling, []).append(card)
        if card.suit is not None:
            for spelling in _joined(_of_rank(words, card), words.loose_suits.get(card.suit, ())):
                loose.setdefault(spelling, []).append(card)
    return _frozen(exact), _frozen(loose)


def _of_card(words: Vocabulary, card: Card) -> set[str]:
    if card.joker is not None:
        name = plain(words.jokers[card.joker]).replace(" ", "")
        return {name, *words.joker_words[card.joker]}
    assert card.suit is not None
    suits = [plain(words.suits[card.suit]), card.suit.symbol, *words.suit_words[card.suit]]
    return _joined(_of_rank(words, card), suits)


def _of_rank(words: Vocabulary, card: Card) -> list[str]:
    assert card.rank is not None
    names = words.ranks[card.rank], words.letters[card.rank]
    return [*map(plain, names), *words.rank_words.get(card.rank, ())]


def _joined(ranks: Iterable[str], suits: Iterable[str]) -> set[str]:
    """Spellings with the rank before the suit, and with the suit before the rank."""
    suits = list(suits)
    return {pair for rank in ranks for suit in suits for pair in (rank + suit, suit + rank)}


def _frozen(meanings: Mapping[str, list[Card]]) -> Meanings:
    return {spelling: tuple(cards) for spelling, cards in meanings.items()}


_YES: Final = frozenset(("y", "yes", "yeah", "ok", "o", "oui", "ouais", "d'accord"))
_NO: Final = frozenset(("n", "no", "nope", "non"))


def yes_or_no(text: str) -> bool | None:
    """A typed answer; None where it is neither."""
    word = plain(text).strip(" .!")
    if word in _YES:
        return True
    return False if word in _NO else None


Read = Callable[[str], Card]
"""Reader of a card's name. Raises a `VolteError` for a text that names none."""


MOST_WORDS: Final = 6
"""Words in the longest name of a card: "the ten of the clubs"."""


_PLACE: Final = re.compile(r"[.,]\d+")


_AND: Final = frozenset({"et", "and", "&", "+"})


def read_choice(lang: str, line: str, view: View) -> tuple[Card, ...]:
    """The cards that somebody at the view's seat passes or plays by typing a line.

    Several in the pass, else one. Raises a `VolteError`.
    """
    hand, named = view.hand, set[Card]()

    def read(name: str) -> Card:
        """The card of a name; a name given twice means both of two equal cards (W11)."""
        card = read_card(lang, name, hand)
        if card in named and twin(card) in hand:
            card = twin(card)
        named.add(card)
        return card

    cards = read_answer(line, hand_order(view), read)
    twice = [card for card in cards if cards.count(card) > 1]
    if twice:
        raise CardFault("named_twice", card=twice[0])
    if view.state.phase is Phase.PASSING:
        return cards
    if len(cards) != 1:
        raise CardFault("one_card")
    [card] = cards
    legal = view.legal  # of two equal cards, one may be playable alone (L2)
    return (twin(card) if card not in legal and twin(card) in legal else card,)


def read_answer(line: str, hand: Sequence[Card], read: Read) -> tuple[Card, ...]:
    """The cards of a line, in the order typed.

    Args:
        hand: in the order in which places are counted.
        read: reads one card's name.

    Raises a `VolteError`. Longer names go first, so `dame de pique as 10h` are three cards.
    """
    words = re.sub(r"[,;](?!\d)", " , ", re.sub(r"(?<=\d)(?=\.\d)", " ", line)).split()
    cards: list[Card] = []
    at = 0
    while at < len(words):
        if words[at] == "," or (words[at].casefold() in _AND and cards):
            at += 1
            continue
        card, used = _next_card(words[at:], hand, read)
        cards.append(card)
        at += used
    return tuple(cards)


def _next_card(words: list[str], hand: Sequence[Card], read: Read) -> tuple[Card, int]:
    if _PLACE.fullmatch(words[0]):
        return _at(int(words[0][1:]), hand), 1
    stop = words.index(",") if "," in words else len(words)
    first_fault: VolteError | None = None
    for used in range(min(stop, MOST_WORDS), 0, -1):
        try:
            return read(" ".join(words[:used])), used
        except VolteError as fault:
            first_fault = first_fault or fault
    assert first_fault is not None
    raise first_fault


def _at(place: int, hand: Sequence[Card]) -> Card:
    if not 1 <= place <= len(hand):
        raise CardFault("no_such_place", place=place, most=len(hand))
    return hand[place - 1]
