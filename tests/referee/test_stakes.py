"""What is settled at a refereed table (M1, M5, M6, S3)."""

from __future__ import annotations

import pytest
from referee.refereeing import after, dealt, take, turned

from volte.game import DealScored, MatchEnded, Settled
from volte.referee import Accept, ClaimRevoke
from volte.rules import Value


@pytest.mark.parametrize(
    ("settlement", "net"),
    [("difference", (1, -2, 1)), ("average", (0, 0, 0)), ("pot", (1, -2, 1))],
)
def test_M1_M5_M6_a_stopped_deal_is_settled_as_it_was_ruled(
    settlement: str, net: tuple[int, int, int]
) -> None:
    hands = ("C: 2 D: 2", "C: 3 D: 3", "C: 4 H: 45")
    options: dict[str, Value] = {"match_end": "deals:1", "settlement": settlement}
    state = turned(
        dealt("C: 2 D: 2 S: 2", "C: 3 D: 3 S: 3", "C: 4 H: 45", options=options), "2C 3D 4C"
    )
    del hands
    state = after(state, ClaimRevoke(0, 1, 1), Accept(0), Accept(1), Accept(2))
    assert state.deals[0].points == (0, 2, 0)
    assert state.net == net


def test_M6_the_jack_of_a_stopped_deal_is_left_out() -> None:
    options: dict[str, Value] = {
        "match_end": "deals:1",
        "settlement": "pot",
        "jack_points": -10,
    }
    state = turned(
        dealt("C: 2 D: J S: 2", "C: 3 D: 3 S: 3", "C: 4 H: 45", options=options), "2C 3D 4C"
    )
    state = after(state, ClaimRevoke(0, 1, 1), Accept(0), Accept(1), Accept(2))
    assert (state.deals[0].points, state.net) == ((0, 2, 0), (1, -2, 1))


def test_S3_a_moon_is_reckoned_and_settled_as_ever() -> None:
    options: dict[str, Value] = {"match_end": "deals:1", "moon": "others_plus"}
    state = dealt("H: AK", "H: 2 C: 3", "D: 2 C: 4", options=options)
    state = turned(turned(state, "AH 2H 2D"), "KH 3C 4C")
    assert state.reckoned is not None
    assert (state.reckoned.moon, state.reckoned.points) == (0, (0, 3, 3))
    step = take(after(state, Accept(0), Accept(1)), Accept(2))
    assert [type(each) for each in step.events][1:] == [DealScored, MatchEnded, Settled]
    assert step.after.net == (6, -3, -3)
