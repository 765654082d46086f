"""What a table does next by itself, and how long it waits: a computation over how it stands."""

from __future__ import annotations

from typing import Any, Final

import pytest
from kit.tables import ANNE, BERT, BRUNO, CLEO, NOW, Refereed, Standing, dealt
from msgspec.structs import replace

from volte import game
from volte.cards import Card
from volte.game import Play
from volte.referee import Accept, ClaimRevoke, Cut, Object, Reckoned, TurnDown
from volte.table import Someone, Why, decide_bot
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.pacing import (
    AT_ONCE,
    ActFor,
    ComeBack,
    Forget,
    HandOn,
    LetBot,
    LetClaim,
    LetHouse,
    MarkReady,
    Pace,
    PauseEmpty,
    PlayForced,
    Resume,
    RevokeNoticed,
    ScheduledStep,
    StandIn,
    TableContext,
    TableStep,
    Timing,
    next_step,
)
from volte.table.turns import TurnKind, current_turns


def after(seconds: float, step: TableStep) -> ScheduledStep:
    """Something to do so many seconds after `NOW`."""
    return ScheduledStep(NOW + seconds, step)


def at_once(step: TableStep) -> ScheduledStep:
    return ScheduledStep(AT_ONCE, step)


def under_way(*here: str, **settings: Any) -> Standing:
    """Anne at seat 0, Bert at seat 1, dealt, about to play."""
    at = Standing(*here, **settings).do(ANNE, cmd.Sit(0)).do(BERT, cmd.Sit(1))
    return at.do(ANNE, cmd.Start()).house()


def shuffling() -> Standing:
    """Anne alone has to add to the shuffle."""
    return Standing("anne").do(ANNE, cmd.Sit(0)).do(ANNE, cmd.Start()).house((1, 2, 3))


def between_deals(**settings: Any) -> Standing:
    at = under_way("anne", "bert", **settings)
    while not at.state.between_deals:
        at.play()
    return at


def test_nothing_is_due_at_a_table_that_waits_for_people() -> None:
    assert Standing("anne").next_step() is None
    assert Standing("anne").do(ANNE, cmd.Sit(0)).next_step() is None


def test_a_table_where_nobody_is_leaves_memory_in_the_end() -> None:
    assert Standing().next_step() == after(600, Forget())
    ended = under_way("anne").take((hap.Paused(""),)).with_room(here=frozenset(), empty=NOW + 7)
    assert ended.next_step() == after(607, Forget())


def test_a_closed_table_does_nothing() -> None:
    assert under_way().do(ANNE, cmd.Close()).next_step() is None


def test_the_house_acts_as_soon_as_a_match_begins() -> None:
    assert Standing("anne").do(ANNE, cmd.Start()).next_step() == at_once(LetHouse())


def test_promises_are_waited_for_and_then_the_bytes_and_then_the_house_deals() -> None:
    at = shuffling()
    assert at.next_step() == after(5, ActFor(game.Promise(0, None)))
    at.do(ANNE, cmd.Promise(1, bytes(32)), NOW + 2)
    assert at.next_step() == at_once(LetHouse())  # contributes for the bots
    at.house(now=NOW + 2)
    assert at.next_step() == after(7, ActFor(game.Contribute(0, None)))
    at.take((game.Contributed(0, None),))
    assert at.next_step() == at_once(LetHouse())


def test_whoever_has_not_promised_is_not_waited_for_again() -> None:
    at = shuffling().take((game.Promised(0, None),)).house()
    assert at.next_step() == at_once(ActFor(game.Contribute(0, None)))


def test_a_bot_that_takes_over_meanwhile_has_promised_nothing_and_is_not_waited_for() -> None:
    at = shuffling().do(ANNE, cmd.Stand())
    assert at.next_step() == at_once(ActFor(game.Promise(0, None)))


