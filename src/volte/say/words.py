"""`Words`: everything that Volte says, in one person's language."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from volte.bots import Hint
from volte.cards import Card, Fault, Suit
from volte.game import ChooseMoon, Refusal
from volte.referee import Event
from volte.say import answers, hints, narration, scores, typed
from volte.say.faults import fault_sentence, refusal_sentence, why
from volte.say.language import N_, Language, system_language
from volte.say.verbosity import Verbosity
from volte.view import View

__all__ = ["N_", "Words"]


class Words(Language):
    """The sentences of one language. Raises `Fault` for a language that Volte does not speak.

    >>> Words("fr").the_card(Card("AH")), Words("en").short(Card("TD"))
    ('l’as de cœur', '10♦')
    """

    @classmethod
    def of_system(cls) -> Words:
        """The words of the language that the system is set to; English where it is neither."""
        return cls(system_language(os.environ))

    # Cards and counts

    def card(self, card: Card) -> str:
        """The bare name: "dame de pique", "queen of spades"."""
        return self.card_in(card, "")

    def the_card(self, card: Card) -> str:
        """With its article: "la dame de pique", "l’as de cœur", "the queen of spades"."""
        return self.card_in(card, "the")

    def short(self, card: Card) -> str:
        """As it is printed: "D♠", "Q♠", "10♦", "Joker rouge"."""
        return self.card_in(card, "short")

    def suit(self, suit: Suit) -> str:
        """As it is said after a rank: "pique", "spades"."""
        return self.grammar.vocabulary.suits[suit]

    def cards(self, cards: Sequence[Card]) -> str:
        """As it is said: "la dame de pique, le 2 de trèfle et l’as de cœur"."""
        return self.listed(tuple(cards), "the")

    # What people type

    def read_card(self, text: str, among: Iterable[Card] = ()) -> Card:
        """The card that somebody typed, in either language. Raises `CardFault`.

        Args:
            among: the hand, which settles what the text leaves open.
        """
        return typed.read_card(self.lang, text, among)

    def yes_or_no(self, text: str) -> bool | None:
        """A typed answer, in either language; None where it is neither."""
        return typed.yes_or_no(text)

    # What cannot be

    def fault(self, fault: Fault) -> str:
        """What is wrong, and what to do about it, in one sentence."""
        return fault_sentence(self, fault)

    def refusal(self, refusal: Refusal, view: View | None = None) -> str:
        """Why an action is refused, and the cards that could be played or passed.

        Args:
            view: None where no match has begun.
        """
        return refusal_sentence(self, refusal, view)

    def why(self, reason: str, /, **params: object) -> str:
        """Why a server does not do something; for a reason without a sentence, that it failed.

        Args:
            reason: as in `Refused`, or in messages of the wire.
            params: what the sentence speaks of; `seconds` to wait are told as `wait`.
        """
        return why(self, reason, **params)

    def hint(self, hint: Hint, view: View | None = None) -> str:
        """Advice, and the reason for it.

        Args:
            view: where it is given, a scatter is advised with who gets which card.
        """
        return hints.hint_sentence(self, hint, view)

    def moon_hint(self, view: View, choice: ChooseMoon) -> str:
        """Advice on how one's moon should count, and what that does (W7)."""
        return hints.moon_hint(self, view, choice)

    # What happens

    def tell(
        self,
        before: View | None,
        event: Event,
        after: View,
        verbosity: Verbosity = Verbosity.NORMAL,
    ) -> tuple[str, ...]:
        """What the person at the view's seat hears of one visible event; () where nothing.

        Args:
            before: the view before the event; None only for `MatchStarted`.
            after: the view after it.
        """
        return narration.tell(self, before, event, after, verbosity)

    # Answers to keys

    def table(self, view: View) -> tuple[str, ...]:
        """C: the cards on the table, and who played them (K1)."""
        return answers.table(self, view)

    def table_card(self, view: View, number: int) -> tuple[str, ...]:
        """1 to 9, and 0 for the tenth: that card of the trick, from 1 (K1)."""
        return answers.table_card(self, view, number)

    def scores(self, view: View) -> tuple[str, ...]:
        """S: the totals, and the stakes where there are any (K1)."""
        return answers.scores(self, view)

    def turn(self, view: View) -> tuple[str, ...]:
        """T: whose turn it is (K1)."""
        return answers.turn(self, view)

    def situation(self, view: View) -> tuple[str, ...]:
        """G: what lies on the table, who would take it, its points, and the own hand by suit."""
        return answers.situation(self, view)

    def seat(self, view: View, seat: int) -> tuple[str, ...]:
        """Shift and a digit: what everybody at the table can know of a seat."""
        return answers.seat(self, view, seat)

    def hand(self, view: View, playable: bool = False, places: bool = True) -> tuple[str, ...]:
        """H: the hand by suit, from high to low.

        Args:
            playable: only the suits of cards that may be played now.
            places: whether each card is followed by its place, by which it can be typed.
        """
        return answers.hand(self, view, playable, places)

    def hand_order(self, view: View) -> tuple[Card, ...]:
        """The hand in the order in which it is told and numbered, from `.1`."""
        return answers.hand_order(view)

    def last_trick(self, view: View) -> tuple[str, ...]:
        """L: the last trick, and who took it."""
        return answers.last_trick(self, view)

    def points_taken(self, view: View) -> tuple[str, ...]:
        """P: who has taken which cards that count, and which are still out."""
        return answers.points_taken(self, view)

    def score_sheet(self, view: View, width: int | None = 80) -> tuple[str, ...]:
        """Every deal and the running totals (S7).

        Args:
            width: columns; where a table would be wider, each deal is a line of its own. None
                for no limit, 0 for lines in any case.
        """
        return scores.score_sheet(self, view, width)
