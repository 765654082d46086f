"""The engine judges its lines, and has the view of its seat; no line stops it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import SOME_TABLES, any_rulesets, few, rulesets, seeds, wider_rulesets
from kit.deals import Step, after, deal_of, dealt, match, start
from kit.engines import accept, cards, comparable, lines_of, reason, seen, session, told_to, view_of
from kit.stanzas import stanzas

from volte import game
from volte.cards import CARDS, Card, cards_in, mask_of
from volte.engine import EngineSession
from volte.engine.language import LONGEST_LINE, EngineFault, position_lines, rules_line
from volte.engine.position import tell_play
from volte.engine.session import FORMS
from volte.rules import OPTIONS, PRESETS, Passing, Ruleset, make_ruleset
from volte.view import View

HAND = "hand S: AQ2 H: K53 D: T98 C: 8765"
LED = (
    "match seat 2",
    f"deal dealer 1 pass left {HAND}",
    "pass AS QS KH",
    "receive 2H 4H 6H",
    "play 4 2C",
)
FEW_CARDS = dealt("microsoft", "6C QS", "2C 4C", "3C 5C", opening="eldest", moon="shooter_chooses")
MOON = (
    rules_line(FEW_CARDS.rules),
    "match seat 1",
    "deal dealer 3 hand 6C QS",
    "play 6C 2C 3C QS 4C 5C",
)
"""Rules with so few cards that the taker of the queen has shot the moon."""


@pytest.mark.parametrize("text", stanzas(__file__, "refusals.txt"))
def test_what_cannot_be_is_refused(text: str) -> None:
    """A line with `!` is refused for the reason behind it, every other one is accepted."""
    heard = session()
    for line in text.splitlines():
        line, refused, why = line.partition(" ! ")
        if refused:
            assert reason(heard, line) == why
        else:
            accept(line, to=heard)


@pytest.mark.parametrize(
    ("lines", "points"),
    [
        (["moon 1", "moon 1 plus"], (0, 13, 13)),
        (["moon minus"], (-13, 0, 0)),
        (["score -13 0 0 moon 1 minus"], (-13, 0, 0)),
        (["score -13 0 0"], (-13, 0, 0)),  # by its points alone
        (["score 0 13 13", "moon 1 plus"], (0, 13, 13)),
    ],
)
def test_W7_how_a_moon_counts_is_told_in_any_of_these_ways(
    lines: list[str], points: tuple[int, ...]
) -> None:
    heard = accept(*MOON, *lines, "deal hand 2C QS")
    assert view_of(heard).state.deals[0].points == points


def test_W7_an_engine_is_asked_how_its_moon_counts_and_estimates_both() -> None:
    plus, minus, _, choice = accept(*MOON).hear("go moon plus minus")
    assert plus == "estimate moon plus points 0.000 margin -13.000"
    assert minus == "estimate moon minus points -13.000 margin -13.000"
    assert choice == "choose moon plus"


def test_a_deal_may_be_any_one_of_its_match() -> None:
    """P2: the pass follows from the number, or is told for this deal alone."""
    rules = make_ruleset("microsoft")
    for number in range(1, 9):
        deal = f"deal number {number} dealer 1"
        heard = accept("match seat 2", f"{deal} {HAND}")
        assert view_of(heard).deal.direction is rules.direction(number)
        for direction in ("pass right", "hold"):
            heard = accept("match seat 2", f"{deal} {direction} {HAND}")
            assert str(view_of(heard).deal.direction) in direction
            accept("score 0 26 0 0", f"deal {HAND}", to=heard)
            assert view_of(heard).deal.number == number + 1
            assert view_of(heard).deal.direction is rules.direction(number + 1)
            assert view_of(heard).deal.dealer == 1


def test_deals_that_nobody_told_count_nothing() -> None:
    heard = accept("match seat 2", "score 5 6 7 8", f"deal number 4 dealer 1 {HAND}")
    assert view_of(heard).state.totals == (5, 6, 7, 8)
    assert len(view_of(heard).state.deals) == 3


def test_a_line_is_accepted_or_refused_as_a_whole() -> None:
    heard = accept(*LED)
    assert reason(heard, "play 3C 5C 4C 4C") == "against_the_rules"
    assert view_of(heard).deal.trick == (Card("2C"),)


def test_L2_of_two_lowest_clubs_either_may_be_led() -> None:
    heard = accept(
        "rules cancellation players=6 pass_count=0 opening=lowest_club",
        "match seat 1",
        "deal dealer 6 hand S: AQ2 H: K53 D: T9876 C: T8765 S': A",
        "lead 3 2C",
    )
    assert reason(heard, "play 3 3C") == "told_wrong"
    accept("play 3 2C'", to=heard)
    assert view_of(heard).deal.trick == (Card("2C'"),)
    assert reason(heard, "play 4 2C") == "contradiction"  # seat 3 leads since it has that one


def test_a_seat_that_showed_a_void_cannot_follow_later() -> None:
    heard = accept(*LED, "play 3C 5C AS")  # seat 3 has no clubs, and seat 2 leads
    assert reason(heard, "play 2 6C 3 9C") == "card_is_excluded"


def test_what_is_too_long_is_said_to_be() -> None:
    (answer,) = session().hear(None)
    assert answer == f"error line_too_long This line is too long: more than {LONGEST_LINE:,} bytes."


def test_blank_lines_and_remarks_are_not_answered() -> None:
    for line in ("", "   ", "# quit", "#"):
        heard = session()
        assert heard.hear(line) == []
        assert not heard.over


# The judgement is exact


FEW = st.integers(3, 4)


@given(rulesets(FEW, most_cards=10) | wider_rulesets(FEW, most_cards=9), seeds)
@settings(max_examples=few(5, 1200))
def test_a_card_is_accepted_when_some_lie_of_the_cards_makes_it_lawful(
    rules: Ruleset, seed: int
) -> None:
    seat = seed % rules.players
    view, worlds = View.of(seat, [start(rules)]), list[game.MatchState]()
    for step in match(rules, seed):
        if step.after.deal is not None and step.after.deal.number > 1:
            return
        for event in step.events:
            view = view.see(game.visible(event, seat))
        if isinstance(step.action, game.Play):
            worlds = agreeing(worlds, step, seat)
        elif step.after.phase is game.Phase.PLAYING:
            worlds = list(all_worlds(view))
        if view.state.phase is game.Phase.PLAYING and view.deal.turn != seat:
            check_every_card(view, worlds)


def check_every_card(view: View, worlds: list[game.MatchState]) -> None:
    assert worlds
    for card in CARDS:
        play = game.Play(view.deal.turn, card)
        possible = any(not isinstance(game.decide(world, play), game.Refusal) for world in worlds)
        assert accepted(view, card) == possible, (card, view.deal)


def accepted(view: View, card: Card) -> bool:
    try:
        tell_play(view, None, card)
    except EngineFault:
        return False
    return True


def all_worlds(view: View) -> Iterator[game.MatchState]:
    """Every way in which the cards may lie when play begins, as a deal without a pass."""
    rules = replace(view.deal.rules, passing=Passing(0))
    named = after(game.replay([start(rules)]), game.NameDealer(view.deal.dealer))
    for hands in _hands(view, 0, view.unseen):
        first = view.deal.dealer + 1
        clockwise = [hands[(first + place) % len(hands)] for place in range(len(hands))]
        rows = zip(*map(cards_in, clockwise), strict=True)
        deck = tuple(card for row in rows for card in row)
        kitty = cards_in(rules.deck_mask & ~mask_of(deck))
        world = after(named, game.DealCards(deck + kitty))
        began = deal_of(world).leader, deal_of(world).opening
        if began == (view.deal.leader, view.deal.opening):
            yield world


def _hands(view: View, seat: int, left: int) -> Iterator[tuple[int, ...]]:
    """Yield the hands from that seat on, out of the cards that are left."""
    rules = view.deal.rules
    if seat == rules.players:
        yield ()
    elif seat == view.seat:
        for others in _hands(view, seat + 1, left):
            yield (view.hand.mask, *others)
    else:
        for held in map(mask_of, combinations(cards_in(left), rules.hand_size)):
            if not view.gave(seat).mask & ~held:
                for others in _hands(view, seat + 1, left & ~held):
                    yield (held, *others)


def agreeing(worlds: list[game.MatchState], step: Step, seat: int) -> list[game.MatchState]:
    """The worlds in which that seat would have seen the same events."""
    seen = [game.visible(event, seat) for event in step.events]
    kept = []
    for world in worlds:
        outcome = game.decide(world, step.action)
        if isinstance(outcome, game.Refusal):
            continue
        shown = [game.visible(event, seat) for event in outcome]
        if shown[: len(seen)] == seen[: len(shown)]:
            kept.append(after(world, step.action))
    return kept


seats = st.integers(0, 9)
tables = rulesets() | wider_rulesets(most_cards=20)


@given(tables, seeds, seats)
def test_a_match_told_event_by_event_is_the_view_of_that_seat(
    rules: Ruleset, seed: int, number: int
) -> None:
    follow(rules, seed, number % rules.players)


@pytest.mark.parametrize(("preset", "players"), SOME_TABLES)
def test_every_preset_can_be_told(preset: str, players: int) -> None:
    for seat in range(players - few(1, players), players):
        follow(make_ruleset(preset, {"players": players}), seat, seat)


def follow(rules: Ruleset, seed: int, seat: int) -> None:
    """Tell a whole match, and compare whenever the seat has to act and when a deal is over."""
    rng = random.Random(seed)
    heard = accept(*told_to(rules, seat))
    for happened in seen(rules, seed, seat):
        for event, view in happened:
            accept(*lines_of(event, view, rng), to=heard)
        over = view.state.deal is not None and view.state.phase in (
            game.Phase.DEALING,
            game.Phase.ENDED,
        )
        if view.my_turn or over:
            ours = comparable(view_of(heard).state, exact=True)
            assert ours == comparable(view.state, exact=True)
    assert view_of(heard).state.phase is game.Phase.ENDED


@given(tables, seeds, seats)
def test_every_position_can_be_told_in_one_go(rules: Ruleset, seed: int, number: int) -> None:
    seat = number % rules.players
    heard = accept(rules_line(rules))
    for *_, (_, view) in seen(rules, seed, seat):
        if view.my_turn:
            accept(*position_lines(view), to=heard)
            assert comparable(view_of(heard).state) == comparable(view.state)


@given(tables, seeds, seats)
def test_while_a_deal_goes_on_its_lines_are_only_added_to(
    rules: Ruleset, seed: int, number: int
) -> None:
    seat, lines, deal = number % rules.players, list[str](), 0
    for *_, (_, view) in seen(rules, seed, seat):
        if view.my_turn:
            before, lines = lines, position_lines(view)
            if view.deal.number == deal:
                assert lines[: len(before)] == before
            deal = view.deal.number


def test_lots_for_the_pot_are_told_before_the_next_deal() -> None:
    """M6: where the stakes cannot be shared equally, nobody is dealt cards before lots are."""
    rules = make_ruleset("coeurs-cagnotte", {"players": 5, "match_end": "deals:4"})
    heard = accept(*told_to(rules, 0))
    for happened in seen(rules, 8, 0):
        events = [event for event, _ in happened]
        if isinstance(events[0], game.LotsDrawn) and len(view_of(heard).state.deals) < 4:
            order = events[0].order
            assert reason(heard, f"deal hand {cards(CARDS[:10])}") == "lots_missing"
            assert (
                reason(heard, f"lots {' '.join(str(seat + 1) for seat in order[1:])}")
                == "told_wrong"
            )
            accept(*lines_of(*happened[0]), to=heard)
            assert comparable(view_of(heard).state) == comparable(happened[-1][1].state)
            return
        for event, view in happened:
            accept(*lines_of(event, view), to=heard)
    pytest.fail("no lots were drawn")


@given(tables)
def test_rules_are_told_with_every_option(rules: Ruleset) -> None:
    heard = accept(rules_line(rules), to=session(make_ruleset("salon", {"players": 6})))
    assert heard.rules == rules


SENSE = [
    *FORMS,
    *PRESETS,
    *(f"{name}={value}" for name, option in OPTIONS.items() for value in option.values),
    *(card.text for card in CARDS[:56]),
    *map(str, range(11)),
    *["seat", "number", "dealer", "pass", "hold", "left", "right", "hand", "moon", "slam", "minus"],
    *["plus", "trickless", "scatter", "pot", "movetime", "simulations", "level", "seed", "none"],
    *["casual", "beginner", "random", "play", "go"],
]
NONSENSE = [
    *["", "\0", "-1", "9" * 5000, "١٢", "{x}", "%s"],
    *["QS''", "S:", "AA:", "#", "\x1b[2J", "\ud800"],
]
words = st.sampled_from(SENSE) | st.sampled_from(NONSENSE) | st.text(max_size=5)
lines = st.builds(
    lambda first, others: " ".join([first, *others]), st.sampled_from(SENSE), st.lists(words)
)
forms = st.sampled_from(sorted(FORMS.values()))
FIRST_TRICK = [*LED, "play 1 3C", "play 2 5C 3 4C", "play 2 2S"]


ANSWERS = {"volte", "id", "option", "ready", "readyok", "estimate", "info", "choose", "error"}


def check(heard: EngineSession, line: str) -> None:
    before = heard.view, heard.rules, heard.settings
    answer = heard.hear(line)
    for each in answer:
        assert len(each.splitlines()) == 1
        assert each.split(" ")[0] in ANSWERS
    if any(each.startswith("error") for each in answer):
        assert len(answer) == 1
        assert not answer[0].startswith("error bot_failed")
        assert (heard.view, heard.rules, heard.settings) == before
    if heard.view is not None:
        assert isinstance(heard.view, View)
        assert heard.view.state.deal is None or heard.view.consistent


@given(st.lists(lines | forms | st.text(), max_size=20), st.integers(0, len(FIRST_TRICK)))
def test_nothing_that_is_typed_stops_the_engine(typed: list[str], place: int) -> None:
    heard = accept(*FIRST_TRICK[:place])
    for line in typed:
        if line.split()[:2] != ["set", "level"]:  # a level may take its time
            check(heard, line)


@given(any_rulesets(), st.lists(st.permutations(list(CARDS)), max_size=3), st.data())
def test_shuffled_words_of_a_position_are_answered(
    rules: Ruleset, packs: list[list[object]], data: st.DataObject
) -> None:
    heard = accept(rules_line(rules), "match seat 3", to=session())
    for pack in packs:
        hand = " ".join(map(str, pack[: rules.hand_size]))
        check(heard, f"deal dealer 1 hand {hand}")
        for word in ("pass", "receive", "lead 1", "play", "kitty", "score", "moon 1", "lots", "go"):
            count = data.draw(st.integers(0, 5))
            check(heard, f"{word} {' '.join(map(str, pack[-count:] if count else []))}")
