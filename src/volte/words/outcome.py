"""How deals and matches end: points, moon and slam, lots, stakes, and who wins."""

from __future__ import annotations

from collections.abc import Iterator

from volte.game import DealScored, LotsDrawn, MatchEnded, Settled
from volte.referee import Reckoned, RefereedMatch
from volte.rules import Settlement
from volte.words.language import N_
from volte.words.telling import Telling

INTO_POT = N_("Into the pot: {payments}.")
FROM_POT = N_("From the pot: {payments}.")
PAID = N_("{payments}.")


def told(telling: Telling, event: DealScored | LotsDrawn | Settled | MatchEnded) -> Iterator[str]:
    match event:
        case DealScored():
            yield from _deal_scored(telling, event)
        case LotsDrawn():
            yield from _lots(telling, event)
        case Settled():
            yield from _settled(telling, event)
        case MatchEnded():
            yield _match_ended(telling, event)


def feat(telling: Telling, event: DealScored | Reckoned) -> Iterator[str]:
    """A slam or a moon (S3, S4)."""
    if event.slam is not None:
        own = N_("A slam! You have taken every trick.")
        yield telling.by(event.slam, own, N_("A slam! {player} has taken every trick."))
    if event.moon is not None:
        own = N_("You have shot the moon: you took every penalty card!")
        other = N_("{player} has shot the moon, and took every penalty card!")
        yield telling.by(event.moon, own, other)


def _deal_scored(telling: Telling, event: DealScored) -> Iterator[str]:
    number = len(telling.state.deals)
    if isinstance(telling.state, RefereedMatch):  # it was told when it was reckoned
        yield telling.t("Deal {number} stands.", number=number)
    else:
        yield from feat(telling, event)
        points = telling.counts(event.points)
        yield telling.t("Points of deal {number}: {points}.", number=number, points=points)
    if number > 1:
        yield telling.t("Totals: {totals}.", totals=telling.counts(telling.state.totals))


def _lots(telling: Telling, event: LotsDrawn) -> Iterator[str]:
    for place, drawn in enumerate(event.rounds):
        draws = telling.draws(drawn)
        if place:
            yield telling.t("A tie; they draw again: {draws}.", draws=draws)
        else:
            yield telling.t("Lots are drawn for what cannot be shared: {draws}.", draws=draws)
    if telling.state.rules.stakes.settlement is Settlement.AVERAGE:
        # The order counts, so it is not told with the listener first.
        order = telling.language.listed([telling.who(seat) for seat in event.order])
        yield telling.t("The lots stand in this order: {players}.", players=order)
    else:
        own = N_("You draw the highest card, and receive what is left over.")
        other = N_("{player} draws the highest card, and receives what is left over.")
        yield telling.by(event.order[0], own, other)


def _settled(telling: Telling, event: Settled) -> Iterator[str]:
    on_pot = telling.state.rules.stakes.settlement is Settlement.POT
    paying = [seat for seat in telling.seats if event.paid[seat]]
    drawing = [seat for seat in telling.seats if event.drawn[seat]]
    if not paying and not drawing:
        yield telling.t("Nobody owes anything.")
    if paying:
        paid = telling.series(_pays(telling, seat, event.paid[seat]) for seat in paying)
        yield telling.t(INTO_POT if on_pot else PAID, payments=paid)
    if drawing:
        drawn = telling.series(_draws(telling, seat, event.drawn[seat]) for seat in drawing)
        yield telling.t(FROM_POT if on_pot else PAID, payments=drawn)
    if event.pot:
        stays = telling.stakes(event.pot)
        yield telling.t("Nobody takes the pot: it stays, at {stakes}.", stakes=stays)


def _pays(telling: Telling, seat: int, count: int) -> str:
    own, other = N_("you pay {stakes}"), N_("{player} pays {stakes}")
    return telling.by(seat, own, other, stakes=telling.stakes(count))


def _draws(telling: Telling, seat: int, count: int) -> str:
    own, other = N_("you receive {stakes}"), N_("{player} receives {stakes}")
    return telling.by(seat, own, other, stakes=telling.stakes(count))


def _match_ended(telling: Telling, event: MatchEnded) -> str:
    points = telling.points(event.totals[event.winners[0]])
    if len(event.winners) == 1:
        own = N_("You win the match with {points}!")
        other = N_("{player} wins the match with {points}.")
        return telling.by(event.winners[0], own, other, points=points)
    names = telling.names(event.winners)
    if telling.view.seat in event.winners:
        return telling.t("{players} share the win with {points}!", players=names, points=points)
    return telling.t("{players} share the win with {points}.", players=names, points=points)