def test_a_bot_plays_at_the_pace_of_the_slowest_who_is_there() -> None:
    at = under_way("anne", "bert", "cara")
    while at.turn in (0, 1):
        at.play()
    let = LetBot(at.turn)
    assert at.next_step() is None or not isinstance(at.next_step().step, LetBot)  # type: ignore[union-attr]
    assert at.with_room(decided=frozenset({at.turn})).next_step() == after(1, let)
    paces = {"anne": Pace(4, 0), "bert": Pace(2, 0), "cara": Pace(60, 60)}
    assert at.with_room(paces=paces).next_step() == after(4, let)
    assert at.with_room(here=frozenset({"bert"})).next_step() == after(2, let)
    paces["bert"] = Pace(2, 0, hears_until=NOW + 7)
    assert at.with_room(paces=paces).next_step() == after(7, let)


def test_a_full_trick_lies_for_a_while_before_a_bot_leads() -> None:
    at = under_way("anne", "bert")
    while not (at.turn > 1 and at.match.deal and not at.match.deal.trick):
        at.play()
    at.with_room(decided=frozenset({at.turn}))
    tricks = at.match.deal.tricks if at.match.deal else ()
    assert at.next_step() == after(3 if tricks else 1, LetBot(at.turn))


def test_a_lost_connection_has_its_grace_and_nobody_stands_in_where_nobody_is() -> None:
    at = under_way("anne", "bert").with_room(here=frozenset({"anne"}), gone={"bert": NOW + 3})
    assert at.next_step() == after(13, StandIn(1, Why.CONNECTION))
    at.with_room(here=frozenset(), gone={"bert": NOW + 3, "anne": NOW + 9}, empty=NOW + 9)
    assert at.next_step() == after(19, PauseEmpty())
    at.with_room(here=frozenset({"cara"}), empty=None)
    assert at.next_step() == after(19, PauseEmpty())


@pytest.mark.parametrize("grace", [0, 45, 600])
def test_a_table_may_say_itself_how_long_a_seat_is_kept(grace: int) -> None:
    at = under_way("anne", "bert", grace=grace)
    at.with_room(here=frozenset({"anne"}), gone={"bert": NOW + 3})
    assert at.next_step() == after(3 + grace, StandIn(1, Why.CONNECTION))
    at.with_room(here=frozenset(), gone={"bert": NOW + 3, "anne": NOW + 9}, empty=NOW + 9)
    assert at.next_step() == after(9 + grace, PauseEmpty())


def test_a_clock_runs_on_while_a_seat_is_kept() -> None:
    at = under_way("anne", "bert", clock=40, grace=600)
    while at.turn > 1:
        at.play()
    gone = at.state.seats[at.turn].person
    at.with_room(here=frozenset({"anne", "bert"}) - {gone}, gone={gone: NOW})
    scheduled = at.next_step()
    assert scheduled is not None
    assert scheduled.step == StandIn(at.turn, Why.CLOCK)
    assert scheduled.at < NOW + 600


def test_a_table_whose_host_is_gone_for_long_gets_another_one() -> None:
    at = Standing("bert").do(ANNE, cmd.Sit(0)).do(BERT, cmd.Sit(1))
    assert at.next_step() == after(120, HandOn(1))
    assert at.with_room(gone={"anne": NOW + 7}).next_step() == after(127, HandOn(1))
    assert at.with_room(here=frozenset({"anne", "bert"})).next_step() is None


def test_nobody_becomes_the_host_by_looking_in_at_a_table_that_is_paused() -> None:
    at = under_way("cara").with_room(gone={"anne": NOW - 500, "bert": NOW - 500})
    assert isinstance(getattr(at.next_step(), "step", None), PauseEmpty)
    assert under_way("bert").take((hap.Paused("Anne"),)).next_step() is None


def test_whoever_comes_back_to_a_lost_connection_plays_again_and_others_say_so_themselves() -> None:
    for why in Why:
        at = under_way("anne", "bert").take((hap.StoodIn(1, why),))
        assert at.next_step() == (at_once(ComeBack(1)) if why is Why.CONNECTION else None)


