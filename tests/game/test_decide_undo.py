"""Taking back a pass or a play: C2."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from kit.deals import after, deal_of, dealt, play, refused, take, view_of
from kit.laws import table_of

from volte import game
from volte.cards import Card

HANDS = ("C: A42", "C: 53 H: 2", "C: 76 H: 3")


def table(people: Collection[int] = (), played: str = "AC") -> game.MatchState:
    return play(dealt("coeurs", *HANDS, people=people), played)


# The pass


def passing() -> game.MatchState:
    return after(dealt("coeurs", *HANDS, pass_count=1), game.Pass(1, (Card("3C"),)))


def test_C2_ones_own_pass_until_the_exchange() -> None:
    step = take(passing(), game.TakeBackPass(1))
    assert step.events == (game.PassTakenBack(1),)
    assert game.to_act(step.after) == (0, 1, 2)
    passes = [game.Pass(1, (Card("2H"),)), game.Pass(0, (Card("2C"),)), game.Pass(2, (Card("3H"),))]
    again = after(step.after, *passes)
    assert refused(again, game.TakeBackPass(1)).reason == "no_pass_to_take_back"


def test_C2_a_pass_that_was_not_made_is_not_taken_back() -> None:
    assert refused(passing(), game.TakeBackPass(0)).clause == "C2"
    assert refused(table(), game.TakeBackPass(0)).clause == "C2"


def test_C2_nobody_sees_the_pass_that_was_taken_back() -> None:
    state = passing()
    for seat in (0, 2):
        view = view_of(state, seat)
        event = take(state, game.TakeBackPass(1)).events[0]
        back = view.see(game.visible(event, seat))
        assert back == view_of(after(state, game.TakeBackPass(1)), seat)


# The play: who consents


def test_C2_among_bots_a_play_is_taken_back_at_once() -> None:
    step = take(table(), game.AskUndo(0))
    assert step.events == (game.UndoAsked(0), game.PlayTakenBack(0, Card("AC")))
    assert step.after.deal == table(played="").deal


def test_C2_with_nobody_else_at_the_table_too() -> None:
    assert deal_of(after(table(people={0}), game.AskUndo(0))).trick == ()


def test_C2_with_the_consent_of_the_other_person() -> None:
    state = after(table(people={0, 2}), game.AskUndo(0))
    assert game.still_to_consent(state) == (2,)
    assert deal_of(state).trick == (Card("AC"),)
    step = take(state, game.AnswerUndo(2, allow=True))
    assert step.events == (game.UndoAnswered(2, True), game.PlayTakenBack(0, Card("AC")))
    assert game.still_to_consent(step.after) == ()


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_C2_with_the_consent_of_all_the_people(order: tuple[int, int]) -> None:
    state = after(table(people={0, 1, 2}), game.AskUndo(0), game.AnswerUndo(order[0], allow=True))
    assert game.still_to_consent(state) == (order[1],)
    assert deal_of(after(state, game.AnswerUndo(order[1], allow=True))).trick == ()


def test_C2_asking_again_does_not_lose_the_consents() -> None:
    state = after(table(people={0, 1, 2}), game.AskUndo(0), game.AnswerUndo(1, allow=True))
    assert refused(state, game.AskUndo(0)).clause == "C2"
    assert game.still_to_consent(state) == (2,)


def test_C2_one_who_does_not_allow_it_is_enough() -> None:
    state = after(table(people={0, 1, 2}), game.AskUndo(0), game.AnswerUndo(1, allow=True))
    state = after(state, game.AnswerUndo(2, allow=False))
    assert (state.asked, game.still_to_consent(state)) == (None, ())
    assert deal_of(state).trick == (Card("AC"),)
    assert refused(state, game.AskUndo(0)).reason == "nothing_to_undo"  # nobody is asked again


def test_C2_only_those_who_are_asked_may_answer() -> None:
    state = table(people={0, 2})
    assert refused(state, game.AnswerUndo(2, allow=True)).reason == "no_undo_asked"
    state = after(state, game.AskUndo(0))
    for seat in (0, 1):  # whoever asks, and a bot
        assert refused(state, game.AnswerUndo(seat, allow=True)).reason == "not_yours_to_allow"
    state = after(table(people={0, 1, 2}), game.AskUndo(0), game.AnswerUndo(1, allow=True))
    assert refused(state, game.AnswerUndo(1, allow=False)).reason == "not_yours_to_allow"


# What can be taken back

USUAL = "coeurs | C: A42 | C: 53 H: 2 | C: 76 H: 3"


@pytest.mark.parametrize(
    ("table", "played", "seat"),
    [
        (USUAL, "AC", 1),  # only one's own play
        (USUAL, "AC", 2),
        (USUAL, "AC 5C", 0),  # not after the next action of anybody
        (USUAL, "", 0),
        (f"{USUAL} | kitty H: 9", "AC 5C 7C", 2),  # not once a kitty was seen
        ("coeurs | C: A | C: 2 | H: 2", "AC 2C 2H", 2),  # nor once the deal is over
        ("coeurs match_end=deals:2 | C: A | C: 2 | H: 2", "AC 2C 2H", 2),
    ],
)
def test_C2_what_can_not_be_taken_back(table: str, played: str, seat: int) -> None:
    refusal = refused(play(table_of(table), played), game.AskUndo(seat))
    assert (refusal.reason, refusal.clause) == ("nothing_to_undo", "C2")


def test_C2_nothing_twice_or_after_a_claim() -> None:
    assert refused(after(table(), game.AskUndo(0)), game.AskUndo(0)).clause == "C2"
    state = dealt("coeurs", "C: A4", "C: 2 H: 3", "H: 2 D: 3", match_end="deals:2")
    state = after(play(state, "AC"), game.Claim(1))
    assert refused(state, game.AskUndo(0)).reason == "nothing_to_undo"


def test_C2_a_play_made_meanwhile_ends_the_question() -> None:
    state = play(after(table(people={0, 2}), game.AskUndo(0)), "5C")
    assert refused(state, game.AnswerUndo(2, allow=True)).reason == "no_undo_asked"
    assert deal_of(state).trick == (Card("AC"), Card("5C"))


def test_C2_across_the_end_of_a_trick() -> None:
    before, full = table(played="AC 5C"), table(played="AC 5C 7C")
    assert deal_of(full).tricks
    assert game.last_play(before) is not None
    assert after(full, game.AskUndo(2)).deal == before.deal


def test_C2_before_the_kitty_is_seen() -> None:
    earlier = play(dealt("coeurs", *HANDS, kitty="H: 9"), "AC 5C")
    assert deal_of(after(earlier, game.AskUndo(1))).trick == (Card("AC"),)


def test_C2_a_chance_that_was_taken_back_was_none() -> None:
    """The void that a discard has shown is forgotten with it (T6)."""
    hands = ("C: A42", "S: Q H: 2 D: 2", "C: 76 H: 3")
    state = play(dealt("coeurs", *hands, queen_discard="barred"), "AC 2D")
    assert deal_of(state).voided == 1 << 1
    state = after(state, game.AskUndo(1))
    assert (deal_of(state).voided, deal_of(state).excluded) == (0, (0, 0, 0))
    assert refused(state, game.Play(1, Card("QS"))).clause == "T6"


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_C2_all_views_agree_after_an_undo(seat: int | None) -> None:
    state = table(people={0, 2})
    view = view_of(state, seat)
    actions: list[game.Action] = [
        game.AskUndo(0),
        game.AnswerUndo(2, allow=True),
        game.Play(0, Card("4C")),
    ]
    for action in actions:
        step = take(state, action)
        events: list[game.Event] = [game.visible(event, seat) for event in step.events]
        state, view = step.after, view.see(*events)
        assert view == view_of(state, seat)
