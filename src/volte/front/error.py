"""The error for illegal moves: one sentence, in English or in French."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from volte import say
from volte.cards import CardFault, CardSet, VolteError
from volte.game import Refusal
from volte.view import View


class IllegalMove(VolteError):
    """An action that cannot be taken; nothing has changed.

    The sentence says what may be played instead, and in brackets the clause, as in
    docs/rules/clauses.md.
    """

    __module__ = "volte"

    refusal: Refusal | None = None  # of the engine; None if a text names no card
    view: View | None = None  # the match as the refused seat sees it

    @classmethod
    def refused(cls, refusal: Refusal, view: View | None) -> Self:
        """The error for the engine's refusal of an action, of the seat that has this view."""
        move = cls(refusal.reason, **refusal.params)
        move.refusal, move.view = refusal, view
        return move

    @property
    def clause(self) -> str:
        """The clause that is broken, such as `T1`; empty for none."""
        return "" if self.refusal is None else self.refusal.clause

    @property
    def legal(self) -> CardSet:
        """The cards that the seat could play or pass instead, if the engine names them."""
        return CardSet(() if self.refusal is None else self.refusal.legal)

    def say(self, lang: str = "en") -> str:
        """The sentence in a language, `en` or `fr`."""
        if self.refusal is None:
            return super().say(lang)
        text = say.Words(lang).refusal(self.refusal, self.view)
        return f"{text} ({self.clause})" if self.clause else text


@contextmanager
def unlawful() -> Iterator[None]:
    """Turn a `CardFault`, for cards that cannot be read, into an `IllegalMove`."""
    try:
        yield
    except CardFault as fault:
        raise IllegalMove(fault.reason, **fault.params) from None
