"""Ends of deals and matches: moon and slam, points and totals, lots, stakes, and winners."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

import msgspec

from volte.game import (
    DealScored,
    LotsDrawn,
    MatchEnded,
    MoonShot,
    Settled,
    asked_shooter,
    score_of,
)
from volte.referee import Reckoned, RefereedMatch
from volte.rules import (
    AtLimit,
    EndKind,
    MoonRule,
    Ruleset,
    Score,
    Settlement,
    SlamRule,
    Ties,
    match_over,
    totals,
    winners,
)
from volte.rules.scoring import doers
from volte.say.language import N_, Language
from volte.say.telling import Lines, Telling
from volte.view import View

INTO_POT = N_("Into the pot: {payments}.")
FROM_POT = N_("From the pot: {payments}.")
PAID = N_("{payments}.")
_FROM_THE_MEAN: Final = {
    1: N_("{name} {distance} above"),
    0: N_("{name} exactly average"),
    -1: N_("{name} {distance} below"),
}


def tell(
    telling: Telling, event: MoonShot | DealScored | LotsDrawn | Settled | MatchEnded
) -> Iterator[str]:
    match event:
        case MoonShot():
            yield from _moon_shot(telling, event)
        case DealScored():
            yield from _deal_scored(telling, event)
        case LotsDrawn():
            yield from _lots(telling, event)
        case Settled():
            yield from _settled(telling, event)
        case MatchEnded():
            yield _match_ended(telling, event)


def feat(telling: Telling, event: DealScored | Reckoned) -> Iterator[str]:
    """A slam or a moon (S3, S4), and which way it counts where that is not always the same."""
    rules = telling.state.rules
    if event.slam is not None:
        yield _slam(telling, event.slam)
        if rules.moon.slam is SlamRule.DOUBLE:
            yield telling.t("The slam counts double.")
    if event.moon is not None:
        yield _moon(telling, event.moon)
    spared = rules.moon.moon is MoonRule.PLUS_UNLESS_LOST and event.minus
    if spared:
        yield telling.t(
            "Points for the others would cost the shooter the match. They come off the "
            "shooter’s total instead."
        )


def _slam(telling: Telling, seat: int) -> str:
    own = N_("A slam! You have taken every trick.")
    other = N_("A slam! {player} has taken every trick.")
    together = N_("A slam! {players} have taken every trick.")
    with_me = N_("A slam! {players} have taken every trick together.")
    return _done(telling, seat, own, other, with_me, together)


def _moon(telling: Telling, seat: int) -> str:
    rules = telling.state.rules
    if rules.moon.needs_jack and rules.penalty_mask != rules.counting_mask:
        own = N_("You have shot the moon: you took every card that counts!")
        other = N_("{player} has shot the moon, taking every card that counts!")
        with_me = N_("You shot the moon together: {players} took every card that counts!")
        together = N_("{players} have shot the moon: together they took every card that counts!")
    else:
        own = N_("You have shot the moon: you took every penalty card!")
        other = N_("{player} has shot the moon, taking every penalty card!")
        with_me = N_("You shot the moon together: {players} took every penalty card!")
        together = N_("{players} have shot the moon: together they took every penalty card!")
    return _done(telling, seat, own, other, with_me, together)


def _done(telling: Telling, seat: int, own: str, other: str, with_me: str, together: str) -> str:
    """Sentence about the feat of a player, or of a side with the listener or without."""
    side = doers(telling.state.rules, seat)
    if side == (seat,):
        return telling.by(seat, own, other)
    message = with_me if telling.view.seat in side else together
    return telling.t(message, players=telling.names(side))


def _moon_shot(telling: Telling, event: MoonShot) -> Iterator[str]:
    """A moon or a slam whose shooter has to choose how it counts (W7)."""
    if not isinstance(telling.state, RefereedMatch):  # there `Reckoned` has told it
        if slammed(telling.view):
            yield _slam(telling, event.seat)
        else:
            yield _moon(telling, event.seat)
    if telling.mine(event.seat):
        yield from moon_asked(telling.language, telling.view)
    else:
        player = telling.player(event.seat)
        yield telling.t("{player} chooses how the points count.", player=player)


def chosen(telling: Telling, shooter: int, event: DealScored | Reckoned) -> str:
    """The choice that a shooter has made (W7)."""
    rules = telling.state.rules
    worth = rules.penalty_total * (1 if event.slam is None else 2)
    points = telling.points(worth)
    if event.minus:
        own = N_("You take {points} off your total.")
        other = N_("{player} takes {points} off their total.")
    else:
        own = N_("You give each of the others {points}.")
        other = N_("{player} gives each of the others {points}.")
    return telling.by(shooter, own, other, points=points)


def _deal_scored(telling: Telling, event: DealScored) -> Iterator[str]:
    state = telling.state
    number, rules = len(state.deals), state.rules
    if isinstance(state, RefereedMatch):  # `Reckoned` has told the points
        yield telling.t("The points for deal {number} are final.", number=number)
    else:
        shooter = asked_shooter(rules, event.score)
        if shooter is None:
            yield from feat(telling, event)
        else:
            yield chosen(telling, shooter, event)
        yield from trickless(telling, event)
        points = telling.scores(event.points)
        yield telling.t("Points for deal {number}: {points}.", number=number, points=points)
    halved = tuple(_halved(telling))
    yield from halved
    if number > 1 or halved:
        yield telling.t("Totals: {totals}.", totals=telling.scores(state.totals))
    share = replace(rules, ending=replace(rules.ending, ties=Ties.SHARE))
    if match_over(share, state.deals) and not match_over(rules, state.deals):
        yield telling.t("A tie for the lowest total: one more deal.")


def trickless(telling: Telling, event: DealScored | Reckoned) -> Iterator[str]:
    """Seats that took no trick, where that counts (W6)."""
    if not event.trickless:
        return
    points = telling.points(telling.state.rules.points.no_tricks)
    if len(event.trickless) == 1:
        own = N_("You took no tricks: {points}.")
        other = N_("{player} took no tricks: {points}.")
        yield telling.by(event.trickless[0], own, other, points=points)
    else:
        players = telling.names(event.trickless)
        no_trick = N_("Without a trick: {players}, {points} each.")
        yield telling.t(no_trick, players=players, points=points)


def _halved(telling: Telling) -> Iterator[str]:
    """Sides whose total was exactly the limit and has fallen to half of it (W9)."""
    state = telling.state
    rules, end = state.rules, state.rules.ending.match_end
    if rules.ending.at_limit is not AtLimit.HALVES or end.kind is not EndKind.LIMIT:
        return
    before, points = totals(rules, state.deals[:-1]), state.deals[-1].points
    for side in telling.sides():
        if before[side[0]] + points[side[0]] == end.number:
            fallen = N_("{players}: exactly {limit}, so back to {half}.")
            players, half = telling.names(side), end.number // 2
            yield telling.t(fallen, players=players, limit=end.number, half=half)


def _lots(telling: Telling, event: LotsDrawn) -> Iterator[str]:
    for place, drawn in enumerate(event.rounds):
        draws = telling.draws(drawn)
        if place:
            yield telling.t("A tie, so they draw again: {draws}.", draws=draws)
        else:
            yield telling.t("Drawing lots for what cannot be shared: {draws}.", draws=draws)
    if telling.state.rules.stakes.settlement is Settlement.AVERAGE:
        # The order counts, so the listener is not named first.
        order = telling.language.listed([telling.who(seat) for seat in event.order])
        yield telling.t("Order of the draw: {players}.", players=order)
    else:
        own = N_("You draw the highest card: the rest of the stakes are yours.")
        other = N_("{player} draws the highest card and receives the rest of the stakes.")
        yield telling.by(event.order[0], own, other)


def _settled(telling: Telling, event: Settled) -> Iterator[str]:
    def payments(stakes: tuple[int, ...], own: str, other: str) -> str:
        return telling.series(
            telling.by(seat, own, other, stakes=telling.stakes(stakes[seat]))
            for seat in telling.seats
            if stakes[seat]
        )

    yield from mean(telling)
    on_pot = telling.state.rules.stakes.settlement is Settlement.POT
    paid = payments(event.paid, N_("you pay {stakes}"), N_("{player} pays {stakes}"))
    drawn = payments(event.drawn, N_("you receive {stakes}"), N_("{player} receives {stakes}"))
    if not paid and not drawn:
        yield telling.t("Nobody owes anything.")
    if paid:
        yield telling.t(INTO_POT if on_pot else PAID, payments=paid)
    if drawn:
        yield telling.t(FROM_POT if on_pot else PAID, payments=drawn)
    if event.pot:
        stays = telling.stakes(event.pot)
        yield telling.t("Nobody takes the pot: it stays at {stakes}.", stakes=stays)


def mean(telling: Telling) -> Lines:
    """The mean of a match's totals, as `mean_of` has it; the listener is "you"."""
    state = telling.state
    names = {seat: telling.who(seat) for seat in telling.seats}
    return mean_of(telling.language, state.rules, state.totals, names)


