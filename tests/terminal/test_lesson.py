"""`volte learn`: taken with the right answers, with all wrong ones first, and left early."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import StringIO
from signal import SIGINT

import pytest
from kit.spoken import EVERY
from kit.strategies import few
from kit.terminals import Answer, Keyboard, Script

from volte.cards import HEARTS, QUEEN, SPADES, Card, Rank, cards_in, mask_of
from volte.console.options import words_for
from volte.console.terminal import Console, Quit
from volte.lessons import lesson
from volte.lessons.lesson import STEPS, TAUGHT, LessonScene, Turn
from volte.lessons.lesson_command import Lesson
from volte.lessons.lesson_page import moment
from volte.rules import Direction
from volte.say import Words

LANGUAGES = pytest.mark.parametrize("lang", EVERY)
SCENES = [
    pytest.param(scene, id=f"{number}.{place}")
    for number, step in enumerate(STEPS, start=1)
    for place, scene in enumerate(step.scenes, start=1)
]
LAST = len(STEPS)

MOST_WORDS = 1400
"""In nine minutes and a third, at 150 words a minute; the rest of the ten is for answers."""


def take(
    answer: Answer, words: Words, step: int = 1, width: int | None = None
) -> tuple[str, Quit | None]:
    """Take a lesson; return its text, and the exception with which the pupil left it early."""
    screen = StringIO()
    console = Console(Keyboard(answer, screen), screen, width, plain=width is not None)
    try:
        Lesson(words, console, seed=5).run(step)
    except Quit as left:
        return screen.getvalue(), left
    return screen.getvalue(), None


def typed(words: Words, cards: Sequence[Card]) -> str:
    return ", ".join(words.card(card) for card in cards)


def right_answers(words: Words) -> Iterator[str]:
    """The lines to type up to the real deal: an answer for every turn, and Enter after a step."""
    for step in STEPS[:-1]:
        for scene in step.scenes:
            for turn in scene.turns:
                yield typed(words, turn.right_cards)
        yield ""


def as_hinted(heard: str) -> str:
    """Plays the real deal by its hints."""
    hints = re.findall(r"^(?:Play|Jouez) (?:the |le |la |l’)?(.*?)\s?: ", heard, re.MULTILINE)
    return str(hints[-1])


def tries(scene: LessonScene, words: Words) -> Iterator[tuple[Turn, list[str], str]]:
    """For each turn, all the wrong cards of the hand, and the right answer."""
    hand = set(scene.cards[0])
    for turn in scene.turns:
        right = turn.right_cards
        if len(right) == 1:
            wrong = [words.card(card) for card in sorted(hand - set(turn.accepted))]
        else:
            wrong = [typed(words, (*right[1:], card)) for card in sorted(hand - set(right))]
        yield turn, wrong, typed(words, right)
        hand -= set(right)


# The whole lesson


@LANGUAGES
def test_whoever_answers_right_comes_to_the_end_within_ten_minutes(lang: str) -> None:
    words = Words(lang)
    said, left = take(Script(right_answers(words), as_hinted), words)
    assert left is None
    headings = re.findall(r"^(?:Step|Étape) (\d) (?:of|sur) 9\. (.+)\.$", said, re.MULTILINE)
    assert [int(number) for number, _ in headings] == list(range(1, LAST + 1))
    assert len({title for _, title in headings}) == LAST
    assert said.count(words.t(lesson.PAUSE)) == LAST - 1
    assert said.endswith(words.t(lesson.END, command="volte play") + "\n")
    assert len(re.findall(r"\w+(?:[’'-]\w+)*", said)) <= MOST_WORDS


@LANGUAGES
def test_the_deal_at_the_end_comes_with_hints_and_ends_with_the_score_sheet(lang: str) -> None:
    words = Words(lang)
    said, left = take(as_hinted, words, step=LAST)
    assert left is None
    assert len(re.findall(r"^(?:Play|Jouez) ", said, re.MULTILINE)) == 5
    header, row = re.findall(r"^(?:Deal  |Manche  |  ).*", said, re.MULTILINE)[-2:]
    assert header.split()[1:] == [words.sentence(words.t("you")), "Alice", "Bruno", "Chloé"]
    assert row.split()[0] == "1"


@LANGUAGES
@pytest.mark.parametrize("plain", [True, False])
def test_the_lesson_fits_into_forty_columns(lang: str, plain: bool) -> None:
    words = words_for(lang, plain)
    said, left = take(Script(right_answers(words), as_hinted), words, width=40)
    assert left is None
    assert max(map(len, said.splitlines())) <= 40
    assert not plain or not re.search("[♣♦♠♥]", said)


# Wrong answers


@LANGUAGES
@pytest.mark.parametrize("number", range(1, LAST))
def test_every_wrong_card_is_answered_and_the_question_asked_again(lang: str, number: int) -> None:
    words = Words(lang)
    lines: list[str] = []
    wrong_at: list[int] = []
    for other in STEPS[number - 1].scenes:
        for _, wrong, right in tries(other, words):
            wrong_at += range(len(lines) + 1, len(lines) + len(wrong) + 1)
            lines += [*wrong, right]
    script = Script(lines)
    said, left = take(script, words, step=number)
    assert left is not None  # at the pause, where the lines end
    way_back = f"volte learn --step {number + 1}"
    assert said.splitlines()[-1] == words.t(lesson.GOODBYE, command=way_back)
    for at in wrong_at:
        reply = script.replies[at].splitlines()
        assert len(reply) in (2, 3)  # a sentence, at the second time the answer too; the question
        assert all(map(str.strip, reply))
        assert reply[-1] == script.replies[at - 1].splitlines()[-1]


@LANGUAGES
@pytest.mark.parametrize("number", range(1, LAST))
def test_a_card_that_is_not_in_the_hand_is_refused_at_every_question(
    lang: str, number: int
) -> None:
    words = Words(lang)
    lines = []
    for other in STEPS[number - 1].scenes:
        for turn in other.turns:
            strangers = other.cards[1][-len(turn.right_cards) :]
            lines += [typed(words, strangers), typed(words, turn.right_cards)]
    script = Script(lines)
    take(script, words, number)
    for reply in script.replies[1::2]:
        assert re.search(words.t("You do not hold {card:the}.", card=".*").strip("."), reply)


# Ways out: keys stand in the transcripts `learn.*`


@pytest.mark.parametrize(
    ("step", "lines", "visited"),
    [
        (3, ["-"], [3, 2]),
        (3, ["back", "retour"], [3, 2, 1]),
        (1, ["−"], [1, 1]),
        (3, ["+"], [3, 4]),
        (5, ["qs", "+"], [5, 6]),
        (8, ["+", "-"], [8, 9, 8]),
        (99, [], [9]),
        (3, ["8c", "−"], [3, 3]),  # from the pause, back into the step just taken
        (3, ["8c", "+"], [3, 4]),
        (3, ["8c", "what now", "3", "?", ""], [3, 4]),
        (6, ["as ks ah", "i", "as", ""], [6, 7]),
    ],
)
def test_a_pupil_turns_back_and_on(step: int, lines: list[str], visited: list[int]) -> None:
    said, _ = take(Script(lines), Words("en"), step=step)
    assert [int(each) for each in re.findall(r"^Step (\d) of", said, re.MULTILINE)] == visited


def test_the_last_step_can_be_skipped_too() -> None:
    said, left = take(Script(["+"]), Words("en"), step=LAST)
    assert left is None
    assert said.endswith("volte play\n")


@pytest.mark.parametrize("lang", few(["fr"], ["fr", "en"]))
def test_whoever_leaves_is_told_the_way_back(lang: str) -> None:
    words = Words(lang)
    answers = list(right_answers(words))
    step = 1
    for count in range(len(answers) + 1):
        goodbye = words.t(lesson.GOODBYE, command=f"volte learn --step {step}")
        for last in ([], ["q"]):
            said, left = take(Script([*answers[:count], *last]), words)
            assert left is not None
            assert left.signal == 0
            at_the_pause = words.t(lesson.PAUSE) == said.splitlines()[-2]
            on = words.t(lesson.GOODBYE, command=f"volte learn --step {step + 1}")
            assert said.splitlines()[-1] == (on if at_the_pause else goodbye)
        step += answers[count : count + 1] == [""]


def test_ctrl_c_leaves_the_lesson_at_any_question() -> None:
    def interrupt(_: str) -> str:
        raise KeyboardInterrupt

    words = Words("en")
    answers = list(right_answers(words))
    for count in range(len(answers) + 1):
        said, left = take(Script(answers[:count], interrupt), words)
        assert left is not None
        assert left.signal == SIGINT
        assert "volte learn --step" in said.splitlines()[-1]


# The sentences are true of the cards


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_is_a_deal_with_answers_in_the_hand(scene: LessonScene) -> None:
    hand = set(scene.cards[0])
    assert len({len(cards) for cards in scene.cards}) == 1
    assert scene.rules.hand_size == len(hand)
    for turn in scene.turns:
        assert set(turn.accepted) <= hand
        assert {Card(text) for text in turn.clues} <= hand - set(turn.accepted)
        hand -= set(turn.right_cards)


def test_no_sentence_of_the_lesson_names_a_card_outright() -> None:
    names = re.compile(r"\b(?:[2-9]|10|ace|king|queen|jack) of \w+|[♣♦♠♥]|\b[2-9TJQKA][CDHS]\b")
    for step in STEPS:
        turns = [turn for scene in step.scenes for turn in scene.turns]
        texts = [step.title, *step.tells]
        texts += [text for scene in step.scenes for text in scene.tells]
        texts += [text for turn in turns for text in (turn.ask, turn.clue, turn.done)]
        texts += [text for turn in turns for text in turn.clues.values()]
        assert not [text for text in texts if names.search(text)]


def scene_of(step: int, place: int = 1) -> LessonScene:
    return STEPS[step - 1].scenes[place - 1]


def test_step_3_asks_for_the_highest_card_that_ducks() -> None:
    scene = scene_of(3)
    led = scene.cards[scene.leader][0]
    under = [card for card in scene.cards[0] if card.suit is led.suit and card < led]
    assert scene.turns[0].right_cards == (max(under),)
    assert len(under) > 1


def test_step_4_throws_a_high_heart_at_the_first_void() -> None:
    scene = scene_of(4)
    led = scene.cards[scene.leader][0].suit
    assert led not in {card.suit for card in scene.cards[0]}
    assert cards_in(mask_of(scene.cards[0]) & HEARTS) == scene.turns[0].right_cards


def test_step_5_has_the_queen_thrown_and_then_driven_out_by_the_player_across() -> None:
    thrown, driven = scene_of(5), scene_of(5, 2)
    assert thrown.turns[0].right_cards == (QUEEN,)
    assert cards_in(mask_of(driven.cards[2]) & SPADES) == (QUEEN,)
    assert TAUGHT.points_in(QUEEN.bit) == TAUGHT.points_in(HEARTS & TAUGHT.deck_mask)


def test_step_6_passes_the_highest_heart_and_the_two_highest_spades() -> None:
    scene = scene_of(6)
    hand = mask_of(scene.cards[0])
    highest = {*cards_in(hand & SPADES)[-2:], cards_in(hand & HEARTS)[-1]}
    assert set(scene.turns[0].right_cards) == highest
    got = scene.cards[3][:3]
    assert all(card.rank is not None and card.rank <= Rank.SEVEN for card in got)
    cycle = TAUGHT.passing.cycle
    assert cycle == (Direction.LEFT, Direction.RIGHT, Direction.ACROSS, Direction.HOLD)


def test_step_7_keeps_points_out_of_the_first_trick_and_hearts_from_the_lead() -> None:
    scene = scene_of(7)
    across = mask_of(scene.cards[2])
    opening = scene.rules.lowest_club(scene.rules.deck_mask)
    assert opening is scene.cards[scene.leader][0]
    assert opening is TAUGHT.lowest_club(TAUGHT.deck_mask)
    assert not [card for card in cards_in(across) if card.suit is opening.suit]
    assert across & HEARTS
    assert scene.cards[2][0].bit & ~HEARTS & ~QUEEN.bit
    assert scene.rules.play == TAUGHT.play


@LANGUAGES
def test_where_a_card_is_to_be_chosen_there_is_more_than_one(lang: str) -> None:
    """But for the last card of a hand."""
    words = Words(lang)
    for step in STEPS:
        for scene in step.scenes:
            for place in range(len(scene.turns)):
                view = moment(words, scene, place).view
                assert len(view.legal) > 1 or len(view.hand) < 2 or view.deal.pass_size


def test_step_8_shoots_the_moon() -> None:
    words = Words("en")
    scene = scene_of(8)
    others = mask_of(card for hand in scene.cards[1:] for card in hand[1:])
    assert not others & HEARTS
    lines = [typed(words, turn.right_cards) for turn in scene.turns]
    said, _ = take(Script(lines), words, step=8)
    assert "You have shot the moon" in said
    assert f"you 0; Alice {scene.rules.penalty_total}" in said
    assert f"Here it is {scene.rules.penalty_total} points." in said