def test_an_empty_table_goes_on_with_the_first_and_a_pause_somebody_made_does_not() -> None:
    at = under_way("anne").take((hap.Paused(""),))
    assert at.next_step() == at_once(Resume())
    assert at.with_room(here=frozenset({"cara"})).next_step() is None
    assert under_way("anne").take((hap.Paused("Anne"),)).next_step() is None


def test_a_clock_runs_only_for_whoever_has_to_act() -> None:
    at = under_way("anne", "bert", clock=60)
    while at.turn != 1:
        at.play()
    deal = at.match.deal
    lead = 3 if deal is not None and deal.tricks and not deal.trick else 0
    assert at.next_step() == after(60 + lead, StandIn(1, Why.CLOCK))
    assert at.do(BERT, cmd.MoreTime()).next_step() == after(120 + lead, StandIn(1, Why.CLOCK))


def test_a_clock_begins_anew_after_a_pause() -> None:
    at = under_way("anne", "bert", clock=60)
    while at.turn != 0:
        at.play()
    scheduled = at.do(BERT, cmd.Pause()).do(BERT, cmd.Unpause(), NOW + 500).next_step()
    assert scheduled is not None
    assert scheduled.at >= NOW + 560


def test_a_pass_has_three_times_as_long_and_ends_with_ones_own() -> None:
    at = under_way("anne", "bert", clock=60, pass_count=3)
    for seat in (2, 3):
        at.take(decide_bot(at.state, game.legal_actions(at.match, seat)[0]))
    assert at.next_step() == after(180, StandIn(0, Why.CLOCK))
    at.do(ANNE, cmd.Act(game.legal_actions(at.match, 0)[0]), NOW + 9)
    assert at.next_step() == after(180, StandIn(1, Why.CLOCK))
    at.do(ANNE, cmd.Act(game.TakeBackPass(0)), NOW + 20)
    assert at.next_step() == after(180, StandIn(0, Why.CLOCK))


def test_C2_a_bot_allows_at_once_and_a_person_in_time() -> None:
    at = under_way("anne", "bert")
    while at.turn != 0:
        at.play()
    at.play().do(ANNE, cmd.Act(game.AskUndo(0)))
    assert at.next_step() == after(60, ActFor(game.AnswerUndo(1, False)))
    assert set(at.turns.values()) == {TurnKind.ANSWER}
    at.take((hap.StoodIn(1, Why.HOST),))
    assert at.next_step() == at_once(ActFor(game.AnswerUndo(1, True)))


def test_the_next_deal_waits_for_people_and_for_no_bot() -> None:
    at = between_deals()
    assert at.next_step() is None
    assert set(at.turns) == {0, 1}
    at.do(ANNE, cmd.Next())
    assert set(at.turns) == {1}
    assert at.next_step() is None
    assert at.take((hap.StoodIn(1, Why.OWN),)).next_step() == at_once(LetHouse())


def test_with_a_clock_the_next_deal_waits_as_long_as_for_a_card() -> None:
    assert between_deals(clock=60).next_step() == after(60, MarkReady(0))


def test_the_only_legal_card_is_played_for_whoever_wants_it_and_is_there() -> None:
    at = under_way("anne", "bert")
    while not (at.turn == 0 and len(game.legal_actions(at.match, 0)) == 1):
        at.play()
    assert at.next_step() is None
    assert at.with_room(paces={"anne": Pace(2, 0, True)}).next_step() == after(2, PlayForced(0))
    at.with_room(here=frozenset({"bert"}), gone={"anne": NOW})
    assert at.next_step() == after(10, StandIn(0, Why.CONNECTION))


@pytest.mark.parametrize("deals", [1, 2])
def test_the_last_secret_is_revealed_as_the_match_ends(deals: int) -> None:
    at = under_way("anne", match_end=f"deals:{deals}")
    while at.match.phase is not game.Phase.ENDED:
        if at.state.between_deals:
            at.do(ANNE, cmd.Next()).do(BERT, cmd.Next()).house()
        else:
            at.play()
    assert at.next_step() == at_once(LetHouse())
    at.house()
    assert not at.state.under_way
    assert at.next_step() is None


