"""The choice of the moon, and the moon that saves its shooter: W7, W8."""

from __future__ import annotations

import pytest
from kit.deals import after, deal_out, first_deal, play, refused, take, view_of

from volte import game
from volte.cards import Card
from volte.rules import Score, Value, read_setting

HANDS = ("C: A H: A", "C: 2 H: 2", "C: 3 H: 3")
ALL = "AC 2C 3C AH 2H 3H"
"""The first seat shoots the moon, which counts three."""


def table(
    moon: str = "shooter_chooses", end: str = "deals:2", **options: str | int
) -> game.MatchState:
    return first_deal("coeurs", HANDS, options={"moon": moon, "match_end": end, **options})


def shot() -> game.MatchState:
    return play(table(), ALL)


# The choice


def test_W7_the_shooter_is_asked() -> None:
    step = take(play(table(), ALL.removesuffix(" 3H")), game.Play(2, Card("3H")))
    assert step.events[-1] == game.MoonShot(0)
    assert (step.after.phase, step.after.shooter) == (game.Phase.CHOOSING, 0)
    assert game.to_act(step.after) == (0,)
    assert game.legal_actions(step.after, 0) == (
        game.ChooseMoon(0, minus=False),
        game.ChooseMoon(0, minus=True),
    )
    assert game.legal_actions(step.after, 1) == ()


@pytest.mark.parametrize(("minus", "points"), [(False, (0, 3, 3)), (True, (-3, 0, 0))])
def test_W7_and_says_how_it_counts(minus: bool, points: tuple[int, ...]) -> None:
    step = take(shot(), game.ChooseMoon(0, minus=minus))
    assert step.events[0] == game.DealScored(points, moon=0, minus=minus)
    assert step.after.deals == (Score(points, moon=0, minus=minus),)
    assert (step.after.phase, step.after.shooter) == (game.Phase.DEALING, None)


def test_W7_nobody_else_chooses() -> None:
    for seat in (1, 2):
        refusal = refused(shot(), game.ChooseMoon(seat, minus=True))
        assert (refusal.reason, refusal.clause) == ("no_moon_to_choose", "W7")
    assert refused(shot(), game.ChooseMoon(3, minus=True)).reason == "no_such_seat"


def test_W7_nor_before_the_moon_or_after_the_choice() -> None:
    assert refused(table(), game.ChooseMoon(0, minus=True)).reason == "no_moon_to_choose"
    chosen = after(shot(), game.ChooseMoon(0, minus=True))
    assert refused(chosen, game.ChooseMoon(0, minus=False)).reason == "no_moon_to_choose"


@pytest.mark.parametrize("moon", ["off", "others_plus", "shooter_minus", "plus_unless_lost"])
def test_W7_elsewhere_nobody_is_asked(moon: str) -> None:
    state = play(table(moon), ALL)
    assert state.phase is game.Phase.DEALING
    assert refused(state, game.ChooseMoon(0, minus=True)).reason == "no_moon_to_choose"


def test_W7_nothing_else_is_done_meanwhile() -> None:
    state = shot()
    assert refused(state, game.Play(0, Card("AC"))).reason == "not_playing_now"
    assert refused(state, game.Claim(0)).reason == "not_playing_now"
    assert refused(state, game.AskUndo(2)).reason == "nothing_to_undo"


def test_C2_the_last_play_is_not_taken_back_once_the_moon_is_known() -> None:
    before = play(table(), ALL.removesuffix(" 3H"))
    assert after(before, game.AskUndo(1)).deal is not None
    assert refused(shot(), game.AskUndo(2)).clause == "C2"
    assert refused(after(shot(), game.ChooseMoon(0, minus=True)), game.AskUndo(2)).clause == "C2"


def test_C1_after_a_claim_the_shooter_is_asked_as_well() -> None:
    step = take(table(), game.Claim(1))
    assert step.events[-1] == game.MoonShot(0)
    assert after(step.after, game.ChooseMoon(0, minus=True)).deals[0].points == (-3, 0, 0)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_W7_everybody_sees_who_is_asked_and_what_was_chosen(seat: int | None) -> None:
    state = play(table(), ALL.removesuffix(" 3H"))
    view = view_of(state, seat)
    for action in (game.Play(2, Card("3H")), game.ChooseMoon(0, minus=True)):
        step = take(state, action)
        assert all(game.visible(event, seat) == event for event in step.events)
        state, view = step.after, view.see(*step.events)
        assert view == view_of(state, seat)
        assert view.my_turn == (seat in game.to_act(state))


def test_W8_a_double_slam_is_asked_about_too() -> None:
    state = play(table(slam="double"), ALL)
    assert state.shooter == 0
    assert after(state, game.ChooseMoon(0, minus=False)).deals[0] == Score((0, 6, 6), slam=0)
    assert after(state, game.ChooseMoon(0, minus=True)).deals[0] == Score(
        (-6, 0, 0), slam=0, minus=True
    )


