"""The puzzles that come with Volte: each can be read, has one answer, and hides other hands."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta
from importlib.resources import files

import pytest
from kit.spoken import EVERY

from volte.bots.candidates import unlike
from volte.cards import QUEEN, CardSet
from volte.game import Phase
from volte.lessons import puzzles
from volte.lessons.puzzles import (
    Grade,
    Puzzle,
    collection,
    daily,
    named,
    of_grade,
    puzzle,
    read_position,
)
from volte.say import Words
from volte.say.answers import tricks
from volte.view import project

LANGUAGES = pytest.mark.parametrize("lang", EVERY)
PART = pytest.mark.parametrize("part", range(8))
MONDAY = date(2026, 11, 16)
WEEK = [MONDAY + timedelta(days=day) for day in range(7)]


def some(part: int) -> tuple[Puzzle, ...]:
    """One of eight parts of the collection."""
    return collection()[part::8]


def test_there_are_hundreds_in_whole_weeks_and_none_is_there_twice() -> None:
    assert 200 <= len(collection()) <= 400
    assert [each.number for each in collection()] == [*range(1, len(collection()) + 1)]
    assert max(Counter(each.position for each in collection()).values()) == 1
    counts = [len(of_grade(grade)) for grade in Grade]
    assert min(counts) >= 50
    weeks = counts[0] // puzzles.DAYS.count(Grade.EASY)
    assert counts == [weeks * puzzles.DAYS.count(grade) for grade in Grade]


def test_the_collection_is_written_as_it_is_read() -> None:
    stored = files("volte.lessons").joinpath("puzzles.json").read_bytes()
    assert puzzles.written(collection()) == stored
    assert len(stored) < 500_000


def test_the_puzzles_are_about_many_things() -> None:
    rules = {each.position.partition("\n")[0] for each in collection()}
    assert len(rules) >= 6
    assert len({each.reasons[0] for each in collection()}) >= 20
    leads = [not read_position(each.position).deal.trick for each in collection()]
    assert 0.1 < sum(leads) / len(leads) < 0.7


@LANGUAGES
def test_why_the_queen_is_thrown_off_is_told_without_naming_her_again(lang: str) -> None:
    words = Words(lang)
    for each in map(puzzle, (4, 70, 84, 147, 152)):
        assert each.best == (QUEEN,)
        assert words.card_in(QUEEN, "") not in puzzles.why(words, each, named(each, "Zoé"))


@PART
def test_every_puzzle_asks_a_seat_for_one_of_several_cards(part: int) -> None:
    for each in some(part):
        view = read_position(each.position)
        assert view.my_turn
        assert view.state.phase is Phase.PLAYING
        assert view.consistent
        assert len(view.legal) > 1
        assert puzzles.position_of(view) == each.position


@PART
def test_the_options_are_all_legal_cards_and_one_is_a_point_ahead_of_all_others(part: int) -> None:
    """Equivalent cards are one option."""
    for each in some(part):
        view = read_position(each.position)
        assert {option.cards for option in each.options} == set(unlike(view).values())
        assert CardSet(card for option in each.options for card in option.cards) == view.legal
        best, *others = each.options
        assert best.points == 0
        assert others
        assert all(option.points - option.error >= 1 for option in others)
        assert [option.points for option in others] == sorted(o.points for o in others)


@PART
def test_a_view_shows_only_what_its_seat_may_know(part: int) -> None:
    """Projecting the view changes nothing, and the hands of other seats are unknown."""
    for each in some(part):
        view = named(each, "Zoé")
        assert project(view.state, view.seat) == view.state
        assert not any(hand for seat, hand in enumerate(view.deal.hands) if seat != view.seat)


@LANGUAGES
@PART
def test_every_puzzle_can_be_told(part: int, lang: str) -> None:
    words = Words(lang)
    for each in some(part):
        view = named(each, "Zoé")
        lines = [
            puzzles.heading(words, each),
            puzzles.heading(words, each, MONDAY),
            *words.newcomer(view),
            *tricks(words, view),
            puzzles.clue(words, each),
            *puzzles.solution(words, each),
        ]
        for card in view.legal:
            lines += puzzles.verdict(words, each, card)
        assert all(re.match(r"[^\W\d_]", line) and "{" not in line for line in lines), lines
        assert len(words.newcomer(view)) >= 3


@LANGUAGES
def test_who_has_shown_a_void_is_told(lang: str) -> None:
    """A newcomer to the position has not seen the void shown."""
    words, voids = Words(lang), 0
    for each in some(1):
        view = named(each, "Zoé")
        lines = words.newcomer(view)
        for seat, size in enumerate(view.deal.hand_sizes()):
            for suit in view.voids(seat) if seat != view.seat and size else ():
                voids += 1
                name = view.state.players[seat].name
                assert any(name in line and words.suit(suit) in line for line in lines)
    assert voids > 5


@PART
def test_the_clue_does_not_name_the_answer(part: int) -> None:
    words = Words("en")
    for each in some(part):
        assert not any(words.the_card(card) in puzzles.clue(words, each) for card in each.best)


def test_only_the_best_is_told_to_be_right() -> None:
    words, one = Words("en"), puzzle(1)
    for option in one.options:
        for card in option.cards:
            first = puzzles.verdict(words, one, card)[0]
            assert first.startswith("Right") is one.solved_by(card)
            assert one.option(card) is option
    view = named(one, "Zoé")
    other = next(card for card in view.deal.rules.cards if card not in view.legal)
    assert one.option(other) is None


# The puzzle of the day


def test_the_week_begins_with_easy_ones_and_ends_with_hard_ones() -> None:
    assert [daily(day).grade for day in WEEK] == sorted(puzzles.DAYS)
    numbers = [daily(day).number for day in WEEK]
    assert numbers == [daily(day).number for day in WEEK], "it is the same for everybody"
    assert len(set(numbers)) == 7


def test_none_comes_again_before_all_of_its_grade_have() -> None:
    """Counted from a day on which a new round begins, each comes once a round."""
    for grade in Grade:
        count = len(of_grade(grade))
        days = iter(date(2026, 1, 1) + timedelta(days=day) for day in range(1500))
        numbers = [daily(day).number for day in days if puzzles.DAYS[day.weekday()] is grade]
        first = next(
            start for start in range(count) if len(set(numbers[start : start + count])) == count
        )
        for start in range(first, len(numbers) - count, count):
            assert len(set(numbers[start : start + count])) == count
        assert numbers[first : first + count] != numbers[first + count : first + 2 * count]


def test_there_is_one_for_every_day_of_the_calendar() -> None:
    assert daily(date.min).grade is Grade.EASY
    assert daily(date.max) in collection()


# By number, grade and seed


def test_numbers_go_round() -> None:
    last = collection()[-1]
    assert puzzles.following(puzzle(1)) is puzzle(2)
    assert puzzles.following(last) is puzzle(1)
    hard = puzzles.following(puzzle(1), Grade.HARD)
    assert hard.grade is Grade.HARD
    assert not any(each.grade is Grade.HARD for each in collection()[1 : hard.number - 1])


def test_a_seed_draws_the_same_order() -> None:
    assert puzzles.in_turn(5) == puzzles.in_turn(5) != puzzles.in_turn(6)
    assert {each.number for each in puzzles.in_turn(5)} == {each.number for each in collection()}
    assert set(map(id, puzzles.in_turn(5, Grade.EASY))) == set(map(id, of_grade(Grade.EASY)))


@pytest.mark.parametrize("number", [0, -1, 10_000])
def test_a_number_that_no_puzzle_has_is_a_fault(number: int) -> None:
    with pytest.raises(puzzles.PuzzleFault) as caught:
        puzzle(number)
    assert str(len(collection())) in Words("fr").fault(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        *("", "rules coeurs", "rules coeurs\nmatch seat 9", "rules nothing\nmatch seat 1"),
        *("rules coeurs\nmatch seat 1\nplay 1 QS", "hello"),
    ],
)
def test_a_position_that_cannot_be_read_is_a_fault(text: str) -> None:
    with pytest.raises(puzzles.PuzzleFault) as caught:
        read_position(text)
    assert Words("en").fault(caught.value).startswith("Cannot read the position")


def test_the_others_have_names_and_the_person_has_theirs() -> None:
    for each in collection()[:20]:
        view = named(each, "Zoé")
        assert view.seat is not None
        assert view.state.players[view.seat].name == "Zoé"
        left = view.state.players[(view.seat + 1) % len(view.state.players)]
        assert left.name == "Alice"
        assert [player.person for player in view.state.players].count(True) == 1
