"""Bots at refereed tables, among players who break every rule (I1–I9)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

import pytest
from kit import SOME_TABLES, few

from volte import referee
from volte.bots import LEVELS, Bot, BotOwner, Clock, hint, make_bot
from volte.bots.protocol import revokes_to_claim
from volte.cards import cards_in
from volte.game import Driver, MatchStarted, Phase, PlainChance, Play, Player, Refusal
from volte.rules import Irregularities, Ruleset, make_ruleset
from volte.view import View, project

SHORT: Final = Clock(simulations=30)
SEATS: Final = [("coeurs", 3), ("salon", 4), ("dame-de-pique", 4), ("coeurs", 5)]
MANY: Final = [*SEATS, ("salon-six-jokers", 6), ("coeurs", 7)]


def refereed(preset: str, players: int) -> Ruleset:
    rules = make_ruleset(preset, {"players": players, "match_end": "deals:2"})
    return replace(rules, irregularities=Irregularities.REFEREED)


def state_of(driver: Driver) -> referee.RefereedMatch:
    assert isinstance(driver.state, referee.RefereedMatch)
    return driver.state


def mischief(
    match: referee.RefereedMatch, seats: range, draws: random.Random
) -> referee.SeatAction | None:
    """Return an act of one of those seats at random: any card, an objection, a take-back."""
    if match.phase is not Phase.PLAYING or match.reckoned is not None or not seats:
        return None
    seat = draws.choice(seats)
    hand = cards_in(match.lying.hands[seat])
    plays: list[referee.SeatAction] = [Play(seat, draws.choice(hand)) for _ in range(4) if hand]
    others: list[referee.SeatAction] = [
        referee.Object(seat, draws.randrange(len(match.players))),
        referee.TakeBack(seat),
    ]
    return draws.choice([*plays, *others])


def table(rules: Ruleset, bots: list[Bot], seed: int) -> Driver:
    """Return a driver with those bots at the first seats, and beginners at the others."""
    others = [make_bot("beginner", seed)] * (rules.players - len(bots))
    owners = [BotOwner(bot, seat, SHORT) for seat, bot in enumerate([*bots, *others])]
    players = tuple(Player(f"P{seat}") for seat in range(rules.players))
    return Driver([MatchStarted(rules, players)], owners, PlainChance(seed), engine=referee.ENGINE)


def played(rules: Ruleset, bots: list[Bot], seed: int) -> list[referee.Event]:
    """Return the log of a match whose other seats break rules; raise if a bot is refused."""
    driver, draws = table(rules, bots, seed), random.Random(seed)
    rascals = range(len(bots), rules.players)
    going = True
    while going:
        act = mischief(state_of(driver), rascals, draws) if draws.random() < 0.5 else None
        if act is None or driver.submit(act) is not None:
            going = driver.step()
    assert driver.state.phase is Phase.ENDED
    return driver.log


@pytest.mark.parametrize("level", [*LEVELS, "rough"])
@pytest.mark.parametrize(("preset", "players"), MANY)
def test_no_bot_is_refused_among_those_who_revoke(preset: str, players: int, level: str) -> None:
    for seed in range(few(1, 2)):
        played(refereed(preset, players), [make_bot(level, seed)], seed)


class Moment(NamedTuple):
    """A choice of a card: the whole state, and the view of the seat that has to play."""

    state: referee.RefereedMatch
    view: View


@cache
def odd_moments(preset: str, players: int) -> tuple[Moment, ...]:
    """Choices in deals where everybody breaks rules and nobody claims."""
    return tuple(
        moment for seed in range(few(2, 3)) for moment in _odd(refereed(preset, players), seed)
    )


def _odd(rules: Ruleset, seed: int) -> Iterator[Moment]:
    state = referee.ENGINE.replay(
        [MatchStarted(rules, tuple(map(Player, "NESWXYZ"[: rules.players])))]
    )
    chance, draws = PlainChance(seed), random.Random(seed)
    while state.phase is not Phase.ENDED:
        seats = referee.to_act(state)
        if seats and state.phase is Phase.PLAYING:
            view = View(seats[0], project(state, seats[0]))
            if view.my_turn:
                assert isinstance(state, referee.RefereedMatch)
                yield Moment(state, view)
        unasked = None
        if isinstance(state, referee.RefereedMatch) and draws.random() < 0.8:
            unasked = mischief(state, range(rules.players), draws)
        asked = draws.choice(referee.legal_actions(state, seats[0])) if seats else chance.act(state)
        assert asked is not None
        outcome = referee.decide(state, unasked or asked)
        for event in () if isinstance(outcome, Refusal) else outcome:
            state = referee.ENGINE.evolve(state, event)


@pytest.mark.parametrize(
    ("preset", "players", "level"),
    [(*table, level) for table in MANY for level in (*LEVELS, "rough")][:: few(4, 1)],
)
def test_every_level_plays_lawfully_whatever_the_others_have_played(
    preset: str, players: int, level: str
) -> None:
    bot = make_bot(level, 1)
    odd = 0
    for state, view in odd_moments(preset, players):
        assert view.seat is not None
        odd += not view.consistent
        assert bot.choose(view, SHORT) in referee.legal_actions(state, view.seat)
    assert odd > 20, "views in which no hidden hands agree with what was seen"


@pytest.mark.parametrize(("preset", "players"), MANY)
def test_there_is_always_a_hint(preset: str, players: int) -> None:
    for state, view in odd_moments(preset, players):
        assert view.seat is not None
        assert hint(view).action in referee.legal_actions(state, view.seat)


@pytest.mark.parametrize(("preset", "players"), MANY)
def test_I9_bots_claim_what_is_true_and_nothing_else(preset: str, players: int) -> None:
    claims = 0
    for state, view in odd_moments(preset, players):
        broken = {(each.seat, each.trick) for each in state.lying.breaches if each.revoke}
        for claim in revokes_to_claim(view):
            claims += 1
            assert claim.seat == view.seat
            assert (claim.against, claim.trick) in broken
            assert claim.against != claim.seat
    assert claims


def test_I6_a_bot_claims_once_a_seat_and_deal() -> None:
    for seed in range(10):
        log = played(refereed("coeurs", 4), [make_bot("casual")] * 2, seed)
        claims = [each for each in log if isinstance(each, referee.RevokeClaimed)]
        assert all(each.clause for each in claims)
        per_deal: set[tuple[int, int]] = set()
        deal = 0
        for each in log:
            deal += isinstance(each, referee.DealCut)
            if isinstance(each, referee.RevokeClaimed):
                assert (deal, each.against) not in per_deal
                per_deal.add((deal, each.against))


@pytest.mark.parametrize(("preset", "players"), SOME_TABLES)
def test_honest_bots_score_at_a_refereed_table_as_at_any_other(preset: str, players: int) -> None:
    rules = make_ruleset(preset, {"players": players, "match_end": "deals:2"})
    bots = [make_bot("casual")] * players
    lawful, ruled = (
        table(replace(rules, irregularities=kind), bots, players).run() for kind in Irregularities
    )
    assert [score.points for score in ruled.deals] == [score.points for score in lawful.deals]
    assert ruled.net == lawful.net
    assert ruled.winners == lawful.winners


def test_I4_I6_bots_turn_down_cut_and_accept() -> None:
    driver = table(refereed("coeurs", 4), [make_bot("casual")] * 4, 1)
    driver.run()
    kinds = [type(each) for each in driver.log]
    assert kinds.count(referee.DealCut) == 1
    assert kinds.count(referee.Accepted) == 4
    assert referee.RevokeClaimed not in kinds