def test_W8_a_reversal_is_not() -> None:
    assert play(table(slam="reversal"), ALL).deals[0] == Score((-3, 3, 3), slam=0)


def test_W10_for_a_side_whoever_took_most_is_asked() -> None:
    hands = ("C: A2", "C: 3 H: 2", "D: 2 H: 3", "D: 3 H: 4")
    options: dict[str, Value] = {"moon": "shooter_chooses", "partners": 2, "moon_by": "side"}
    state = first_deal("coeurs", hands, options={**options, "match_end": "deals:2"})
    state = play(state, "AC 3C 2D 3D 2C 2H 3H 4H")
    assert state.shooter == 0
    chosen = after(state, game.ChooseMoon(0, minus=True))
    assert chosen.deals[0] == Score((-3, 0, -3, 0), moon=0, minus=True)
    assert refused(state, game.ChooseMoon(2, minus=True)).reason == "no_moon_to_choose"


def test_M3_in_a_match_of_one_deal_the_others_pay_whichever_way_it_counted() -> None:
    for minus in (False, True):
        state = after(play(table(end="deals:1"), ALL), game.ChooseMoon(0, minus=minus))
        assert (state.winners, state.net) == ((0,), (6, -3, -3))
    assert play(table("shooter_minus", end="deals:1"), ALL).net == (6, -3, -3)


def test_M6_a_minus_draws_nothing_and_the_pot_is_taken_by_those_without_points() -> None:
    minus = after(play(table(settlement="pot"), ALL), game.ChooseMoon(0, minus=True))
    assert (minus.net, minus.pot) == ((0, 0, 0), 0)
    plus = after(play(table(settlement="pot"), ALL), game.ChooseMoon(0, minus=False))
    assert (plus.net, plus.pot) == ((6, -3, -3), 0)


# Plus unless that loses the match


def moons(end: str, *shooters: int, **options: str | int) -> game.MatchState:
    """A match in which those seats shoot the moon, deal by deal."""
    state = table("plus_unless_lost", end, **options)
    for number, shooter in enumerate(shooters):
        if number:
            hands = [HANDS[(seat - shooter) % 3] for seat in range(3)]
            state = deal_out(state, *hands)
        for suit in ("C", "H"):
            for place in range(3):
                seat = (number + place) % 3 if suit == "C" else (shooter + place) % 3
                state = after(state, game.Play(seat, Card("A23"[(seat - shooter) % 3] + suit)))
    return state


PLUS = Score((0, 3, 3), moon=0)
OF_THIRD = Score((3, 3, 0), moon=2)


@pytest.mark.parametrize(
    ("end", "shooters", "last", "totals", "winners"),
    [
        ("deals:2", (0,), PLUS, (0, 3, 3), ()),  # the match goes on
        ("limit:4", (0,), PLUS, (0, 3, 3), ()),
        ("limit:3", (0,), PLUS, (0, 3, 3), (0,)),  # it ends, and the shooter wins
        # With plus it would be 3, 9, 6, and the first seat would win
        ("limit:9", (0, 0, 2), Score((0, 0, -3), moon=2, minus=True), (0, 6, 3), ()),
        ("deals:3", (0, 0, 2), Score((0, 0, -3), moon=2, minus=True), (0, 6, 3), (0,)),
        ("limit:6", (0, 2), OF_THIRD, (3, 6, 3), (0, 2)),  # a shared win is no loss
        ("deals:2", (0, 2), OF_THIRD, (3, 6, 3), (0, 2)),
        ("limit:6 ties=play_on", (0, 2), OF_THIRD, (3, 6, 3), ()),  # nor is a tie played on
        ("limit:9 at_limit=halves", (0, 0, 2), OF_THIRD, (3, 4, 6), ()),  # the match goes on
        ("limit:18 slam=double", (0, 0, 2), Score((0, 0, -6), slam=2, minus=True), (0, 12, 6), ()),
    ],
)
def test_W7_plus_unless_it_would_end_the_match_and_lose_it(
    end: str, shooters: tuple[int, ...], last: Score, totals: object, winners: object
) -> None:
    end, *more = end.split()
    state = moons(end, *shooters, **dict(map(read_setting, more)))
    assert state.deals[-1] == last
    assert (state.totals, state.winners) == (totals, winners)
    assert (state.phase is game.Phase.DEALING) == (not winners)


def test_W7_with_partners_a_win_of_the_side_is_one() -> None:
    hands = ("C: A H: A", "C: 2 H: 2", "C: 3 H: 3", "C: 4 H: 4")
    options: dict[str, Value] = {"moon": "plus_unless_lost", "partners": 2, "match_end": "limit:4"}
    state = play(first_deal("coeurs", hands, options=options), "AC 2C 3C 4C AH 2H 3H 4H")
    assert (state.totals, state.winners) == ((0, 4, 0, 4), (0, 2))
