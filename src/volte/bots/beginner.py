"""The two bots without a plan: one draws at random, the other knows a little."""

from __future__ import annotations

from volte.bots.choosing import chosen_moon
from volte.bots.protocol import Clock
from volte.cards import Card
from volte.fair import SplitMix64, read_seed, split
from volte.game import Pass, Phase, Play, SeatAction
from volte.view import View


def draws_of(seed: int, view: View) -> SplitMix64:
    """The draws that belong to one choice: a match that is resumed goes on as it would have."""
    return SplitMix64(split(split(seed, view.seat or 0), view.state.version))


class Drifter:
    """Any legal card, each as likely: the mark that every level must clear."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = read_seed(seed)

    def choose(self, view: View, clock: Clock) -> SeatAction:
        assert view.seat is not None
        asked = chosen_moon(view)
        if asked is not None:
            return asked
        draws = draws_of(self._seed, view)
        if view.state.phase is Phase.PASSING:
            hand = list(view.hand)
            draws.shuffle(hand)
            return Pass(view.seat, tuple(hand[: view.deal.pass_size]))
        return Play(view.seat, draws.choice(tuple(view.legal)))


class Beginner:
    """Legal and a little foolish.

    Ducks when it can and throws its highest cards away, but counts nothing: it forgets the queen,
    guards no suit, sees no moon coming, and plays any card at all one time in `SLIP`.
    """

    SLIP = 6

    def __init__(self, seed: int = 0) -> None:
        self._seed = read_seed(seed)

    def choose(self, view: View, clock: Clock) -> SeatAction:
        assert view.seat is not None
        asked = chosen_moon(view)
        if asked is not None:
            return asked
        draws = draws_of(self._seed, view)
        if view.state.phase is Phase.PASSING:
            hand = sorted(view.hand, key=_height)
            return Pass(view.seat, tuple(hand[-view.deal.pass_size :]))
        legal = sorted(view.legal, key=_height)
        if not draws.below(self.SLIP):
            return Play(view.seat, draws.choice(legal))
        return Play(view.seat, self._card(view, legal))

    def _card(self, view: View, legal: list[Card]) -> Card:
        deal = view.deal
        if deal.led is None:
            return legal[0]
        if legal[0].suit is not deal.led:
            return legal[-1]
        best = max(card.rank or 0 for card in deal.trick if card.suit is deal.led)
        under = [card for card in legal if (card.rank or 0) < best]
        return under[-1] if under else legal[0]


def _height(card: Card) -> tuple[int, int]:
    """Rank before suit, jokers lowest."""
    return card.rank or 0, card.index
