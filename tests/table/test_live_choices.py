"""What people may take their time for, and what is done for them."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace
from table.people import (
    ANNE,
    BERT,
    QUICK,
    Lingering,
    Player,
    done,
    kinds,
    room,
    seated,
    setup,
    until,
)

from volte import game
from volte.game import MatchState, Phase, SeatAction
from volte.table import Why
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.live import LiveTable
from volte.table.pacing import Pace

FAST_CLOCK = replace(QUICK, tick=0.004)


def to_play(table: LiveTable, seat: int) -> bool:
    """Whether that seat has to play a card."""
    match = table.state.match
    playing = match is not None and match.phase is Phase.PLAYING
    return playing and match is not None and seat in game.to_act(match) and match.asked is None


async def test_a_clock_that_runs_out_hands_the_seat_to_a_bot_until_any_command(
    tmp_path: Path,
) -> None:
    async with room(tmp_path, FAST_CLOCK) as lobby:
        table = await lobby.open(setup(match_end="deals:1", clock=5), ANNE)
        anne = Player(table, ANNE)
        anne.plays = False
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: kinds(anne, hap.StoodIn))
        assert kinds(anne, hap.StoodIn) == [hap.StoodIn(0, Why.CLOCK)]
        stale = await table.do(ANNE, cmd.Act(game.Claim(0)), 1)
        assert stale.refusal is not None
        await until(lambda: kinds(anne, hap.CameBack))
        await anne.leave()


async def test_no_clock_is_shorter_than_30_seconds_for_whoever_has_not_agreed(
    tmp_path: Path,
) -> None:
    """WCAG 2.2.1; for a pass there is three times as long."""

    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(match_end="deals:1", clock=5), ANNE)
        anne = Player(table, ANNE)
        anne.plays = False
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: table.clock_left(0) is not None)
        left = table.clock_left(0)
        assert left is not None
        assert 15 < left <= 90
        await done(table, ANNE, cmd.AcceptClock(True))
        agreed = table.clock_left(0)
        assert agreed is not None
        assert agreed <= 15
        await anne.leave()


async def test_more_time_is_given_ten_times_a_choice(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(match_end="deals:1", clock=60, pass_count=0), ANNE)
        anne = Player(table, ANNE)
        anne.plays = False
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: to_play(table, 0) and anne.state.version == table.state.version)
        before = table.clock_left(0)
        for _ in range(10):
            assert (await anne.do(cmd.MoreTime())).refusal is None
        refused = await anne.do(cmd.MoreTime())
        assert refused.refusal is not None
        after = table.clock_left(0)
        assert before is not None
        assert after is not None
        assert 540 < after - before <= 600
        await anne.leave()


async def test_nobody_hurries_without_a_clock_or_while_the_match_waits(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(match_end="deals:1", clock=60, pass_count=0), ANNE)
        anne = Player(table, ANNE)
        anne.plays = False
        assert table.clock_left(0) is None
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: to_play(table, 0))
        await until(lambda: table.clock_left(0) is not None)
        assert all(table.clock_left(seat) is None for seat in (1, 2, 3))
        await done(table, ANNE, cmd.Pause())
        assert table.clock_left(0) is None
        await anne.leave()


class Forgetful(Player):
    """Takes back the first card that nobody has played after."""

    asked = False

    async def _play(self, seat: int, match: MatchState) -> None:
        last = game.last_play(match)
        if not self.asked and last is not None and last.seat == seat and match.asked is None:
            self.asked = (await self.do(cmd.Act(game.AskUndo(seat)))).refusal is None
        else:
            await super()._play(seat, match)


async def test_C2_whoever_a_bot_plays_for_lets_others_take_back(tmp_path: Path) -> None:
    """Bert is away, Anne asks; between people and bots nobody else is asked."""

    async with room(tmp_path, replace(QUICK, bot_pace=0.05)) as lobby:
        table = await lobby.open(setup(match_end="deals:1", pass_count=0), ANNE)
        anne, bert = Forgetful(table, ANNE), Player(table, BERT)
        bert.plays = False
        await seated(table, anne, bert)
        await done(table, ANNE, cmd.Start())
        await until(lambda: table.state.match and table.state.match.proof)
        await done(table, BERT, cmd.Away())
        await until(lambda: kinds(anne, game.PlayTakenBack))
        assert kinds(anne, game.UndoAnswered)[0] == game.UndoAnswered(1, True)
        await until(lambda: not table.state.under_way)
        await anne.leave()
        await bert.leave()


async def test_C2_nobody_plays_on_while_somebody_is_asked_and_silence_is_a_no(
    tmp_path: Path,
) -> None:
    timing = replace(QUICK, undo_within=0.2, bot_pace=0.5)
    async with room(tmp_path, timing) as lobby:
        table = await lobby.open(setup(match_end="deals:1", pass_count=0), ANNE)
        anne, bert = Forgetful(table, ANNE), Silent(table, BERT)
        await done(table, ANNE, cmd.Sit(0))
        await done(table, BERT, cmd.Sit(2))  # a bot between them leaves time to ask
        await done(table, ANNE, cmd.Start())
        await until(lambda: kinds(anne, game.UndoAnswered))
        asked = next(
            number for number, each in anne.heard.items() if isinstance(each, game.UndoAsked)
        )
        assert anne.heard[asked + 1] == game.UndoAnswered(2, False)
        await anne.leave()
        await bert.leave()


class Silent(Player):
    """Plays, but answers nothing."""

    async def _play(self, seat: int, match: MatchState) -> None:
        if match.asked is None:
            await super()._play(seat, match)


class Claiming(Player):
    """Claims whenever it is their turn."""

    async def _play(self, seat: int, match: MatchState) -> None:
        if match.phase is Phase.PLAYING and seat in game.to_act(match):
            await self._once(
                ("claim", self.state.moved), cmd.Act(game.Claim(seat)), "claim_not_proved"
            )
        if self.state.match is match:
            await super()._play(seat, match)


async def test_C1_a_claim_that_holds_ends_the_deal(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(match_end="deals:3"), ANNE)
        anne = Claiming(table, ANNE)
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: kinds(anne, game.Claimed) or not table.state.under_way)
        assert kinds(anne, game.Claimed)
        await until(lambda: not table.state.under_way)
        await anne.leave()


class Counting(Player):
    """Plays only where there is a choice."""

    chosen_cards = 0

    def chosen(self, seat: int, match: MatchState) -> SeatAction | None:
        actions = game.legal_actions(match, seat)
        if match.phase is Phase.PLAYING and len(actions) == 1:
            return None
        self.chosen_cards += match.phase is Phase.PLAYING and bool(actions)
        return actions[0] if actions else None


async def test_the_only_legal_card_is_played_for_whoever_wants_it_so(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(match_end="deals:1"), ANNE)
        anne = Counting(table, ANNE)
        table.set_pace(ANNE, Pace(0, 0, auto_forced=True))
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: not table.state.under_way)
        assert anne.chosen_cards < 13
        await anne.leave()


async def test_the_next_deal_waits_for_everybody_who_is_there(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(match_end="deals:2"), ANNE)
        anne, bert = Player(table, ANNE), Lingering(table, BERT)
        await seated(table, anne, bert)
        await done(table, ANNE, cmd.Start())
        await until(lambda: table.state.ready == {0})
        assert table.state.between_deals
        await done(table, BERT, cmd.Next())
        await until(lambda: not table.state.under_way)
        await anne.leave()
        await bert.leave()


async def test_whoever_sits_down_between_two_deals_is_asked_as_well(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(match_end="deals:2"), ANNE)
        anne, bert = Player(table, ANNE), Lingering(table, BERT)
        await seated(table, anne, bert)
        await done(table, ANNE, cmd.Start())
        await until(lambda: table.state.ready == {0})
        await done(table, ANNE, cmd.Stand(), cmd.Sit(0))
        assert table.state.ready == set()
        assert table.state.between_deals
        await done(table, ANNE, cmd.Next())
        await done(table, BERT, cmd.Next())
        await until(lambda: not table.state.between_deals)
        await anne.leave()
        await bert.leave()


async def test_with_a_clock_the_wait_for_the_next_deal_ends(tmp_path: Path) -> None:
    async with room(tmp_path, FAST_CLOCK) as lobby:
        table = await lobby.open(setup(match_end="deals:2", clock=120), ANNE)
        anne = Lingering(table, ANNE)
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: not table.state.under_way)
        await anne.leave()


async def test_the_host_has_a_bot_play_and_the_person_takes_over_again(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(match_end="deals:1"), ANNE)
        anne, bert = Player(table, ANNE), Player(table, BERT)
        anne.plays = bert.plays = False
        await seated(table, anne, bert)
        await done(table, ANNE, cmd.Start())
        await until(lambda: table.state.match and table.state.match.phase is Phase.PASSING)
        await done(table, ANNE, cmd.Replace(1))
        await until(lambda: kinds(anne, game.Passed)[0:1])
        await until(lambda: table.state.match and table.state.match.deal.passes[1])  # type: ignore[union-attr]
        assert table.state.seats[1].stand_in is Why.HOST
        anne.plays = bert.plays = True
        await done(table, BERT, cmd.Back())
        await anne.moved()
        await until(lambda: not table.state.under_way)
        assert kinds(anne, hap.CameBack) == [hap.CameBack(1)]
        await anne.leave()
        await bert.leave()
