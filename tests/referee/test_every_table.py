"""Revokes at every refereed table: 3 to 7 seats, with and without a kitty, in each settlement."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kit.refereed import after, event, refused, start

from volte import referee
from volte.cards import SUIT_MASKS, Card, cards_in
from volte.game import Phase, PlainChance, Play
from volte.rules import Settlement, Value, make_ruleset

every_table = pytest.mark.parametrize(
    ("players", "settlement"),
    [(players, settlement) for players in range(3, 8) for settlement in Settlement],
)


def begun(players: int, settlement: str, **options: Value) -> referee.RefereedMatch:
    settings: dict[str, Value] = {"players": players, "settlement": settlement, **options}
    return after(referee.replay([start(make_ruleset("coeurs-table", settings))]))


def carried_on(state: referee.RefereedMatch, chance: PlainChance) -> referee.RefereedMatch:
    """Return the state after the next act, an honest one."""
    seats = referee.to_act(state)
    if seats:
        return after(state, referee.legal_actions(state, seats[0])[0])
    action = chance.act(state)
    assert action is not None
    return after(state, action)


def at_turn(state: referee.RefereedMatch, chance: PlainChance) -> Iterator[referee.RefereedMatch]:
    """Yield the states in which somebody has to follow, as honest play goes on."""
    while state.phase is not Phase.ENDED:
        if state.phase is Phase.PLAYING and state.lying.led is not None and not state.lying.full:
            yield state
        state = carried_on(state, chance)


def with_revokes(
    state: referee.RefereedMatch, chance: PlainChance, count: int
) -> referee.RefereedMatch:
    """Return the state after a trick with `count` revokes, turned down."""
    for now in at_turn(state, chance):
        tried = now
        revokes = 0
        while not tried.lying.full:
            card = off_suit(tried) if revokes < count else None
            revokes += card is not None
            lawful = referee.legal_actions(tried, tried.lying.turn)[0]
            tried = after(tried, Play(tried.lying.turn, card) if card is not None else lawful)
        if revokes == count:
            return after(tried, referee.TurnDown(tried.lying.turner))
    raise AssertionError("nobody could revoke")


def off_suit(state: referee.RefereedMatch) -> Card | None:
    """Return a card of the seat on turn that breaks the duty to follow; None if it has none."""
    deal = state.lying
    assert deal.led is not None
    hand, suit = deal.hands[deal.turn], SUIT_MASKS[deal.led]
    others = cards_in(hand & ~suit)
    return others[0] if hand & suit and others else None


def offenders(state: referee.RefereedMatch) -> list[int]:
    return [each.seat for each in state.lying.breaches if each.revoke]


def claimed(state: referee.RefereedMatch) -> referee.RefereedMatch:
    """Return the state after a neighbour has claimed every revoke."""
    players, trick = len(state.players), len(state.lying.tricks)
    claims = [referee.ClaimRevoke((seat + 1) % players, seat, trick) for seat in offenders(state)]
    return after(state, *claims)


def ended(state: referee.RefereedMatch, chance: PlainChance) -> referee.RefereedMatch:
    while state.phase is not Phase.ENDED:
        state = carried_on(state, chance)
    return state


def played_out(state: referee.RefereedMatch, chance: PlainChance) -> referee.RefereedMatch:
    while state.reckoned is None:
        state = carried_on(state, chance)
    return state


@every_table
@pytest.mark.parametrize("count", [1, 2])
def test_I5_offenders_score_the_penalty_total_and_it_is_settled(
    players: int, settlement: str, count: int
) -> None:
    chance = PlainChance(players)
    state = claimed(with_revokes(begun(players, settlement), chance, count))
    culprits = offenders(state)
    assert len(culprits) == count
    total = state.rules.penalty_total
    assert state.reckoned is not None
    expected = tuple(total if seat in culprits else 0 for seat in range(players))
    assert state.reckoned.points == expected
    over = ended(state, chance)
    assert over.totals == expected
    assert over.winners == tuple(seat for seat in range(players) if seat not in culprits)
    assert sum(over.net) + over.pot == 0
    if settlement in ("difference", "pot"):  # those who tie share it, what is over goes by lot
        assert sum(-over.net[seat] for seat in culprits) == count * total
        parts = [over.net[seat] for seat in over.winners]
        assert max(parts) - min(parts) <= count * total % len(parts)
    elif settlement == "none":
        assert over.net == (0,) * players


@every_table
def test_I6_it_may_be_claimed_when_the_deal_is_over_but_not_after_the_last_acceptance(
    players: int, settlement: str
) -> None:
    chance = PlainChance(players)
    revoked = with_revokes(begun(players, settlement), chance, 1)
    [culprit], trick = offenders(revoked), len(revoked.lying.tricks)
    claim = referee.ClaimRevoke((culprit + 1) % players, culprit, trick)
    state = played_out(revoked, chance)
    assert state.last
    state = after(state, *(referee.Accept(seat) for seat in range(players - 1)))
    assert event(state, claim, referee.RevokeClaimed).clause
    over = after(state, referee.Accept(players - 1))
    assert refused(over, claim).clause == "I6"
    assert sum(over.deals[0].points) % state.rules.penalty_total == 0


@every_table
def test_I6_not_after_the_cut_for_the_next_deal(players: int, settlement: str) -> None:
    chance = PlainChance(players)
    state = begun(players, settlement, match_end="deals:2")
    revoked = with_revokes(state, chance, 1)
    [culprit], trick = offenders(revoked), len(revoked.lying.tricks)
    over = played_out(revoked, chance)
    claim = referee.ClaimRevoke((culprit + 1) % players, culprit, trick)
    assert event(over, claim, referee.RevokeClaimed).clause
    cut = after(over, referee.Cut(over.cutter))
    assert refused(cut, claim).clause == "I6"
    next_deal = cut
    while next_deal.phase is not Phase.PLAYING:
        next_deal = carried_on(next_deal, chance)
    assert refused(next_deal, claim).reason == "no_such_trick"
    assert cut.offenders == ((),)


@every_table
def test_I9_a_false_claim_changes_nothing(players: int, settlement: str) -> None:
    chance = PlainChance(players)
    state = next(each for each in at_turn(begun(players, settlement), chance) if each.lying.tricks)
    for culprit in range(1, players):
        assert event(state, referee.ClaimRevoke(0, culprit, 1), referee.RevokeClaimed).clause == ""
        assert after(state, referee.ClaimRevoke(0, culprit, 1)).deal == state.deal
