"""`Words`: everything that Volte says, in one person's language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from volte.cards import Card, Suit
from volte.say import answers, faults, hints, narration, typed
from volte.say.language import N_, Language
from volte.say.scores import score_sheet as score_sheet_lines

__all__ = ["N_", "Words", "words_of"]


class Words(Language):
    """The sentences of one language. Raises `VolteError` for a language that Volte does not speak.

    Many of its methods are functions of other modules, which take the language first. They have the
    same name here as there: what is sent to another process is found by its name.

    >>> Words("fr").the_card(Card("AH")), Words("en").short(Card("TD"))
    ('l’as de cœur', '10♦')
    """

    __match_args__ = ("lang", "zone")

    def __init__(self, lang: str, zone: str = "") -> None:
        """
        Args:
            zone: the name of the person's time zone; empty where it is not known.
        """
        super().__init__(lang)
        self.zone = zone

    # Cards and counts

    def card(self, card: Card) -> str:
        """A card by its bare name: "dame de pique", "queen of spades"."""
        return self.card_in(card, "")

    def the_card(self, card: Card) -> str:
        """A card with its article: "la dame de pique", "l’as de cœur", "the queen of spades"."""
        return self.card_in(card, "the")

    def short(self, card: Card) -> str:
        """A card as it is printed: "D♠", "Q♠", "10♦", "Joker rouge"."""
        return self.card_in(card, "short")

    def suit(self, suit: Suit) -> str:
        """A suit as it is said after a rank: "pique", "spades"."""
        return self.grammar.vocabulary.suits[suit]

    def cards(self, cards: Sequence[Card]) -> str:
        """Cards as a list: "la dame de pique, le 2 de trèfle et l’as de cœur"."""
        return self.listed(tuple(cards), "the")

    # Typed text

    def read_card(self, text: str, among: Iterable[Card] = ()) -> Card:
        """The card that somebody typed, in either language. Raises `CardFault`.

        Args:
            among: the hand, which settles what the text leaves open.
        """
        return typed.read_card(self.lang, text, among)

    yes_or_no = staticmethod(typed.yes_or_no)

    # Faults and refusals

    fault = faults.fault
    refusal = faults.refusal
    why = faults.why

    # Narration, hints, and answers to keys

    tell = narration.tell
    hint = hints.hint
    moon_hint = hints.moon_hint
    table = answers.table
    table_card = answers.table_card
    scores = answers.scores
    turn = answers.turn
    situation = answers.situation
    newcomer = answers.newcomer
    seat = answers.seat
    hand = answers.hand
    hand_order = staticmethod(answers.hand_order)
    last_trick = answers.last_trick
    points_taken = answers.points_taken
    score_sheet = score_sheet_lines


@cache
def words_of(lang: str, zone: str = "") -> Words:
    """The words of a language, made once."""
    return Words(lang, zone)