# Refereed tables: what is asked


REFEREED: Final = Timing(bot_pace=1, trick_pace=2, turn_down=4, cut=20)
ROOM: Final = TableContext(
    frozenset({ANNE.id, BRUNO.id, CLEO.id}), {}, NOW, None, {}, frozenset(), {}
)
BOT_TAKES: Final = "4C 5C 6C 7C"
ANNE_TAKES: Final = "AC 5C 6C 7C"


def asked(at: Refereed, room: TableContext = ROOM, now: float = NOW) -> TableContext:
    """The room, with what everybody is asked."""
    return replace(room, turns=current_turns(at.state, room.turns, now))


def turns(at: Refereed) -> dict[int, TurnKind]:
    return {seat: turn.kind for seat, turn in asked(at).turns.items()}


def next_due(
    at: Refereed, room: TableContext | None = None, timing: Timing = REFEREED, **changes: Any
) -> ScheduledStep | None:
    return next_step(at.state, replace(asked(at) if room is None else room, **changes), timing)


def with_clock(clock: int, **options: Any) -> Refereed:
    """Anne leads; everybody has so many seconds for a choice."""
    at = dealt(**options)
    at.take((hap.Changed(replace(at.state.setup, clock=clock)),))
    return at


def full(cards: str = BOT_TAKES, clock: int = 0) -> Refereed:
    at = with_clock(clock)
    at.play(0, cards)
    return at


def over(clock: int = 0, cutter: Someone | None = None, **options: Any) -> Refereed:
    """The deal has been played; the bot at seat 3 cuts, or that person."""
    at = with_clock(clock, **options)
    at.honestly_until(Reckoned)
    if cutter is not None:
        at.let_sit(cutter, 3)
    return at


def test_one_seat_plays_and_whoever_takes_the_trick_turns_it_down() -> None:
    assert turns(dealt()) == {0: TurnKind.PLAY}
    assert turns(full()) == {3: TurnKind.TURN_DOWN}
    assert turns(full(ANNE_TAKES)) == {0: TurnKind.TURN_DOWN}


def test_I6_the_cutter_cuts_and_after_the_last_deal_everybody_accepts() -> None:
    assert turns(over()) == {3: TurnKind.CUT}
    last = over(match_end="deals:1")
    assert turns(last) == dict.fromkeys(range(4), TurnKind.ACCEPT)
    last.act(Accept(2))
    assert turns(last) == dict.fromkeys((0, 1, 3), TurnKind.ACCEPT)


def test_nobody_is_asked_whether_the_next_deal_may_come() -> None:
    at = over()
    at.act(Cut(3))
    assert turns(at) == {}
    assert next_due(at) == at_once(LetHouse())


def test_nobody_is_asked_anything_while_the_match_waits() -> None:
    at = full()
    at.do(ANNE, cmd.Pause())
    assert turns(at) == {}


def test_an_early_card_does_not_ask_the_seat_on_turn_for_anything_else() -> None:
    at = dealt()
    at.play(0, "4C")
    at.act(Play(3, Card("7C")))
    assert turns(at) == {1: TurnKind.PLAY}
    at.play(1, "5C 6C")
    assert turns(at) == {3: TurnKind.TURN_DOWN}


# And how long it is waited for


def test_I4_a_bot_leaves_the_trick_for_a_while_before_it_turns_it_down() -> None:
    at = full()
    assert next_due(at) == after(4, ActFor(TurnDown(3)))
    assert next_due(at, paces={ANNE.id: Pace(1, 9)}) == after(9, ActFor(TurnDown(3)))


