"""The same cards again, with everybody one seat on."""

from __future__ import annotations

from typing import Final

from hypothesis import given
from kit import any_rulesets, seeds
from kit.records import read_back
from kit.tables import ANNE, BRUNO, CARA, Table, setup, started
from msgspec.structs import replace

from volte.fair import Verdict
from volte.game import CardsOrigin, Dealt, MatchStarted
from volte.notation import Record, compare_cards, prove_record
from volte.rules import Ruleset, of_deals
from volte.table import Setup, decide
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.decide import new_match
from volte.table.viewpoints import EVERYTHING, MatchLog

LAST: Final = "5c0ffee5"


def again(at: Table) -> None:
    """Let the host deal the same cards again."""
    at.take(decide(at.state, ANNE, cmd.DealAgain(), at.state.version, last=LAST))


def played(setting: Setup | None = None) -> Table:
    """A table whose first match is over; Anne and Bruno sit there, and bots."""
    at = started(setting or setup("salon", match_end="deals:2"))
    at.play_on()
    return at


def record_of(at: Table) -> Record:
    return read_back(at.match_log())


def deals_of(at: Table) -> list[Dealt]:
    return [each for each in at.match_log() if isinstance(each, Dealt)]


@given(any_rulesets(most_cards=18), seeds)
def test_each_seat_has_the_same_cards_and_the_neighbours_player(rules: Ruleset, seed: int) -> None:
    at = Table(Setup("Chez Anne", rules), seed, seat=0)
    at.do(ANNE, cmd.Start())
    at.play_on()
    old, dealt, company = record_of(at), deals_of(at), at.state.seats
    names = [seat.name for seat in company]
    for turn in range(1, 3):
        again(at)
        assert at.match.cards == CardsOrigin(LAST, 1)
        assert at.state.seat_of("anne") == turn % rules.players
        assert [each.name for each in at.match.players] == [*names[-turn:], *names[:-turn]]
        at.play_on()
        new = record_of(at)
        assert [(each.dealer, each.hands, each.kitty) for each in deals_of(at)] == [
            (each.dealer, each.hands, each.kitty) for each in dealt
        ]
        assert len(at.match.deals) == len(dealt)
        assert compare_cards(new, old) is None
        assert {each.verdict for each in prove_record(new)} == {Verdict.PROVED}
        partners = [{names[seat] for seat in side} for side in rules.all_sides]
        now = [{at.match.players[seat].name for seat in side} for side in rules.all_sides]
        assert sorted(map(sorted, partners)) == sorted(map(sorted, now))  # still together


def test_it_ends_with_as_many_deals_whatever_the_totals_are() -> None:
    at = played(setup("salon", match_end="limit:30", ties="play_on"))
    rules, deals = at.match.rules, len(at.match.deals)
    again(at)
    assert at.match.rules == of_deals(rules, deals)
    at.play_on()
    assert len(at.match.deals) == deals
    again(at)  # a second time, one seat further
    assert at.state.seat_of("anne") == 2


def test_the_next_ordinary_match_draws_its_cards_and_has_its_own_end() -> None:
    at = played()
    again(at)
    at.play_on()
    at.do(ANNE, cmd.Start())
    assert at.match.cards is None
    assert at.match.rules == at.state.setup.rules
    assert at.state.given is None


def test_only_the_same_people_at_the_same_seats_may_have_the_cards_again() -> None:
    at = played()
    assert at.refused(BRUNO, cmd.DealAgain()) == "not_host"
    at.do(ANNE, cmd.Swap(0, 1))
    assert at.refused(ANNE, cmd.DealAgain()) == "others_here"
    at.do(ANNE, cmd.Swap(0, 1))
    at.do(BRUNO, cmd.Stand())
    at.do(CARA, cmd.Sit(1))
    assert at.refused(ANNE, cmd.DealAgain()) == "others_here"
    at.do(CARA, cmd.Stand())
    at.do(BRUNO, cmd.Sit(1))
    at.do(ANNE, cmd.SeatBot(2, "beginner"))  # bots may differ
    again(at)
    assert at.state.seats[3].level == "beginner"


def test_no_cards_are_dealt_again_before_a_match_is_over() -> None:
    at = Table(setup("salon", match_end="deals:2"))
    assert at.refused(ANNE, cmd.DealAgain()) == "no_match_before"
    at.do(ANNE, cmd.Sit(0))
    at.do(ANNE, cmd.Start())
    at.play_on(30)
    assert at.refused(ANNE, cmd.DealAgain()) == "under_way"


def test_nor_at_a_rated_table_nor_by_other_rules() -> None:
    at = played()
    usual = at.state.setup
    at.state = replace(at.state, setup=replace(usual, rated=True))
    assert at.refused(ANNE, cmd.DealAgain()) == "rated_again"
    at.state = replace(at.state, setup=usual)
    at.do(ANNE, cmd.Change(setup("salon", match_end="deals:2", queen_points=25)))
    assert at.refused(ANNE, cmd.DealAgain()) == "other_rules"
    at.do(ANNE, cmd.Change(replace(usual, name="Elsewhere")))
    again(at)


def test_at_a_meeting_table_whoever_has_asked_for_another_match_may_begin_it() -> None:
    at = started(setup("salon", match_end="deals:1", meeting=True))
    at.play_on()
    assert at.refused(BRUNO, cmd.DealAgain()) == "ask_first"
    at.do(BRUNO, cmd.Next())
    at.do(BRUNO, cmd.DealAgain())
    assert at.match.cards is not None


def test_a_table_read_again_between_cards_and_match_or_in_mid_deal_goes_on_with_them() -> None:
    at = played()
    first = deals_of(at)
    again(at)
    before = MatchLog()
    before.add(at.log[: at.state.match_began - 1])
    assert before.state is not None
    assert before.state.coming is not None
    begun = new_match(before.state)[-1]
    assert begun == at.log[at.state.match_began - 1]
    assert isinstance(begun, MatchStarted)
    at.play_on(20)
    log = MatchLog()
    log.add(at.log)
    assert log.state == at.state
    at.play_on()
    assert [each.hands for each in deals_of(at)] == [each.hands for each in first]


def test_no_view_learns_the_cards_of_the_coming_deals_from_the_match_before() -> None:
    at = played()
    again(at)
    log = MatchLog()
    log.add(at.log)
    assert at.state.given is not None
    for viewpoint in (None, 0, 1, 2, 3, EVERYTHING):
        seen = log.fold(viewpoint)
        assert not any(seen.decks)
        assert not seen.dealt
        assert seen.given == at.state.given.hidden  # with the sheet of the match before
        for each in log.since(viewpoint, 0).happenings:
            assert not isinstance(each, hap.CardsGiven)
