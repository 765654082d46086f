"""The clauses read once more, straight from RULES, with plain sets and the names of options.

First those of play (L2, T1 to T8, W2, W3, W11), then those of the score (S1 to S7, W5 to W10) and
of the end of a match (E1, E2, W9). Nothing is shared with `volte.rules`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from volte.cards import Card, Suit, cards_in, twin
from volte.game import DealState, MatchState
from volte.rules import Value, options_of

Options = dict[str, Value]
Side = tuple[int, ...]
Line = Sequence[int]
"""The points of a deal, seat by seat."""

Hand = frozenset[Card]


class Moment(NamedTuple):
    """The circumstances, beside the hand, that decide which cards are legal."""

    options: Options  # of the table, by name
    trick: int  # number, from 1
    led: Suit | None  # None for a leader, or for the seat that sets the suit after a joker (D7)
    broken: bool = False  # whether a heart has been played before
    had_chance: bool = False  # whether the seat could not follow in an earlier trick
    opening: Card | None = None  # the lowest club, for the leader to the first trick


def lawful(hand: Hand, now: Moment) -> Hand:
    """The cards of the hand that may be played."""
    *_, (_, cards) = stages(hand, now)
    return cards


def first_breach(hand: Hand, card: Card, now: Moment) -> str | None:
    """The first clause, in the order of T8, that takes the card away."""
    return next((clause for clause, left in stages(hand, now) if card not in left), None)


def stages(hand: Hand, now: Moment) -> Iterator[tuple[str, Hand]]:
    """Yield each clause with the cards that it leaves, in the order of T8."""
    yield "", hand
    if now.led is None:
        yield from _leading(hand, now)
    elif following := frozenset(card for card in hand if card.suit is now.led):
        yield "T1", following
    else:
        yield from _discarding(hand, now)


def winning_place(trick: Sequence[Card]) -> int | None:
    """Place of the winning card in a full trick (T2, D7); None if all candidates cancel (W11)."""
    names = [card.text[:2] for card in trick]
    led = next(card.suit for card in trick if card.joker is None)
    alone = [
        place
        for place, card in enumerate(trick)
        if card.suit is led and names.count(names[place]) == 1
    ]
    return max(alone, key=lambda place: trick[place].rank or 0, default=None)


def _leading(hand: Hand, now: Moment) -> Iterator[tuple[str, Hand]]:
    if now.opening is not None:
        any_club = now.options["opening"] == "any_club"
        clubs = {card for card in hand if card.suit is Suit.CLUBS}
        opens = clubs if any_club else {now.opening, twin(now.opening)}
        if opens & hand:
            hand = frozenset(opens & hand)
            yield "W2" if any_club else "L2", hand
    hand = _without_queen(hand, now)
    yield "W3", hand
    others = frozenset(card for card in hand if card.suit is not Suit.HEARTS)
    if now.trick < int(str(now.options["hearts_from_trick"])) and others:
        hand = others
        yield "T7", hand
    if now.options["hearts_lead"] == "once_broken" and not now.broken and others:
        yield "T4", others


def _discarding(hand: Hand, now: Moment) -> Iterator[tuple[str, Hand]]:
    if now.trick == 1 and now.options["first_trick_points"] == "barred":
        harmless = frozenset(card for card in hand if worth(card, now.options) <= 0)
        if harmless:
            hand = harmless
            yield "T3", hand
    hand = _without_queen(hand, now)
    yield "W3", hand
    queens = frozenset(card for card in hand if _is_queen(card))
    if now.options["queen_discard"] == "forced" and queens:
        hand = queens
        yield "T5", hand
    first_chance = now.options["queen_discard"] == "barred" and not now.had_chance
    if first_chance and hand != queens:
        hand = hand - queens
        yield "T6", hand
    others = frozenset(card for card in hand if card.suit is not Suit.HEARTS)
    if now.trick < int(str(now.options["hearts_from_trick"])) and others:
        yield "T7", others


def _without_queen(hand: Hand, now: Moment) -> Hand:
    """The hand without a queen that has to wait for hearts, unless it holds nothing else (W3)."""
    waits = now.options["queen_play"] == "once_broken" and not now.broken
    return frozenset(card for card in hand if not (waits and _is_queen(card))) or hand


def _is_queen(card: Card) -> bool:
    return card.text.startswith("QS")


# The score


class Counted(NamedTuple):
    """The points of a deal, and its moon or slam."""

    points: list[int]  # by seat
    doers: Side  # the side that shot the moon or made the slam; mostly empty
    what: str  # `moon`, `slam` or nothing
    trickless: tuple[int, ...]  # the seats that took no trick, where that counts


def number(options: Options, name: str) -> int:
    return int(str(options[name]))


def worth(card: Card, options: Options) -> int:
    """Points of a card (S1, S2, S5, W5), the same in either pack (W11)."""
    name, listed = card.text[:2], options["card_points"]
    assert isinstance(listed, list)
    by_card = dict(word.split("=") for word in listed)
    if name in by_card:
        return int(by_card[name])
    if name == "QS":
        return number(options, "queen_points")
    if name == "JD":
        return number(options, "jack_points")
    if card.suit is not Suit.HEARTS:
        return 0
    return "23456789TJQKA".index(name[0]) + 2 if options["heart_points"] == "rank" else 1


def all_sides(options: Options) -> list[Side]:
    """All sides: partners sit as far apart as possible (W10)."""
    players, partners = number(options, "players"), number(options, "partners")
    sides = players // partners
    return [tuple(first + sides * place for place in range(partners)) for first in range(sides)]


def gathered(deal: DealState) -> Iterator[tuple[int, list[Card], int]]:
    """Yield winner, cards and number of tricks; held tricks go with the next one taken (W11)."""
    waiting: list[Card] = []
    tricks = 0
    for trick in deal.tricks:
        waiting += trick.cards
        tricks += 1
        if trick.winner is not None:
            yield trick.winner, waiting, tricks
            waiting, tricks = [], 0


def heir(kitty: str, deal: DealState) -> int | None:
    """The seat that has taken the kitty by now (D6, W4); None if nobody has."""
    takes = [(winner, cards) for winner, cards, _ in gathered(deal)]
    over = len(deal.tricks) == deal.rules.hand_size
    if kitty == "first_trick":
        return takes[0][0] if takes else None
    hearts = [winner for winner, cards in takes if any(card.suit is Suit.HEARTS for card in cards)]
    if kitty == "first_heart" and hearts:
        return hearts[0]
    return takes[-1][0] if over else None


def counted(state: MatchState, *, minus: bool) -> Counted:
    """Count the deal that is over (S1-S6, W5-W8, W10).

    Args:
        minus: whether a moon is taken off its shooter, where that is open.
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
    """Points of a moon or slam for its own side (`ours`) or another one (S3, S4, W7, W8)."""
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
    """The totals by seat (S7, W9)."""
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
    """The winners (E1, E2): the lowest totals, or the side that shot the moon in the only deal.

    Args:
        doers: the side that shot the moon in the last deal.
    """
    if doers and end_of(options) == ("deals", 1) and len(deals) == 1:
        return next(side for side in all_sides(options) if set(doers) <= set(side))
    totals = sheet(options, deals)
    return tuple(seat for seat, total in enumerate(totals) if total == min(totals))


def ended(options: Options, deals: Sequence[Line], doers: Side) -> bool:
    """Whether the match ends with these deals (E1, E2, W9)."""
    kind, most = end_of(options)
    reached = len(deals) if kind == "deals" else max(sheet(options, deals))
    tied = best(options, deals, doers) not in all_sides(options)
    return reached >= most and not (tied and options["ties"] == "play_on")