def test_I4_nobody_turns_a_persons_trick_down_but_an_empty_clock() -> None:
    assert next_due(full(ANNE_TAKES)) is None
    assert next_due(full(ANNE_TAKES, 60)) == after(60, ActFor(TurnDown(0)))


def test_I4_no_clock_is_shorter_than_what_the_others_have_to_object() -> None:
    at = full(ANNE_TAKES, 5)
    at.do(ANNE, cmd.AcceptClock(True))
    slow = replace(REFEREED, turn_down=8)
    assert next_due(at, timing=slow) == after(8, ActFor(TurnDown(0)))


def test_I4_a_stand_in_turns_down_as_a_bot_does() -> None:
    at = full(ANNE_TAKES)
    at.take((hap.StoodIn(0, Why.CONNECTION),))
    assert next_due(at, here=frozenset({BRUNO.id})) == after(4, ActFor(TurnDown(0)))


def test_once_it_is_turned_down_a_bot_leads_at_its_pace() -> None:
    at = full()
    at.act(TurnDown(3))
    assert next_due(at, decided=frozenset({3})) == after(1, LetBot(3))


def test_I2_what_is_ruled_on_without_any_consequence_begins_no_wait_anew() -> None:
    at = full()
    room = asked(at)
    at.do(ANNE, cmd.Act(Object(0, 1)))
    at.do(BRUNO, cmd.Act(Object(1, 2)))
    assert next_due(at, asked(at, room, NOW + 3)) == after(4, ActFor(TurnDown(3)))


def test_I6_a_bot_leaves_people_time_to_claim_before_it_cuts_or_accepts() -> None:
    assert next_due(over()) == after(20, ActFor(Cut(3)))
    assert next_due(over(match_end="deals:1")) == after(20, ActFor(Accept(2)))


def test_I6_the_time_begins_anew_when_a_claim_has_changed_the_score() -> None:
    at = dealt()
    at.play(0, "4C 3H 6C 7C")
    at.honestly_until(Reckoned)
    room = asked(at)
    at.do(ANNE, cmd.Act(ClaimRevoke(0, 1, 1)))
    assert next_due(at, asked(at, room, NOW + 15)) == after(35, ActFor(Cut(3)))


def test_I6_it_ends_when_all_people_have_said_that_they_claim_nothing() -> None:
    at = over()
    room = asked(at)
    for who, seconds in ((ANNE, 20), (BRUNO, 1)):
        at.do(who, cmd.Next())
        assert next_due(at, asked(at, room)) == after(seconds, ActFor(Cut(3)))


def test_I6_bots_accept_soon_once_all_people_have() -> None:
    at = over(match_end="deals:1")
    room = asked(at)
    for seat, seconds in enumerate((20, 1)):
        at.act(Accept(seat))
        assert next_due(at, asked(at, room)) == after(seconds, ActFor(Accept(2)))


def test_I6_a_person_cuts_when_they_like_or_when_their_clock_has_run_out() -> None:
    assert next_due(over(cutter=CLEO)) is None
    at = over(60, CLEO)
    assert next_due(at) == after(60, ActFor(Cut(3)))
    at.do(CLEO, cmd.MoreTime())
    assert next_due(at) == after(120, ActFor(Cut(3)))


def test_I9_what_a_bot_has_seen_proved_it_claims_at_its_pace() -> None:
    claim = ClaimRevoke(2, 1, 1)
    assert next_due(full(), noticed=RevokeNoticed(claim, NOW + 1)) == after(2, LetClaim(claim))


def test_a_card_is_played_by_itself_only_where_the_hand_has_no_other() -> None:
    paces = {ANNE.id: Pace(1, 2, auto_forced=True)}
    at = dealt("C: A4", "C: K5", "C: Q H: 3", "C: J7")
    assert next_due(at, paces=paces) is None
    at.play(0, "AC 5C QC 7C")
    assert next_due(at, paces=paces) is None  # turning down is one's own
    at.act(TurnDown(0))
    assert next_due(at, paces=paces) == after(1, PlayForced(0))
