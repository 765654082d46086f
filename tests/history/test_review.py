"""Reports of reviews, for eyes and for ears, in French and in English.

VOLTE_REMAKE_GOLDENS=1 writes the goldens anew. Reasons are those of hints, and are not tested here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from kit.deals import RandomMatch
from kit.presets import short as table
from kit.sentences import ENGLISH, FRENCH, golden, languages
from msgspec.structs import replace

from volte.bots.judged import DealLuck, Judged, Review
from volte.bots.protocol import Estimate
from volte.cards import Card
from volte.console.terminal import Console, Quit
from volte.game import (
    DealScored,
    MatchState,
    Pass,
    Passed,
    Play,
    Played,
    Refusal,
    decide,
    replay,
)
from volte.history.review import (
    LookedBack,
    ReviewReport,
    answer,
    chart_text,
    cost_text,
    course_of_cards,
    courses,
    heading,
    marks,
)
from volte.history.trying import try_again
from volte.notation import parse_record
from volte.referee import Event, evolve, visible
from volte.say import Words
from volte.say.hints import why
from volte.say.language import Language
from volte.say.telling import Telling
from volte.view import View

GOLDENS = Path(__file__).parent / "goldens"
SAID = Path(__file__).parents[1] / "say" / "goldens"
RECORDS = {"mine": SAID / "dame-de-pique.volte", "everybody": SAID / "coeurs.volte"}
WORTH = {"mine": 0.01, "everybody": 0.5}
"""Worth of a point in each record: a part of the win, or stakes."""


def log_of(name: str) -> list[Event]:
    text = RECORDS[name].read_text(encoding="utf-8")
    if name == "everybody":
        text = text.replace("person", "bot")
    return list(parse_record(text).log)


def estimate(action: Play | Pass, margin: float, worth: float) -> Estimate:
    return Estimate(action, margin + 6, margin, 0.1, worth)


def choices(name: str) -> list[tuple[int, View, Play | Pass]]:
    """Every pass, and every play that was not forced, with the number and the view before it."""
    state: MatchState | None = None
    views: dict[int, View] = {}
    found: list[tuple[int, View, Play | Pass]] = []
    for number, event in enumerate(log_of(name), start=1):
        if isinstance(event, Passed) and event.cards is not None:
            found.append((number, views[event.seat], Pass(event.seat, event.cards)))
        if isinstance(event, Played) and len(views[event.seat].legal) > 1:
            found.append((number, views[event.seat], Play(event.seat, event.card)))
        state = evolve(state, event)
        for seat in range(state.rules.players):
            told = visible(event, seat)
            views[seat] = views[seat].see(told) if seat in views else View.of(seat, [told])
    return found


def judged(name: str, number: int, view: View, done: Play | Pass, lost: float) -> Judged:
    """A made-up judgement: another card, or other cards, would have been `lost` points better."""
    best: Play | Pass
    if isinstance(done, Play):
        best = Play(done.seat, next(card for card in view.legal if card != done.card))
    else:
        best = Pass(done.seat, tuple(view.hand)[: len(done.cards)])
    trick = view.deal.trick_number if isinstance(done, Play) else 0
    own, other = (estimate(done, lost, 0), estimate(best, 0, lost * WORTH[name]))
    return Judged(number, view.deal.number, trick, done.seat, view, own, other, confirmed=True)


@cache
def looked_back(name: str) -> LookedBack:
    """A made-up review: of the first seat in "mine", with one person; of all in "everybody"."""
    log = log_of(name)
    state: MatchState | None = None
    deals: list[DealLuck] = []
    for event in log:
        state = evolve(state, event)
        if isinstance(event, DealScored):
            assert state.deal is not None
            points = event.score.points
            cards = tuple(6.5 + 0.75 * (seat - 1) for seat in range(len(points)))
            deals.append(DealLuck(state.deal.number, points, state.totals, cards))
    assert state is not None
    seats = (0,) if name == "mine" else tuple(range(state.rules.players))
    told = []
    for seat in seats:
        own = [each for each in choices(name) if each[1].seat == seat]
        told += [judged(name, *own[place], lost) for place, lost in ((0, 2.0), (1, 7.3), (3, 0.5))]
    review = Review(tuple(told), tuple(deals), 0 if name == "mine" else 2)
    return LookedBack(log, state, seats, review, 0 if name == "mine" else None)


def without_reasons(words: Words, judged: Sequence[Judged], lines: Sequence[str]) -> str:
    text = "\n".join(lines) + "\n"
    for each in judged:
        assert isinstance(each.best.action, Play | Pass)
        text = text.replace(why(words, each.view, each.best.action, each.reasons), "…")
    return text


@languages
@pytest.mark.parametrize("name", list(RECORDS))
def test_what_is_told_is_the_golden(name: str, words: Words) -> None:
    looked = looked_back(name)
    for_eyes = ReviewReport(words, looked).lines(None)
    for_ears = ReviewReport(words, looked).lines(0)
    parts = [*for_eyes, "", "---", "", *for_ears, "", "---", "", *chart_text(words, looked)]
    told = without_reasons(words, looked.review.judged, parts)
    golden(GOLDENS / f"review-{name}.{words.lang}.txt", told)


@languages
@pytest.mark.parametrize("name", list(RECORDS))
def test_for_ears_there_is_no_table(name: str, words: Words) -> None:
    lines = ReviewReport(words, looked_back(name)).lines(0)
    assert all(line == "" or line[-1] in ".:" for line in lines)
    assert not re.search(r"\S  |[{}]|[+]\d", "\n".join(lines))


@pytest.mark.parametrize("width", [20, 40, 60, 80])
def test_a_table_that_has_no_room_is_told_in_sentences(width: int) -> None:
    for line in ReviewReport(ENGLISH, looked_back("mine")).lines(width):
        assert len(line) <= width or "  " not in line


def test_every_number_of_the_sums_is_told() -> None:
    looked = looked_back("mine")
    lines = "\n".join(ReviewReport(ENGLISH, looked).lines(None))
    for seat, player in enumerate(looked.state.players):
        parts = looked.review.parts(seat)
        assert parts is not None
        name = "You" if seat == 0 else player.name
        (row,) = re.findall(rf"(?m)^{name} +(\d+) +([\d.]+) +([+−\d.]+) +([+−\d.]+)$", lines)
        told = [float(cell.replace("−", "-")) for cell in row]
        assert told == pytest.approx([parts.points, parts.share, parts.luck, parts.play], abs=0.06)


def test_in_what_could_not_be_taken_apart_it_is_said_so() -> None:
    looked = looked_back("mine")
    deals = tuple(replace(deal, cards=None) for deal in looked.review.deals)
    unknown = looked._replace(review=replace(looked.review, deals=deals))
    for width in (None, 0):
        lines = ReviewReport(ENGLISH, unknown).lines(width)
        assert "For 1 deal, there is no telling what the cards were worth." in lines
        assert not any("share" in line for line in lines)
    assert course_of_cards(ENGLISH, unknown) is None


def test_a_match_that_is_not_over_says_so() -> None:
    looked = looked_back("mine")
    log = looked.log[:40]
    state: MatchState | None = None
    for event in log:
        state = evolve(state, event)
    assert state is not None
    found = LookedBack(log, state, (0,), Review((), ()), 0)
    lines = ReviewReport(ENGLISH, found).lines(None)
    assert "The match is not over: here is a review of what has been played so far." in lines
    assert "No deal has been scored yet." in lines
    assert lines[-1] == "You made no choice that can be judged."


# The cost of a choice


@pytest.mark.parametrize(
    ("behind", "lost", "told"),
    [
        (7.3, 0.09, "which cost about 7.3 points, and about 9 chances in 100 of winning the match"),
        (7.3, 0.0, "which cost about 7.3 points"),
        (1.0, 0.011, "which cost about 1 point, and about 1 chance in 100 of winning the match"),
        (0.2, 0.21, "which cost hardly a point, but about 21 chances in 100 of winning the match"),
        (
            -8.5,
            0.21,
            "which saved about 8.5 points, but cost about 21 chances in 100 of winning the match",
        ),
    ],
)
def test_a_cost_is_told_in_points_and_in_chances(behind: float, lost: float, told: str) -> None:
    number, view, done = choices("mine")[0]
    one = replace(judged("mine", number, view, done, 0), done=estimate(done, behind, 0))
    one = replace(one, best=replace(one.best, worth=lost))
    assert cost_text(ENGLISH, one) == told


def test_where_stakes_are_played_for_a_cost_is_told_in_stakes() -> None:
    number, view, done = choices("everybody")[0]
    one = judged("everybody", number, view, done, 3)
    language: Language = ENGLISH
    assert cost_text(language, one) == "which cost about 3 points, and about 1.5 stakes"


# The picture


def test_the_picture_has_a_line_for_each_and_a_mark_for_what_is_told() -> None:
    words, looked = ENGLISH, looked_back("mine")
    lines = courses(words, looked)
    assert [course.name for course in lines] == ["You", "Anne", "Luc", "Hélène"]
    assert all(course.totals[0] == 0 for course in lines)
    assert tuple(course.totals[-1] for course in lines) == looked.state.totals
    cards = course_of_cards(words, looked)
    assert cards is not None
    assert cards.totals[-1] == pytest.approx(5.75)
    assert [each.points for each in marks(looked)] == [7.3, 2.0, 0.5]
    assert course_of_cards(words, looked_back("everybody")) is None


def test_partners_share_a_line() -> None:
    log = RandomMatch(table("partnership", 4, 1), 1).log
    looked = LookedBack(log, replay(log), (0,), Review((), ()), None)
    names = [course.name for course in courses(ENGLISH, looked)]
    assert names == ["Zoé and bot 3", "Jean and bot 4"]


def test_the_heading_names_the_game_and_who_played() -> None:
    told = heading(FRENCH, looked_back("everybody"))
    assert told == "Les Cœurs (coeurs players=5)\u00a0: Zoé, Anne, Luc, Hélène et Paul"


def test_a_card_is_named_in_the_language() -> None:
    told = "\n".join(ReviewReport(FRENCH, looked_back("mine")).lines(0))
    cards = [each.done.action for each in looked_back("mine").review.judged]
    played = [action.card for action in cards if isinstance(action, Play)]
    assert played
    assert all(FRENCH.the_card(card) in told for card in played)
    assert ENGLISH.the_card(Card(str(played[0]))) not in told


# Trying again, at the terminal


def tried(*lines: str, over: bool = True) -> str:
    """The output of `try_again` for typed lines.

    Args:
        over: whether the deals are over.
    """
    looked = looked_back("mine")
    weighed = [replace(each, weighed=(each.best, each.done)) for each in looked.review.judged]
    state = looked.state if over else replace(looked.state, deals=())
    looked = looked._replace(review=replace(looked.review, judged=tuple(weighed)), state=state)
    typed, said = BytesIO("".join(f"{line}\n" for line in lines).encode()), StringIO()
    with suppress(Quit):
        try_again(ENGLISH, Console(typed, said), looked)
    return said.getvalue()


def costliest_play() -> tuple[Judged, str, str]:
    """The choice that is asked about first, its best card, and the card played, as typed."""
    first = looked_back("mine").review.costliest(0)[0]
    assert isinstance(first.best.action, Play)
    assert isinstance(first.done.action, Play)
    return first, first.best.action.card.text, first.done.action.card.text


def test_enter_alone_tells_the_answer_and_goes_on() -> None:
    said = tried(*[""] * 6)
    for place, each in enumerate(looked_back("mine").review.costliest(0), start=1):
        here = said.split("Choice ")[place]
        assert here.startswith(f"{place} of 3.\n")
        lines = answer(Telling(ENGLISH, each.view), each)
        assert all(here.index(line) > here.index("Press Enter") for line in lines)
        assert here.count("What the others held:\n") == 1
        assert here.count(" hand: ") == 3
    assert "You have left" not in said


def test_a_card_is_answered_before_the_answer_is_told() -> None:
    _, best, done = costliest_play()
    said = tried(done, best)
    wrong = said.index("as in the match: not the best choice; it would cost about 7.3 points")
    assert (
        wrong
        < said.index("Right, ")
        < said.index("A better card: ")
        < said.index("What the others")
    )


def test_what_is_no_answer_is_told_in_one_sentence_and_asked_again() -> None:
    first, best, _ = costliest_play()
    held = next(card for card in first.view.hand if card not in first.view.legal).text
    for line, told in (
        ("xx", "“xx” is not a card: try qs or queen of spades."),
        ("claim", "Only a card is needed here: type one, or ? for the keys."),
        (held, ENGLISH.refusal(refused(first, held), first.view)),
    ):
        said = tried(line, best).splitlines()
        assert said[said.index(told) + 1] == "Which card is best? Press Enter for the answer."


def refused(judged: Judged, card: str) -> Refusal:
    refusal = decide(judged.view.state, Play(judged.seat, Card(card)))
    assert isinstance(refusal, Refusal)
    return refusal


@pytest.mark.parametrize("lines", [(), ("q",), ("", "q")])
def test_whoever_leaves_is_told_where_the_answers_are(lines: tuple[str, ...]) -> None:
    left = "You have left the review. Without --try, you get all the answers at once.\n"
    assert tried(*lines).endswith(left)


def test_what_others_hold_in_a_deal_that_is_not_over_is_not_told() -> None:
    assert "A better card: " in tried("", over=False)
    assert "held" not in tried("", over=False)