def mean_of(
    language: Language, rules: Ruleset, totals: Sequence[int], names: Mapping[int, str]
) -> Lines:
    """The mean of the totals and everybody's distance from it, where stakes are paid by it (M5).

    Args:
        names: by seat, in the order of the sentence.
    """
    if rules.stakes.settlement is not Settlement.AVERAGE:
        return ()
    mean = Fraction(sum(totals), len(totals))
    each = [
        language.t(_FROM_THE_MEAN[(apart > 0) - (apart < 0)], name=name, distance=abs(apart))
        for name, apart in ((name, totals[seat] - mean) for seat, name in names.items())
    ]
    exact = N_("The average total is {mean}: {each}.")
    rounded = N_("The average total is about {mean}: {each}.")
    message = exact if 100 % mean.denominator == 0 else rounded
    return (language.t(message, mean=mean, each=language.series(each)),)


def _match_ended(telling: Telling, event: MatchEnded) -> str:
    points = telling.points(event.totals[event.winners[0]])
    if len(event.winners) == 1:
        own = N_("You win the match with {points}!")
        other = N_("{player} wins the match with {points}.")
        return telling.by(event.winners[0], own, other, points=points)
    names, mine = telling.names(event.winners), telling.view.seat in event.winners
    if len(event.winners) == telling.state.rules.sides.partners:
        own = N_("{players} win the match with {points}!")
        other = N_("{players} win the match with {points}.")
    else:
        own = N_("{players} share the win with {points}!")
        other = N_("{players} share the win with {points}.")
    return telling.t(own if mine else other, players=names, points=points)


