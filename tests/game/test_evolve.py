"""Laws that hold at every step of every match, whatever the table and however it is played."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence

import pytest
from hypothesis import given, settings
from kit import OF_SEEDS, TABLES, any_rulesets, few, seeds
from kit.clauses import always_minus, best, counted, ended, heir, is_open, sheet
from kit.deals import Step, check_cards, check_views, deal_of, log_of, match, start

from volte import game
from volte.cards import CARDS, mask_of
from volte.rules import Ruleset, Settlement, SlamRule, breach, make_ruleset, options_of

DEALS = 84
"""Deals that one test plays at each table of `OF_SEEDS`."""
WIDER = few(7, 14)
"""Deals that it plays at each other table."""


@pytest.mark.parametrize("seed", range(1, few(2, 11)))
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_the_laws_hold_at_every_table(
    preset: str, players: int, seed: int, record_property: Callable[[str, object], None]
) -> None:
    rules = make_ruleset(preset, {"players": players})
    deals = matches = pot = 0
    while deals < (DEALS if preset.startswith(OF_SEEDS) else WIDER):
        steps = list(match(rules, seed * 1000 + matches, pot=pot, restless=matches % 3 == 2))
        end = steps[-1].after
        check_every_step(steps)
        check_views(steps, seats=[matches % players])
        check_end(steps, pot)
        deals, matches, pot = deals + len(end.deals), matches + 1, end.pot
    record_property("deals that keep the laws", deals)
    record_property("matches that keep the laws", matches)


def test_the_gate_plays_a_thousand_deals() -> None:
    of_seeds = [players for name, players in TABLES if name.startswith(OF_SEEDS)]
    assert len(of_seeds) * DEALS >= 1000
    assert set(of_seeds) == {3, 4, 5, 6, 7}


@given(any_rulesets(), seeds)
@settings(max_examples=settings().max_examples // 2)
def test_the_laws_hold_at_any_table(rules: Ruleset, seed: int) -> None:
    steps = list(match(rules, seed, pot=seed % 5, people=(0, 1), restless=True))
    check_every_step(steps)
    check_views(steps, seats=[*random.Random(seed).sample(range(rules.players), 3), None])
    check_end(steps, seed % 5)


@given(any_rulesets(), seeds)
@settings(max_examples=settings().max_examples // 2)
def test_a_replay_reaches_the_same_state(rules: Ruleset, seed: int) -> None:
    steps = list(match(rules, seed, restless=True))
    log: list[game.Event] = [start(rules)]
    for number, step in enumerate(steps):
        assert number % 5 or step.before == game.replay(log)
        log += step.events
    assert steps[-1].after == game.replay(log)
    assert steps[-1].after.version == len(log)
    assert log == log_of(rules, seed, restless=True)


def test_a_match_begins_anew_whatever_was_before() -> None:
    """Matches follow each other in the log of a table."""
    rules = make_ruleset("coeurs")
    first = game.replay(log_of(rules, 1))
    assert game.evolve(first, start(rules, pot=3)) == game.replay([start(rules, pot=3)])


@given(any_rulesets(), seeds)
@settings(max_examples=settings().max_examples // 2)
def test_just_the_legal_actions_are_accepted(rules: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    for step in match(rules, seed):
        check_who_is_to_act(step.before)
        if isinstance(step.action, game.Play):
            check_every_card(step.before)
        elif game.to_act(step.before):
            action = rng.choice(
                game.legal_actions(step.before, rng.choice(game.to_act(step.before)))
            )
            assert not isinstance(game.decide(step.before, action), game.Refusal)


def check_who_is_to_act(state: game.MatchState) -> None:
    acting = tuple(seat for seat in range(state.rules.players) if game.legal_actions(state, seat))
    assert acting == game.to_act(state)


def check_every_card(state: game.MatchState) -> None:
    """Try every card: just the legal ones are accepted."""
    deal = deal_of(state)
    seat, hand = deal.turn, deal.hands[deal.turn]
    legal = [
        action.card for action in game.legal_actions(state, seat) if isinstance(action, game.Play)
    ]
    assert 0 < mask_of(legal) <= hand
    for card in CARDS[: 55 * deal.rules.deck.packs]:  # of one pack, and one card too many
        outcome = game.decide(state, game.Play(seat, card))
        if card in legal:
            assert not isinstance(outcome, game.Refusal)
            assert outcome[0] == game.Played(seat, card)
            continue
        assert isinstance(outcome, game.Refusal)
        assert outcome.legal == tuple(legal)
        if hand & card.bit:
            why = breach(hand, card, game.duties_now(deal))
            assert (outcome.reason, outcome.clause) == ("breach", why)
        else:
            assert (outcome.reason, outcome.clause) == ("not_in_hand", "")


# Checks of every step


def check_every_step(steps: Sequence[Step]) -> None:
    for before, action, events, after in steps:
        assert after.version == before.version + len(events)
        check_cards(after)
        check_kitty(after)
        check_score(before, action, events)
        assert sum(after.net) + after.pot == sum(before.net) + before.pot


def check_kitty(state: game.MatchState) -> None:
    if state.deal is not None and state.rules.kitty_size:
        assert state.deal.kitty_taker == heir(state.rules.deck.kitty, state.deal)


def check_score(before: game.MatchState, action: game.Action, events: Iterable[game.Event]) -> None:
    state = before
    for event in events:
        if isinstance(event, game.DealScored):
            check_points(state, event)
            check_sum(state.rules, event)
            chosen = isinstance(action, game.ChooseMoon) and action.minus
            assert state.phase is not game.Phase.CHOOSING or event.minus == chosen
        state = game.evolve(state, event)


def check_points(state: game.MatchState, scored: game.DealScored) -> None:
    """Check the points of a finished deal by the second reading of S1 to S6 and W5 to W10."""
    options, before = options_of(state.rules), [deal.points for deal in state.deals]
    points, doers, what, trickless = counted(state, minus=scored.minus)
    assert list(scored.points) == points
    assert scored.trickless == trickless
    assert (scored.moon in doers, scored.slam in doers) == (what == "moon", what == "slam")
    if not is_open(options, what):
        assert scored.minus == always_minus(options, what)
    elif options["moon"] == "plus_unless_lost":
        sheet_so_far = [*before, counted(state, minus=False).points]
        shooters = doers if what == "moon" else ()
        won = set(doers) <= set(best(options, sheet_so_far, shooters))
        assert scored.minus == (ended(options, sheet_so_far, shooters) and not won)
    else:
        assert state.phase is game.Phase.CHOOSING
        assert state.shooter in doers


def check_sum(rules: Ruleset, scored: game.DealScored) -> None:
    """Check the sum of a deal's points, a side's counted once for each of its seats (S6)."""
    others = rules.players // rules.sides.partners - 1
    times = 1
    if scored.slam is not None and rules.moon.slam is SlamRule.REVERSAL:
        times = others - 1
    elif scored.slam is not None or scored.moon is not None:
        times = (-1 if scored.minus else others) * (1 if scored.slam is None else 2)
    extra = sum(points for points in rules.values.values() if points < 0)
    extra += rules.points.no_tricks * len(scored.trickless)
    swing = times * rules.penalty_total + extra
    assert sum(scored.points) == rules.sides.partners * swing


def check_end(steps: Sequence[Step], pot: int) -> None:
    end = steps[-1].after
    event = next(
        each for each in steps[-1].events + steps[-2].events if type(each) is game.MatchEnded
    )
    assert end.phase is game.Phase.ENDED
    options, deals = options_of(end.rules), [deal.points for deal in end.deals]
    shooters = [() if deal.moon is None else (deal.moon,) for deal in end.deals]
    assert list(end.totals) == sheet(options, deals)
    assert end.winners == best(options, deals, shooters[-1])
    for played, who in enumerate(shooters, start=1):
        assert ended(options, deals[:played], who) == (played == len(deals))
    assert (event.totals, event.winners) == (end.totals, end.winners)
    assert sum(end.net) + end.pot == pot
    if end.rules.stakes.settlement is not Settlement.POT:
        assert end.pot == pot
