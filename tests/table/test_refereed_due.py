"""What a refereed table asks of whom, and how long it waits before it is done for them."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace
from table.acting import ANNE, BRUNO, CLEO
from table.refereed import Refereed, dealt

from volte.cards import Card
from volte.game import Play
from volte.referee import Accept, ClaimRevoke, Cut, Object, Reckoned, TurnDown
from volte.table import Someone, Why, pacing
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.pacing import Pace, RevokeNoticed, ScheduledStep, TableContext, Timing, next_step
from volte.table.turns import TurnKind, current_turns

NOW: Final = 1000.0
TIMING: Final = Timing(bot_pace=1, trick_pace=2, turn_down=4, cut=20)
EMPTY: Final = TableContext(
    frozenset({ANNE.id, BRUNO.id, CLEO.id}), {}, NOW, None, {}, frozenset(), {}
)
BOT_TAKES: Final = "4C 5C 6C 7C"
ANNE_TAKES: Final = "AC 5C 6C 7C"


def asked(at: Refereed, room: TableContext = EMPTY, now: float = NOW) -> TableContext:
    """The room, with what everybody is asked."""
    return replace(room, turns=current_turns(at.state, room.turns, now))


def whats(at: Refereed) -> dict[int, TurnKind]:
    return {seat: each.kind for seat, each in asked(at).turns.items()}


def next_due(
    at: Refereed, room: TableContext | None = None, timing: Timing = TIMING
) -> ScheduledStep | None:
    return next_step(at.state, asked(at) if room is None else room, timing)


def full(cards: str = BOT_TAKES, clock: int = 0) -> Refereed:
    at = with_clock(clock)
    at.play(0, cards)
    return at


def with_clock(clock: int, **options: Any) -> Refereed:
    """Anne leads; everybody has so many seconds for a choice."""
    at = dealt(**options)
    at.take((hap.Changed(replace(at.state.setup, clock=clock)),))
    return at


def over(clock: int = 0, cutter: Someone | None = None, **options: Any) -> Refereed:
    """The deal has been played; the bot at seat 3 cuts, or that person."""
    at = with_clock(clock, **options)
    at.honestly_until(Reckoned)
    if cutter is not None:
        at.let_sit(cutter, 3)
    return at


# What is asked


def test_one_seat_plays_and_whoever_takes_the_trick_turns_it_down() -> None:
    assert whats(dealt()) == {0: TurnKind.PLAY}
    assert whats(full()) == {3: TurnKind.TURN_DOWN}
    assert whats(full(ANNE_TAKES)) == {0: TurnKind.TURN_DOWN}


def test_I6_the_cutter_cuts_and_after_the_last_deal_everybody_accepts() -> None:
    assert whats(over()) == {3: TurnKind.CUT}
    last = over(match_end="deals:1")
    assert whats(last) == dict.fromkeys(range(4), TurnKind.ACCEPT)
    last.act(Accept(2))
    assert whats(last) == dict.fromkeys((0, 1, 3), TurnKind.ACCEPT)


def test_nobody_is_asked_whether_the_next_deal_may_come() -> None:
    at = over()
    at.act(Cut(3))
    assert whats(at) == {}
    assert next_due(at) == ScheduledStep(pacing.AT_ONCE, pacing.LetHouse())


def test_nobody_is_asked_anything_while_the_match_waits() -> None:
    at = full()
    at.do(ANNE, cmd.Pause())
    assert whats(at) == {}


def test_an_early_card_does_not_ask_the_seat_on_turn_for_anything_else() -> None:
    at = dealt()
    at.play(0, "4C")
    at.act(Play(3, Card("7C")))
    assert whats(at) == {1: TurnKind.PLAY}
    at.play(1, "5C 6C")
    assert whats(at) == {3: TurnKind.TURN_DOWN}


# How long


def test_I4_a_bot_leaves_the_trick_for_a_while_before_it_turns_it_down() -> None:
    at = full()
    assert next_due(at) == ScheduledStep(NOW + 4, pacing.ActFor(TurnDown(3)))
    slow = replace(asked(at), paces={ANNE.id: Pace(1, 9)})
    assert next_due(at, slow) == ScheduledStep(NOW + 9, pacing.ActFor(TurnDown(3)))


def test_I4_nobody_turns_a_persons_trick_down_but_an_empty_clock() -> None:
    assert next_due(full(ANNE_TAKES)) is None
    assert next_due(full(ANNE_TAKES, 60)) == ScheduledStep(NOW + 60, pacing.ActFor(TurnDown(0)))


def test_I4_no_clock_is_shorter_than_what_the_others_have_to_object() -> None:
    at = full(ANNE_TAKES, 5)
    at.do(ANNE, cmd.AcceptClock(True))
    slow = replace(TIMING, turn_down=8)
    assert next_due(at, timing=slow) == ScheduledStep(NOW + 8, pacing.ActFor(TurnDown(0)))


def test_I4_a_stand_in_turns_down_as_a_bot_does() -> None:
    at = full(ANNE_TAKES)
    at.take((hap.StoodIn(0, Why.CONNECTION),))
    room = replace(asked(at), here=frozenset({BRUNO.id}))
    assert next_due(at, room) == ScheduledStep(NOW + 4, pacing.ActFor(TurnDown(0)))


def test_once_it_is_turned_down_a_bot_leads_at_its_pace() -> None:
    at = full()
    at.act(TurnDown(3))
    room = replace(asked(at), decided=frozenset({3}))
    assert next_due(at, room) == ScheduledStep(NOW + 1, pacing.LetBot(3))


def test_I2_what_is_ruled_on_without_any_consequence_begins_no_wait_anew() -> None:
    at = full()
    room = asked(at)
    at.do(ANNE, cmd.Act(Object(0, 1)))
    at.do(BRUNO, cmd.Act(Object(1, 2)))
    room = asked(at, room, NOW + 3)
    assert next_due(at, room) == ScheduledStep(NOW + 4, pacing.ActFor(TurnDown(3)))


def test_I6_a_bot_leaves_people_time_to_claim_before_it_cuts_or_accepts() -> None:
    assert next_due(over()) == ScheduledStep(NOW + 20, pacing.ActFor(Cut(3)))
    assert next_due(over(match_end="deals:1")) == ScheduledStep(NOW + 20, pacing.ActFor(Accept(2)))


def test_I6_the_time_begins_anew_when_a_claim_has_changed_the_score() -> None:
    at = dealt()
    at.play(0, "4C 3H 6C 7C")
    at.honestly_until(Reckoned)
    room = asked(at)
    at.do(ANNE, cmd.Act(ClaimRevoke(0, 1, 1)))
    assert next_due(at, asked(at, room, NOW + 15)) == ScheduledStep(NOW + 35, pacing.ActFor(Cut(3)))


def test_I6_it_ends_when_all_people_have_said_that_they_claim_nothing() -> None:
    at = over()
    room = asked(at)
    at.do(ANNE, cmd.Next())
    assert next_due(at, asked(at, room)) == ScheduledStep(NOW + 20, pacing.ActFor(Cut(3)))
    at.do(BRUNO, cmd.Next())
    assert next_due(at, asked(at, room)) == ScheduledStep(NOW + 1, pacing.ActFor(Cut(3)))


def test_I6_bots_accept_soon_once_all_people_have() -> None:
    at = over(match_end="deals:1")
    room = asked(at)
    at.act(Accept(0))
    assert next_due(at, asked(at, room)) == ScheduledStep(NOW + 20, pacing.ActFor(Accept(2)))
    at.act(Accept(1))
    assert next_due(at, asked(at, room)) == ScheduledStep(NOW + 1, pacing.ActFor(Accept(2)))


def test_I6_a_person_cuts_when_they_like_or_when_their_clock_has_run_out() -> None:
    assert next_due(over(cutter=CLEO)) is None
    assert next_due(over(60, CLEO)) == ScheduledStep(NOW + 60, pacing.ActFor(Cut(3)))


def test_more_time_is_given_for_a_cut_as_well() -> None:
    at = over(60, CLEO)
    at.do(CLEO, cmd.MoreTime())
    assert next_due(at) == ScheduledStep(NOW + 120, pacing.ActFor(Cut(3)))


def test_I9_what_a_bot_has_seen_proved_it_claims_at_its_pace() -> None:
    at = full()
    claim = ClaimRevoke(2, 1, 1)
    room = replace(asked(at), noticed=RevokeNoticed(claim, NOW + 1))
    assert next_due(at, room) == ScheduledStep(NOW + 2, pacing.LetClaim(claim))


def test_a_card_is_played_by_itself_only_where_the_hand_has_no_other() -> None:
    manners = {ANNE.id: Pace(1, 2, auto_forced=True)}
    at = dealt("C: A4", "C: K5", "C: Q H: 3", "C: J7")
    assert next_due(at, replace(asked(at), paces=manners)) is None
    at.play(0, "AC 5C QC 7C")
    assert next_due(at, replace(asked(at), paces=manners)) is None  # turning down is one's own
    at.act(TurnDown(0))
    forced = next_due(at, replace(asked(at), paces=manners))
    assert forced == ScheduledStep(NOW + 1, pacing.PlayForced(0))