def moon_choices(language: Language, view: View) -> tuple[str, str]:
    """Both choices in figures: points off one's own, and points on the others."""
    telling = Telling(language, view)
    points = telling.points(moon_worth(view))
    rules = view.state.rules
    mine = N_("{points} off your total.")
    others = N_("{points} for each of the others.")
    if rules.sides.partners > 1:
        mine = N_("{points} off your side’s total.")
        others = N_("{points} for each of the other sides.")
        if len(rules.all_sides) == 2:
            others = N_("{points} for the other side.")
    return (
        telling.t(mine, points=points) + _after(telling, minus=True),
        telling.t(others, points=points) + _after(telling, minus=False),
    )


def moon_asked(language: Language, view: View) -> tuple[str, ...]:
    """The question how a moon counts, as put to its shooter."""
    minus, plus = moon_choices(language, view)
    return (
        language.t("You choose how the points count."),
        language.t("Minus: {choice}", choice=minus),
        language.t("Plus: {choice}", choice=plus),
    )


def moon_worth(view: View) -> int:
    """Points of the moon, or of a slam that counts double (W7, W8)."""
    total = view.deal.rules.penalty_total
    return 2 * total if slammed(view) else total


def slammed(view: View) -> bool:
    """Whether the shooter, or the shooter's side, has taken every trick, where that counts (S4)."""
    deal, shooter = view.deal, view.state.shooter
    if shooter is None or deal.rules.moon.slam is SlamRule.OFF:
        return False
    won = sum(deal.won[seat] for seat in doers(deal.rules, shooter))
    return won == sum(deal.won)


def _after(telling: Telling, *, minus: bool) -> str:
    """Totals after that choice, and whether the match ends with them."""
    state, view = telling.state, telling.view
    # Cards still unseen when the deal is over are the kitty, which somebody else has taken.
    deal = msgspec.structs.replace(view.deal, kitty=view.deal.kitty or view.unseen)
    scored = score_of(state.rules, state.deals, deal, minus=minus)
    deals = (*state.deals, scored)
    then = telling.t(
        "The totals would be: {totals}.", totals=telling.scores(totals(state.rules, deals))
    )
    return " ".join(("", then, *_end(telling, deals)))


def _end(telling: Telling, deals: tuple[Score, ...]) -> tuple[str, ...]:
    rules, seat = telling.state.rules, telling.view.seat
    if seat is None or not match_over(rules, deals):
        return ()
    won = winners(rules, deals)
    if seat not in won:
        return (telling.t("That ends the match, and you do not win."),)
    if len(won) > rules.sides.partners:
        return (telling.t("That ends the match, and you share the win."),)
    return (telling.t("That ends the match, and you win."),)
