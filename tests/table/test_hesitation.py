"""The time that bots seem to think follows from public facts and from chance."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations
from typing import Final

import pytest
from kit.tables import ANNE, BRUNO, Table, dealt
from msgspec.structs import replace

from volte import game
from volte.cards import Card
from volte.table import TableState
from volte.table.pacing import (
    LetBot,
    Pace,
    PlayForced,
    Presence,
    ScheduledStep,
    TableContext,
    Timing,
    next_step,
)
from volte.table.turns import LEAST_HESITATION, current_turns, hesitation

CHANCES: Final = range(12)
PACE: Final = Pace(2.0, 3.0)
TIMING: Final = Timing(slot=0.5)


def led() -> Table:
    """A table where one card has been played, and everybody else has two."""
    hands = "C: 2 H: 4", "C: 3 H: 9", "C: 4 D: 2", "C: 5 S: Q"
    at = dealt(*hands, irregularities="enforced")
    at.act(game.Play(0, Card("2C")))
    return at


def dealt_anew(state: TableState) -> Iterator[TableState]:
    """The table with every possible distribution of the cards in its hands."""
    assert state.match is not None
    assert state.match.deal is not None
    deal = state.match.deal
    sizes = [hand.bit_count() for hand in deal.hands]
    bits = [1 << place for place in range(64) if sum(deal.hands) >> place & 1]

    def ways(bits: Collection[int], sizes: list[int]) -> Iterator[tuple[int, ...]]:
        if not sizes:
            yield ()
            return
        for hand in combinations(bits, sizes[0]):
            for others in ways([bit for bit in bits if bit not in hand], sizes[1:]):
                yield sum(hand), *others

    for hands in ways(bits, sizes):
        match = replace(state.match, deal=replace(deal, hands=hands))
        yield replace(state, match=match)


def next_of(state: TableState, seat: int, chance: int, chosen: float = 0.1) -> ScheduledStep | None:
    """The next step of a table, where the bot at `seat` has chosen after `chosen` seconds."""
    presence = Presence(0)
    for who in (ANNE, BRUNO):
        presence.come(who.id)
        presence.paces[who.id] = replace(PACE, auto_forced=True)
    presence.attend(state, 0)
    turns = current_turns(state, {}, 0)
    waits = {place: hesitation(state, place, chance) for place in turns}
    return next_step(state, TableContext(presence, turns, {seat: chosen}, None, waits), TIMING)


@pytest.mark.parametrize("level", ["casual", "strong"])
def test_hidden_cards_dealt_anew_leave_every_wait_as_it_was(level: str) -> None:
    """So the distribution of waits is exactly the same for all hidden cards."""
    at = led()
    at.act(game.Play(1, Card("3C")))
    bot = replace(at.state.seats[2], level=level)
    state = replace(at.state, seats=(*at.state.seats[:2], bot, at.state.seats[3]))
    found = [[next_of(each, 2, chance) for chance in CHANCES] for each in dealt_anew(state)]
    assert len(found) == 180
    assert all(each == found[0] for each in found)
    assert len({step.at for step in found[0] if step is not None}) > len(CHANCES) / 2


def test_a_card_that_is_played_by_itself_comes_when_a_bots_would() -> None:
    state = led().state
    bots = (state.seats[0], replace(state.seats[2], level="casual"), *state.seats[2:])
    for chance in CHANCES:
        came = {next_of(each, -1, chance) for each in dealt_anew(state)} - {None}
        (forced,) = came
        assert forced is not None
        assert forced.step == PlayForced(1)
        assert next_of(replace(state, seats=bots), 1, chance) == ScheduledStep(forced.at, LetBot(1))


def test_a_bot_that_searches_plays_at_fixed_moments_however_long_it_has_searched() -> None:
    at = led()
    at.act(game.Play(1, Card("3C")))
    bot = replace(at.state.seats[2], level="expert")
    state = replace(at.state, seats=(*at.state.seats[:2], bot, at.state.seats[3]))
    wait = PACE.bot_pace * hesitation(state, 2, 7)
    for chosen, slots in ((0.001, 0), (wait, 0), (wait + 0.001, 1), (wait + 0.499, 1), (9.0, None)):
        step = next_of(state, 2, 7, chosen)
        assert step is not None
        if slots is None:
            assert 9.0 <= step.at < 9.0 + TIMING.slot
            slots = round((step.at - wait) / TIMING.slot)
        assert step.at == pytest.approx(wait + slots * TIMING.slot)


def test_the_last_card_comes_soon_and_a_lead_may_take_longest() -> None:
    at = led()
    following = [hesitation(at.state, 1, chance) for chance in CHANCES]
    at.play_on(3)
    last = {hesitation(at.state, seat, chance) for seat in range(4) for chance in CHANCES}
    leading = [
        hesitation(dealt("C: 24", "C: 35", "C: 6 H: 2", "C: 78").state, 0, chance)
        for chance in CHANCES
    ]
    assert last == {LEAST_HESITATION}
    assert LEAST_HESITATION <= min(following) < max(following) < max(leading) <= 1.5
