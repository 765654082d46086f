"""Every level plays every table, sees no more than its view, repeats itself, and has its place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import SOME_TABLES, deal_of, few, rulesets, seeds, start, wider_rulesets
from kit.bots import of_deals, one_deal, table
from msgspec.structs import replace

from volte import game
from volte.bots import CHARACTERS, LEVELS, MARKS, Bot, BotOwner, Clock, Drifter, make_bot
from volte.cards import Card, VolteError, cards_in
from volte.fair import SplitMix64
from volte.lab.arena import Contestant, Duel, play_duel
from volte.rules import Ruleset, make_ruleset
from volte.view import View

BRIEF = Clock(simulations=40)
"""A limit for the bots that search."""

ALL = (*LEVELS, *MARKS, *CHARACTERS)
tables = rulesets() | wider_rulesets()


def bots(rules: Ruleset, seed: int) -> list[Bot]:
    """One bot for each seat: levels, marks and characters in turn, beginning with the seed."""
    seats = range(seed, seed + rules.players)
    return [make_bot(ALL[seat % len(ALL)], seed) for seat in seats]


def driver(rules: Ruleset, seed: int) -> game.Driver:
    return table(rules, bots(rules, seed), seed, BRIEF)


@pytest.mark.parametrize(("preset", "players"), SOME_TABLES)
def test_every_level_plays_every_preset_to_its_end(preset: str, players: int) -> None:
    rules = make_ruleset(preset, {"players": players})
    two_packs = rules.deck.packs == 2  # searched slowly
    rules = of_deals(rules, 1 if two_packs else few(1, 2))
    assert driver(rules, players).run().phase is game.Phase.ENDED


@given(tables, seeds)
@settings(max_examples=few(5, 120))
def test_every_level_plays_every_ruleset_to_its_end(rules: Ruleset, seed: int) -> None:
    assert driver(one_deal(rules), seed).run().phase is game.Phase.ENDED


class Watched:
    """A bot that must choose the same again when the cards hidden from it lie elsewhere."""

    def __init__(self, bot: Bot, seed: int) -> None:
        self.bot = bot
        self.random = SplitMix64(seed)

    def choose(self, view: View, clock: Clock) -> game.SeatAction:
        action = self.bot.choose(view, clock)
        for _ in range(2):
            other = View(view.seat, self.dealt_otherwise(view))
            assert self.bot.choose(other, clock) == action
        return action

    def dealt_otherwise(self, view: View) -> game.MatchState:
        """Return the match with the unseen cards dealt to the other hands at random, face up."""
        deal, unseen = view.deal, list(cards_in(view.unseen))
        self.random.shuffle(unseen)
        hands = list(deal.hands)
        for seat, size in enumerate(deal.hand_sizes()):
            if seat != view.seat:
                hands[seat] = sum(card.bit for card in unseen[:size])
                del unseen[:size]
        passes = tuple(
            given if given is None or seat == view.seat else cards_in(hands[seat])[: len(given)]
            for seat, given in enumerate(deal.passes)
        )
        return replace(view.state, deal=replace(deal, hands=tuple(hands), passes=passes))


@given(tables, seeds)
@settings(max_examples=few(3, 60))
def test_no_level_looks_at_more_than_its_view(rules: Ruleset, seed: int) -> None:
    check_looks_away(one_deal(rules), seed)


@pytest.mark.parametrize(
    ("preset", "players"),
    [("partnership", 4), pytest.param("cancellation", 6, marks=pytest.mark.full)],
)
def test_nor_with_partners_nor_with_two_packs(preset: str, players: int) -> None:
    check_looks_away(one_deal(make_ruleset(preset, {"players": players})), 4)


def check_looks_away(rules: Ruleset, seed: int) -> None:
    watched = [Watched(bot, seed) for bot in bots(rules, seed)]
    assert table(rules, watched, seed, BRIEF).run().phase is game.Phase.ENDED


@given(seeds, st.integers(0, 54))
@settings(max_examples=few(3, 15))
def test_a_match_that_is_resumed_goes_on_as_it_would_have(seed: int, cut: int) -> None:
    rules = one_deal(make_ruleset("dame-de-pique"))
    whole = driver(rules, seed)
    while not game.to_act(whole.state):
        whole.step()
    for _ in range(cut):
        whole.step()
    log = list(whole.log)
    resumed = table(rules, bots(rules, seed), seed, BRIEF, log)
    whole.run()
    resumed.run()
    assert resumed.log == whole.log != log


def test_the_seed_of_a_beginner_matters() -> None:
    rules = one_deal(make_ruleset("dame-de-pique"))
    logs = []
    for seed in (1, 2, 1):
        match = table(rules, [make_bot("beginner", seed)] * 4, 7)
        match.run()
        logs.append(match.log)
    assert logs[0] == logs[2] != logs[1]


def test_a_level_that_does_not_exist_is_a_fault() -> None:
    with pytest.raises(VolteError) as caught:
        make_bot("wizard", 1)
    assert caught.value.reason == "no_such_level"
    assert caught.value.params == {"level": "wizard", "levels": tuple(LEVELS)}


# The owner of a seat


def test_C2_a_bot_that_sits_in_for_a_person_lets_plays_be_taken_back() -> None:
    rules = make_ruleset("coeurs", {"pass_count": 0})
    owners = [BotOwner(Drifter(seat), seat) for seat in range(4)]
    match = game.Driver([start(rules, people=range(4))], owners, game.PlainChance(3))
    while match.state.deal is None or len(deal_of(match.state).trick) != 2:
        match.step()
    leader = deal_of(match.state).leader
    assert match.submit(game.AskUndo((leader + 1) % 4)) is None
    assert owners[leader].ask() == game.AnswerUndo(leader, allow=True)
    for _ in range(3):
        match.step()
    assert len(deal_of(match.state).trick) == 1


class Cheat:
    """Plays a card that it does not hold."""

    def choose(self, view: View, clock: Clock) -> game.SeatAction:
        assert view.seat is not None
        return game.Play(view.seat, Card("RJ"))


def test_a_bot_that_is_refused_is_not_asked_for_ever() -> None:
    rules = make_ruleset("coeurs", {"pass_count": 0})
    with pytest.raises(RuntimeError, match="not_in_hand"):
        table(rules, [Cheat()] * 4, 3).run()


def margin(rules: Ruleset, better: str, worse: str, decks: int) -> float:
    """Points per deal by which a seat of the worse side exceeds one of the better side."""
    sides = Contestant.of(better), Contestant.of(worse)
    return play_duel(Duel(rules, sides, 0, decks), processes=1).margin().value


@pytest.mark.parametrize(
    ("preset", "players", "decks", "above_beginner", "above_random"),
    [
        ("microsoft", 4, few(6, 12), 1.5, 3.5),
        pytest.param("coeurs", 3, 24, 3, 4, marks=pytest.mark.full),
        pytest.param("coeurs", 4, 12, 1.2, 3, marks=pytest.mark.full),
        pytest.param("salon", 5, 6, 0.7, 2.5, marks=pytest.mark.full),
        pytest.param("salon", 6, 12, 0.7, 2, marks=pytest.mark.full),
        pytest.param("salon-valet", 4, 12, 2.5, 2, marks=pytest.mark.full),
    ],
)
def test_a_level_takes_fewer_points_than_the_one_below(
    preset: str, players: int, decks: int, above_beginner: float, above_random: float
) -> None:
    rules = make_ruleset(preset, {"players": players})
    assert margin(rules, "casual", "beginner", decks) > above_beginner
    assert margin(rules, "beginner", "random", decks) > above_random
