"""The clauses of the score read once more, straight from RULES, by the names of options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from volte.cards import Card, Suit, cards_in
from volte.game import DealState, MatchState
from volte.rules import Value, options_of

Options = dict[str, Value]
Side = tuple[int, ...]
Line = Sequence[int]
"""The points of a deal, seat by seat."""


class Counted(NamedTuple):
    """What a deal counts.

    Attributes:
        points: by seat.
        doers: who has shot the moon or made the slam together; nobody, as a rule.
        what: `moon`, `slam` or nothing.
        trickless: the seats that took no trick, where that counts.
    """

    points: list[int]
    doers: Side
    what: str
    trickless: tuple[int, ...]


def number(options: Options, name: str) -> int:
    return int(str(options[name]))


def worth(card: Card, options: Options) -> int:
    """What a card counts (S1, S2, S5, W5), whichever pack it is of (W11)."""
    name, listed = card.text[:2], options["card_points"]
    assert isinstance(listed, list)
    told = dict(word.split("=") for word in listed)
    if name in told:
        return int(told[name])
    if name == "QS":
        return number(options, "queen_points")
    if name == "JD":
        return number(options, "jack_points")
    if card.suit is not Suit.HEARTS:
        return 0
    return "23456789TJQKA".index(name[0]) + 2 if options["heart_points"] == "rank" else 1


def all_sides(options: Options) -> list[Side]:
    """Partners sit as far apart as can be (W10)."""
    players, partners = number(options, "players"), number(options, "partners")
    sides = players // partners
    return [tuple(first + sides * place for place in range(partners)) for first in range(sides)]


def gathered(deal: DealState) -> Iterator[tuple[int, list[Card], int]]:
    """Who took what with how many tricks: those that waited go with the next (W11)."""
    waiting: list[Card] = []
    tricks = 0
    for trick in deal.tricks:
        waiting += trick.cards
        tricks += 1
        if trick.winner is not None:
            yield trick.winner, waiting, tricks
            waiting, tricks = [], 0


def heir(kitty: str, deal: DealState) -> int | None:
    """Who has the kitty by now (D6, W4)."""
    takes = [(winner, cards) for winner, cards, _ in gathered(deal)]
    over = len(deal.tricks) == deal.rules.hand_size
    if kitty == "first_trick":
        return takes[0][0] if takes else None
    hearts = [winner for winner, cards in takes if any(card.suit is Suit.HEARTS for card in cards)]
    if kitty == "first_heart" and hearts:
        return hearts[0]
    return takes[-1][0] if over else None


def counted(state: MatchState, *, minus: bool) -> Counted:
    """What the deal that is over counts (S1-S6, W5-W8, W10).

    Args:
        minus: how a moon counts where that is open.
    """
    options, deal = options_of(state.rules), state.deal
    assert deal is not None
    players = range(state.rules.players)
    taken: list[set[Card]] = [set() for _ in players]
    tricks = [0 for _ in players]
    for winner, cards, won in gathered(deal):
        taken[winner] |= set(cards)
        tricks[winner] += won
    if deal.kitty_taker is not None:
        taken[deal.kitty_taker] |= set(cards_in(deal.kitty))
    return counted_of(options, taken, tricks, minus=minus)


def counted_of(
    options: Options, taken: Sequence[set[Card]], tricks: Sequence[int], *, minus: bool
) -> Counted:
    players, sides = range(len(taken)), all_sides(options)
    deck = set().union(*taken)
    penalties = {card for card in deck if worth(card, options) > 0}
    bonuses = {card for card in deck if worth(card, options) < 0}
    total = sum(worth(card, options) for card in penalties)
    no_tricks = number(options, "no_tricks")
    trickless = tuple(seat for seat in players if no_tricks and not tricks[seat])
    doers = sides if options["moon_by"] == "side" else [(seat,) for seat in players]
    needed = penalties | bonuses if options["moon_needs_jack"] is True else penalties
    made: list[tuple[str, Side]] = [
        ("slam", who)
        for who in doers
        if options["slam"] != "off" and all(not tricks[seat] or seat in who for seat in players)
    ]
    made += [
        ("moon", who)
        for who in doers
        if options["moon"] != "off" and needed <= set().union(*(taken[seat] for seat in who))
    ]
    what, who = (made or [("", ())])[0]  # a slam comes before a moon
    by_side = []
    for side in sides:
        cards = set().union(*(taken[seat] for seat in side))
        points = sum(worth(card, options) for card in cards & penalties)
        if what:
            points = swing(options, what, total, set(who) <= set(side), minus)
        points += sum(worth(card, options) for card in cards & bonuses)
        by_side.append(points + no_tricks * len(set(side) & set(trickless)))
    return Counted([by_side[seat % len(sides)] for seat in players], who, what, trickless)


def swing(options: Options, what: str, total: int, ours: bool, minus: bool) -> int:
    """What a moon or slam counts for the side that did it, or for another (S3, S4, W7, W8)."""
    if what == "slam" and options["slam"] == "reversal":
        return -total if ours else total
    if what == "slam":
        total *= 2
    if minus:
        return -total if ours else 0
    return 0 if ours else total


def is_open(options: Options, what: str) -> bool:
    """Whether a moon may count in two ways (W7, W8)."""
    two = options["moon"] in ("shooter_chooses", "plus_unless_lost")
    return two and (what == "moon" or (what == "slam" and options["slam"] == "double"))


def always_minus(options: Options, what: str) -> bool:
    doubled = what == "slam" and options["slam"] == "double"
    return options["moon"] == "shooter_minus" and (what == "moon" or doubled)


# The match


def sheet(options: Options, deals: Sequence[Line]) -> list[int]:
    """The totals (S7, W9)."""
    kind, limit = end_of(options)
    totals = [0] * number(options, "players")
    for points in deals:
        for seat, count in enumerate(points):
            totals[seat] += count
            falls = kind == "limit" and options["at_limit"] == "halves"
            if falls and totals[seat] == limit:
                totals[seat] = limit // 2
    return totals


def end_of(options: Options) -> tuple[str, int]:
    kind, _, most = str(options["match_end"]).partition(":")
    return kind, int(most)


def best(options: Options, deals: Sequence[Line], doers: Side) -> Side:
    """Who has won (E1, E2): those with the lowest total, or who shot the moon in the only deal.

    Args:
        doers: who shot the moon in the last deal.
    """
    if doers and end_of(options) == ("deals", 1) and len(deals) == 1:
        return next(side for side in all_sides(options) if set(doers) <= set(side))
    totals = sheet(options, deals)
    return tuple(seat for seat, total in enumerate(totals) if total == min(totals))


def ended(options: Options, deals: Sequence[Line], doers: Side) -> bool:
    """Whether that was the last deal (E1, E2, W9)."""
    kind, most = end_of(options)
    reached = len(deals) if kind == "deals" else max(sheet(options, deals))
    tied = best(options, deals, doers) not in all_sides(options)
    return reached >= most and not (tied and options["ties"] == "play_on")
