"""Live tables: whole matches, clocks, questions, absences, and commands that are done once, even if
a process dies in between."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, Final

import pytest
from kit.live import (
    QUICK,
    Guest,
    Lingering,
    OpenLobby,
    Player,
    dealt,
    done,
    found,
    moved_on,
    over,
    refused,
    together,
    until,
    with_bots,
)
from kit.tables import ANNE, BERT, CARA, setup
from msgspec.structs import replace

from volte import game
from volte.game import MatchState, Phase, Refusal, SeatAction
from volte.referee import Event, codec
from volte.say import Verbosity, Words
from volte.table import Why, fold
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.happenings import decode_happening
from volte.table.live import LiveTable
from volte.table.lobby import Lobby
from volte.table.pacing import Pace
from volte.table.stored import (
    MOST_PERSONS,
    MOST_REPLIES,
    CommandReply,
    ReplyCache,
    listing_of,
    read_table,
)
from volte.view import View

BRISK: Final = replace(QUICK, grace=0.02)
FAST_CLOCK: Final = replace(QUICK, tick=0.004)


async def passing(table: LiveTable) -> None:
    await until(lambda: table.state.match and table.state.match.phase is Phase.PASSING)


# Whole matches


@pytest.mark.parametrize(
    ("preset", "players", "people"),
    [
        ("coeurs", 3, 2),
        pytest.param("dame-de-pique", 4, 1, marks=pytest.mark.full),
        ("coeurs-moyenne", 4, 1),  # lots may be drawn for the stakes
        ("coeurs-cagnotte", 4, 2),
        ("salon-six-jokers", 6, 2),
        pytest.param("coeurs", 7, 3, marks=pytest.mark.full),
    ],
)
async def test_a_match_of_people_and_bots_is_played_to_its_end(
    preset: str, players: int, people: int, lobby: Lobby
) -> None:
    chosen = setup(preset, players=players, match_end="deals:2")
    guests = await together(lobby, *[Player] * people, chosen=chosen, begun=False)
    table = guests[0].table
    await done(table, ANNE, cmd.SeatBot(players - 1, "beginner"), cmd.Start())
    await over(table)
    match = table.state.match
    assert match is not None
    assert match.phase is Phase.ENDED
    for guest in guests:
        await guest.up_to_date()
        assert guest.match.totals == match.totals
        added = [each for each in guest.all_of(game.Contributed) if each.seat == guest.seat]
        assert [event.data for event in added] == [guest.share(1)] * 2
    entries = await lobby.store.read(table.id)
    assert fold(decode_happening(entry.data) for entry in entries) == table.state
    (row,) = await lobby.store.matches_at(table.id)
    assert row.last == table.state.version
    assert row.players == (*[guest.who.id for guest in guests], *[""] * (players - people))


async def test_M6_what_is_left_in_the_pot_goes_on_to_the_next_match(lobby: Lobby) -> None:
    anne = await with_bots(lobby, chosen=setup("coeurs-cagnotte"))
    pots = []
    for played in range(1, 4):
        await over(anne.table)
        assert anne.table.state.matches == played
        assert anne.table.state.match is not None
        pots.append(anne.table.state.match.pot)
        await done(anne.table, ANNE, cmd.Start())
    await anne.up_to_date()
    assert [event.pot for event in anne.all_of(game.MatchStarted)] == [0, *pots]


# Tables from before there were referees, or the wider family


LOG: Final = (Path(__file__).parent / "old_log.jsonl").read_bytes().splitlines()
"""A match of two deals at a table of three: passes and plays taken back, a stand-in, somebody who
sits down in the middle, lots, a settlement by average."""


def holds(now: Any, then: Any) -> bool:
    """Whether `now` has everything that `then` has, in its place."""
    if isinstance(then, dict):
        return all(key in now and holds(now[key], value) for key, value in then.items())
    if isinstance(then, list):
        return len(now) == len(then) and all(map(holds, now, then))
    return bool(now == then)


def test_an_old_log_is_written_as_it_was_read() -> None:
    """Fields added since then have values that change nothing."""
    for line in LOG:
        happening = decode_happening(line)
        written = codec.encode(happening)
        assert holds(json.loads(written), json.loads(line))
        assert decode_happening(written) == happening


async def test_an_old_table_loads_and_plays_on(lobby: Lobby) -> None:
    then = fold(map(decode_happening, LOG))
    await lobby.store.append("old", 0, LOG, listing=listing_of("old", then, ""))
    stored = await read_table(lobby.store, "old")
    assert stored is not None
    assert stored.state == then
    assert then.setup.grace is None  # the playroom's own, as in the old log
    table = await found(lobby, "old")
    match = table.state.match
    assert match is not None
    assert (match.totals, match.net, match.winners) == ((18, 14, 16), (-2, 2, 0), (1,))
    await done(table, replace(ANNE, id="p-anne"), cmd.Start(), cmd.Away())
    await until(lambda: table.state.matches == 2)


# Clocks and questions


async def test_a_clock_that_runs_out_hands_the_seat_to_a_bot_until_any_command(
    open_lobby: OpenLobby,
) -> None:
    lobby = await open_lobby(timing=FAST_CLOCK)
    anne = await with_bots(lobby, clock=5, plays=False)
    await until(lambda: anne.all_of(hap.StoodIn))
    assert anne.all_of(hap.StoodIn) == [hap.StoodIn(0, Why.CLOCK)]
    await refused(anne.table, ANNE, cmd.Act(game.Claim(0)), 1)
    await until(lambda: anne.all_of(hap.CameBack))


async def test_the_clock_runs_for_whoever_has_to_play_and_more_time_is_given(lobby: Lobby) -> None:
    """More time is given ten times a choice; no clock runs earlier, nor while the match waits."""
    (anne,) = await together(lobby, Player, clock=60, pass_count=0, plays=False, begun=False)
    table = anne.table
    assert table.clock_left(0) is None
    await done(table, ANNE, cmd.Start())
    await until(lambda: table.clock_left(0) is not None)
    assert all(table.clock_left(seat) is None for seat in (1, 2, 3))
    await anne.up_to_date()
    before = table.clock_left(0)
    await done(table, ANNE, *[cmd.MoreTime()] * 10)
    assert await refused(table, ANNE, cmd.MoreTime()) == "no_more_time"
    after = table.clock_left(0)
    assert before is not None
    assert after is not None
    assert 540 < after - before <= 600
    await done(table, ANNE, cmd.Pause())
    assert table.clock_left(0) is None


class Forgetful(Player):
    """A player who takes back the first card after which nobody has played."""

    has_asked = False

    async def _play(self, seat: int, match: MatchState) -> None:
        last = game.last_play(match)
        if not self.has_asked and last is not None and last.seat == seat and match.asked is None:
            self.has_asked = (await self.do(cmd.Act(game.AskUndo(seat)))).refusal is None
        else:
            await super()._play(seat, match)


class Silent(Player):
    """A player who plays, but answers no question."""

    async def _play(self, seat: int, match: MatchState) -> None:
        if match.asked is None:
            await super()._play(seat, match)


async def test_C2_whoever_a_bot_plays_for_lets_others_take_back(open_lobby: OpenLobby) -> None:
    """Bert is away, Anne asks; nobody but Bert has to consent."""
    lobby = await open_lobby(timing=replace(QUICK, bot_pace=0.05))
    anne, bert = await together(lobby, Forgetful, Player, pass_count=0)
    bert.plays = False
    await until(lambda: anne.table.state.match and anne.table.state.match.proof)
    await done(anne.table, BERT, cmd.Away())
    await until(lambda: anne.all_of(game.PlayTakenBack))
    assert anne.all_of(game.UndoAnswered)[0] == game.UndoAnswered(1, True)
    await over(anne.table)


async def test_C2_nobody_plays_on_while_somebody_is_asked_and_silence_is_a_no(
    open_lobby: OpenLobby,
) -> None:
    lobby = await open_lobby(timing=replace(QUICK, undo_within=0.2, bot_pace=0.5))
    table = await lobby.open(setup("dame-de-pique", pass_count=0), ANNE)
    anne = Forgetful(table, ANNE)
    Silent(table, BERT)
    await done(table, ANNE, cmd.Sit(0))
    await done(table, BERT, cmd.Sit(2))  # a bot between them leaves time to ask
    await done(table, ANNE, cmd.Start())
    await until(lambda: anne.all_of(game.UndoAnswered))
    (asked,) = (number for number, each in anne.heard.items() if isinstance(each, game.UndoAsked))
    answer = game.UndoAnswered(2, allow=False, late=True)
    assert anne.heard[asked + 1] == answer
    events = [each for _, each in sorted(anne.heard.items()) if isinstance(each, Event)]
    view = View.of(0, events[: events.index(answer)])
    told = Words("en").tell(view, answer, view.see(answer), Verbosity.NORMAL)
    assert told == ("Nobody answered in time: the card stays.",)


class Claiming(Player):
    """A player who claims at every turn of theirs."""

    async def _play(self, seat: int, match: MatchState) -> None:
        if match.phase is Phase.PLAYING and seat in game.to_act(match):
            await self._once(
                ("claim", self.state.moved), cmd.Act(game.Claim(seat)), "claim_not_proved"
            )
        if self.state.match is match:
            await super()._play(seat, match)


async def test_C1_a_claim_that_holds_ends_the_deal(lobby: Lobby) -> None:
    anne = await with_bots(lobby, Claiming, match_end="deals:3")
    await until(lambda: anne.all_of(game.Claimed) or not anne.table.state.under_way)
    assert anne.all_of(game.Claimed)
    await over(anne.table)


class Choosing(Player):
    """A player who plays only where there is a choice."""

    chosen_cards = 0

    def chosen(self, seat: int, match: MatchState) -> SeatAction | None:
        actions = game.legal_actions(match, seat)
        if match.phase is Phase.PLAYING and len(actions) == 1:
            return None
        self.chosen_cards += match.phase is Phase.PLAYING and bool(actions)
        return actions[0] if actions else None


async def test_the_only_legal_card_is_played_for_whoever_wants_it_so(lobby: Lobby) -> None:
    (anne,) = await together(lobby, Choosing, begun=False)
    anne.table.set_pace(ANNE, Pace(0, 0, auto_forced=True))
    await done(anne.table, ANNE, cmd.Start())
    await over(anne.table)
    assert anne.chosen_cards < 13


@pytest.mark.parametrize("another", [False, True])
async def test_the_next_deal_waits_for_everybody_who_is_there(lobby: Lobby, another: bool) -> None:
    """It also waits for somebody who has sat down since the deal was over."""
    anne, _ = await together(lobby, Player, Lingering, match_end="deals:2")
    table = anne.table
    await until(lambda: table.state.ready == {0})
    if another:
        await done(table, ANNE, cmd.Stand(), cmd.Sit(0))
        assert table.state.ready == set()
        await done(table, ANNE, cmd.Next())
    assert table.state.between_deals
    await done(table, BERT, cmd.Next())
    await over(table)


async def test_with_a_clock_the_wait_for_the_next_deal_ends(open_lobby: OpenLobby) -> None:
    lobby = await open_lobby(timing=FAST_CLOCK)
    anne = await with_bots(lobby, Lingering, match_end="deals:2", clock=120)
    await over(anne.table)


async def test_the_host_has_a_bot_play_and_the_person_takes_over_again(lobby: Lobby) -> None:
    anne, bert = await together(lobby, Player, Player, plays=False)
    table = anne.table
    await passing(table)
    await done(table, ANNE, cmd.Replace(1))
    await until(lambda: table.state.match and table.state.match.deal.passes[1])  # type: ignore[union-attr]
    assert table.state.seats[1].stand_in is Why.HOST
    bert.plays = True
    await done(table, BERT, cmd.Back())
    await anne.play_on()
    await over(table)
    assert anne.all_of(hap.CameBack) == [hap.CameBack(1)]


# Absences


async def test_a_bot_plays_for_a_lost_connection_until_the_person_is_back(
    open_lobby: OpenLobby,
) -> None:
    lobby = await open_lobby(timing=BRISK)
    anne, bert = await together(lobby, Player, Player, plays=False)
    table = anne.table
    await passing(table)
    await bert.leave()
    await until(lambda: table.state.seats[1].stand_in is Why.CONNECTION)
    assert table.present == {"anne"}
    await until(lambda: table.state.match and table.state.match.deal.passes[1])  # type: ignore[union-attr]
    Player(table, BERT)
    await until(lambda: table.state.seats[1].stand_in is None)
    await until(lambda: anne.all_of(hap.CameBack))
    assert anne.all_of(hap.StoodIn) == [hap.StoodIn(1, Why.CONNECTION)]
    await anne.play_on()
    await over(table)


async def test_whoever_is_back_within_the_grace_never_was_away(lobby: Lobby) -> None:
    anne, bert = await together(lobby, Player, Player)  # the grace is a minute
    while anne.table.state.under_way:
        await bert.leave()
        bert = Player(anne.table, BERT)
        await moved_on(anne.table, 1)
    assert anne.all_of(hap.StoodIn) == []


async def test_where_nobody_is_the_match_waits_and_goes_on_with_the_first(
    open_lobby: OpenLobby,
) -> None:
    anne = await with_bots(await open_lobby(timing=BRISK), plays=False)
    table, cara = anne.table, Guest(anne.table, CARA)
    await dealt(table)
    await anne.leave()
    await until(lambda: table.state.paused)  # people who watch do not count
    assert table.state.paused_by == ""
    assert table.state.seats[0].stand_in is None
    Player(table, ANNE)
    await until(lambda: not table.state.paused)
    await over(table)
    await cara.up_to_date()
    assert cara.all_of(hap.Paused) == [hap.Paused("")]
    assert cara.all_of(hap.Unpaused) == [hap.Unpaused("")]


async def test_a_pause_that_a_person_has_made_lasts_until_somebody_ends_it(
    open_lobby: OpenLobby,
) -> None:
    anne = await with_bots(await open_lobby(timing=BRISK))
    table = anne.table
    await done(table, ANNE, cmd.Pause())
    await anne.leave()
    again = Player(table, ANNE)
    await until(lambda: again.state.paused)
    assert table.state.paused_by == "Anne"
    number = table.state.version
    await done(table, ANNE, cmd.Unpause())
    await over(table)
    assert isinstance(again.heard[number + 1], hap.Unpaused)


async def test_a_pause_overnight_goes_on_from_the_same_card_after_a_restart(
    open_lobby: OpenLobby,
) -> None:
    anne = await with_bots(await open_lobby(timing=BRISK), plays=False)
    await dealt(anne.table)
    await anne.leave()
    await until(lambda: anne.table.state.paused)
    lobby = await open_lobby(timing=BRISK)
    listing = await lobby.store.listing(anne.table.id)
    assert listing is not None
    assert listing.state == "paused"
    morning = await found(lobby, anne.table.id)
    assert morning.state == anne.table.state
    Player(morning, ANNE)
    await over(morning)


async def test_somebody_at_a_seat_becomes_the_host_when_the_host_does_not_come_back(
    open_lobby: OpenLobby,
) -> None:
    lobby = await open_lobby(timing=replace(QUICK, host_grace=0.02))
    anne, bert = await together(lobby, Player, Player, begun=False)
    await anne.leave()
    await until(lambda: bert.all_of(hap.HandedOver))
    assert bert.all_of(hap.HandedOver) == [hap.HandedOver(BERT.id, BERT.name)]
    await done(bert.table, BERT, cmd.Start())


# Commands sent more than once


async def test_a_command_sent_twice_is_done_once_and_answered_alike(lobby: Lobby) -> None:
    table = await lobby.open(setup(), ANNE)
    first, again = await asyncio.gather(
        table.do(ANNE, cmd.Sit(0), 1, "anne:1"), table.do(ANNE, cmd.Sit(0), 1, "anne:1")
    )
    assert first == again == CommandReply(2)
    assert table.state.version == 2
    other = await table.do(ANNE, cmd.Sit(0), 1, "anne:2")
    assert other == CommandReply(2, Refusal("already_seated"))


async def test_after_a_restart_a_command_sent_again_has_the_same_answer(
    open_lobby: OpenLobby,
) -> None:
    anne = await with_bots(await open_lobby(), plays=False)
    await until(lambda: anne.state.match and game.legal_actions(anne.match, 0))
    act = cmd.Act(game.legal_actions(anne.match, 0)[0])
    seen = anne.state.version
    reply = await anne.do(act, "anne:7")
    assert reply.refusal is None
    await anne.leave()
    lobby = await open_lobby()
    again = await found(lobby, anne.table.id)
    assert await again.do(ANNE, act, seen, "anne:7") == reply
    assert await refused(again, BERT, cmd.Sit(0), 1, "anne:7") == "seat_taken"
    entries = await lobby.store.read(again.id)
    assert [entry.cause for entry in entries].count("anne:7") == 1


async def test_whoever_is_ready_for_the_next_deal_still_is_after_a_restart(
    open_lobby: OpenLobby,
) -> None:
    lobby = await open_lobby()
    anne, bert = await together(lobby, Lingering, Lingering, match_end="deals:2")
    table = anne.table
    await until(lambda: table.state.between_deals)
    seen = table.state.version
    reply = await table.do(ANNE, cmd.Next(), seen, "anne:next")
    assert reply == CommandReply(seen + 1)
    await anne.leave()
    await bert.leave()
    again = await found(await open_lobby(), table.id)
    assert again.state.ready == {0}
    assert await again.do(ANNE, cmd.Next(), seen, "anne:next") == reply
    for who in (ANNE, BERT):
        Lingering(again, who)
    await done(again, BERT, cmd.Next())
    await until(lambda: not again.state.between_deals)


async def test_a_refused_command_sent_again_is_refused_again(lobby: Lobby) -> None:
    table = await lobby.open(setup(), ANNE)
    answer = await table.do(BERT, cmd.Stand(), 1, "bert:1")
    await done(table, BERT, cmd.Sit(1))
    assert answer == CommandReply(1, Refusal("not_seated"))
    assert await table.do(BERT, cmd.Stand(), 1, "bert:1") == answer
    assert table.state.seats[1].person == "bert"


async def test_what_has_no_cause_is_never_taken_for_the_same(lobby: Lobby) -> None:
    table = await lobby.open(setup(), ANNE)
    await done(table, ANNE, cmd.Sit(0), cmd.Stand(), cmd.Sit(0), cmd.Stand())
    assert table.state.version == 5


async def test_whoever_does_not_wait_for_the_answer_has_it_done_all_the_same(lobby: Lobby) -> None:
    table = await lobby.open(setup(), ANNE)
    asking = asyncio.create_task(table.do(ANNE, cmd.Sit(0), 1, "anne:1"))
    await asyncio.sleep(0)
    asking.cancel()
    await until(lambda: table.state.version == 2)
    assert await table.do(ANNE, cmd.Sit(0), 1, "anne:1") == CommandReply(2)


def test_the_protocol_promises_as_many_answers_as_are_remembered() -> None:
    wire = (Path(__file__).parents[2] / "docs" / "wire.md").read_text(encoding="utf-8")
    assert f"among the last {MOST_REPLIES} that the person" in wire
    assert f"among the last {MOST_PERSONS} who" in wire


def test_answers_remembered_are_bounded() -> None:
    causes = ReplyCache()
    for number in range(MOST_REPLIES + 1):
        causes.put(f"anne:{number}", CommandReply(number))
    assert causes.get("anne:0") is None
    assert causes.get("anne:1") == CommandReply(1)
    for person in range(MOST_PERSONS):
        causes.put(f"p{person}:1", CommandReply(1))
    assert causes.get("anne:1") is None
    assert causes.get("p0:1") == CommandReply(1)
    causes.put("", CommandReply(1))
    assert causes.get("") is None


async def test_the_answer_names_the_last_happening_of_its_action(lobby: Lobby) -> None:
    table = await lobby.open(setup(), ANNE)
    reply = await table.do(ANNE, cmd.Start(), 1, "anne:1")
    entries = await lobby.store.read(table.id)
    caused = [entry for entry in entries if entry.cause == "anne:1"]
    assert len(caused) == 5  # four bots and the match
    assert reply == CommandReply(caused[-1].version)
