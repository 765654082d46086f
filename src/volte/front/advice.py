"""Advice to a seat, with its reason."""

from __future__ import annotations

from dataclasses import dataclass

from volte import bots, say
from volte.bots import Hint, chosen_moon
from volte.cards import CardSet, Unchanging, WrongType
from volte.front.error import IllegalMove
from volte.game import ChooseMoon, Pass, Phase, Play, Refusal
from volte.referee import to_act
from volte.view import View


@dataclass(frozen=True, repr=False)
class Advice(Unchanging):
    """The choice of `casual` for a seat, with its reasons. `str` gives the English sentence."""

    view: View  # the match as the advised seat sees it
    action: Play | Pass | ChooseMoon  # the action to give to `Match.do`
    reasons: Hint | None  # reasons of a play or a pass; None for a `ChooseMoon`

    def __post_init__(self) -> None:
        if self.reasons is None and not isinstance(self.action, ChooseMoon):
            raise WrongType.of("reasons", Hint, None)

    @property
    def cards(self) -> CardSet:
        """The card to play, or the cards to pass; none for a `ChooseMoon`."""
        match self.action:
            case Play(card=card):
                return CardSet([card])
            case Pass(cards=cards):
                return CardSet(cards)
            case _:
                return CardSet()

    def say(self, lang: str = "en") -> str:
        """The sentence in a language, `en` or `fr`."""
        words = say.Words(lang)  # loads all sentences, so only when one is wanted
        if isinstance(self.action, ChooseMoon):
            return words.moon_hint(self.view, self.action)
        assert self.reasons is not None
        return words.hint(self.reasons, self.view)

    def __str__(self) -> str:
        return self.say()

    def __repr__(self) -> str:
        return f"<Advice: {self}>"


def hint(view: View) -> Advice:
    """Advise the seat of a view: an action, and its reasons.

    Raises `IllegalMove` if the seat has nothing to pass, to play or to choose.

    >>> from volte import Match
    >>> hint(Match("coeurs", players=5, seed=1).view(0)).cards
    CardSet('S: Q D: Q C: K')
    """
    moon = chosen_moon(view)
    if moon is not None:
        return Advice(view, moon, None)
    if not (view.my_turn and (view.legal or view.state.phase is Phase.PASSING)):
        raise IllegalMove.refused(_not_asked(view), view)
    reasons = bots.hint(view)
    return Advice(view, reasons.action, reasons)


def _not_asked(view: View) -> Refusal:
    """The refusal of advice to a seat that has nothing to do, with the reason."""
    turns = to_act(view.state) if view.state.phase is Phase.PLAYING else ()
    if view.seat is None:
        return Refusal("no_seat_to_advise")
    if view.state.phase is Phase.PASSING:
        return Refusal("already_passed", "P1")
    if view.seat in turns or not turns:
        return Refusal("not_playing_now")
    return Refusal("not_your_turn", "T2", params={"turn": turns[0]})
