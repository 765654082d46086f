"""Outside engines at tables: each seat has a process of its own; a faulty one does not stop the
match, and none sees more than its seat."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from kit.engines import engine, example, python
from kit.live import OpenLobby, Player, done, over, together, until
from kit.tables import ANNE, RATED, setup

from volte.table import commands as cmd
from volte.table import engines
from volte.table.decide import decide, open_table
from volte.table.engines import EnginePool, EngineTerms
from volte.table.lobby import Lobby
from volte.table.state import TableState, evolve
from volte.table.thinking import ChoiceMade

CALM = EngineTerms(seconds=30.0)
"""For engines that are not late on a busy machine either."""


@pytest.fixture
def no_second_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start no engine again that has failed, however long the match takes."""
    monkeypatch.setattr(engines, "AGAIN", 3600.0)


def choices(lobby: Lobby) -> Counter[str]:
    """A counter of the ways in which engines' choices are made from now on."""
    found = Counter[str]()

    def count(choice: ChoiceMade) -> None:
        if choice.level != "casual":
            found[choice.how] += 1

    lobby.thinking.on_choice = count
    return found


async def match_with(lobby: Lobby, *names: str, kind: type[Player] = Player) -> Player:
    """Anne, in a match of one deal with those engines, and `casual` at the other seats."""
    (anne,) = await together(lobby, kind, begun=False)
    bots = [cmd.SeatBot(seat, name) for seat, name in enumerate(names, start=1)]
    await done(anne.table, ANNE, *bots, cmd.Start())
    return anne


def runs(process: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(process, 0)
        return True
    return False


async def test_an_engine_plays_at_every_seat_that_it_is_given(open_lobby: OpenLobby) -> None:
    pool = EnginePool({"lowest": example()}, CALM)
    lobby = await open_lobby(engines=pool)
    made = choices(lobby)
    anne = await match_with(lobby, "lowest", "lowest")
    await over(anne.table)
    assert made == {"usual": 2 * 14}
    processes = pool.processes
    assert len(processes) == 2
    await lobby.close()
    assert not any(map(runs, processes))


LISTENING = """
import os, sys
assert "VOLTE_METRICS_TOKEN" not in os.environ
heard = open(os.path.join({folder!r}, str(os.getpid())), "w", buffering=1)
for line in sys.stdin:
    heard.write(line)
    words = line.split()
    if words[0] == "volte":
        print("ready", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "go":
        at = words.index("pass" if "pass" in words else "play")
        count = int(words[at + 1]) if words[at] == "pass" else 1
        first = at + 2 if words[at] == "pass" else at + 1
        print("choose", words[at], *words[first : first + count], flush=True)
"""


async def test_a_process_is_told_what_one_seat_sees_and_nothing_of_our_environment(
    open_lobby: OpenLobby, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOLTE_METRICS_TOKEN", "a secret")
    heard = tmp_path / "heard"
    heard.mkdir()
    source = (
        LISTENING.format(folder=str(heard)) + "\nassert 'VOLTE_METRICS_TOKEN' not in os.environ"
    )
    lobby = await open_lobby(engines=EnginePool({"spy": python(source)}, CALM))
    made = choices(lobby)
    anne = await match_with(lobby, "spy", "spy", "spy")
    await over(anne.table)
    assert made == {"usual": 3 * 14}
    hands = []
    for file in heard.iterdir():
        lines = file.read_text().splitlines()
        (seat,) = {line for line in lines if line.startswith("match seat")}
        (dealt,) = {line.partition(" hand ")[2] for line in lines if line.startswith("deal ")}
        hands.append((seat, dealt))
        passed = [line for line in lines if line.startswith("pass ")]
        assert len(passed) == 1
        assert set(passed[0].split()[1:]) <= set(dealt.split())
    assert len(dict(hands)) == 3
    assert len({card for _, dealt in hands for card in dealt.split()}) == 3 * 13


FAULTS = {
    "hangs": ("__import__('time').sleep(60)", "late"),
    "dies": ("sys.exit('it holds QS AS KH')", "died"),
    "eats memory": ("print('choose play', bytearray(2**29)[0], flush=True)", "died"),
    "talks nonsense": ("print('choose the best', flush=True)", "garbled"),
    "cheats": (
        "print('choose play 2C' if 'pass' in line else 'choose pass 2C', flush=True)",
        "illegal",
    ),
}


@pytest.mark.usefixtures("no_second_start")
@pytest.mark.parametrize("fault", FAULTS)
async def test_whatever_an_engine_does_casual_chooses_for_it_and_the_match_goes_on(
    fault: str, open_lobby: OpenLobby, caplog: pytest.LogCaptureFixture
) -> None:
    go, why = FAULTS[fault]
    terms = EngineTerms(seconds=0.05 if why == "late" else 5.0, memory=256)
    lobby = await open_lobby(engines=EnginePool({"faulty": engine(go)}, terms))
    made = choices(lobby)
    anne = await match_with(lobby, "faulty")
    await over(anne.table)
    assert made == {"casual": 14}
    failed = [record.__dict__ for record in caplog.records if record.message == "engine_failed"]
    assert {(each["engine"], each["why"]) for each in failed} == {("faulty", why)}
    # A running engine is asked each time; one that has ended is not started again at once.
    assert len(failed) == (14 if why == "illegal" else 1)
    assert "QS" not in caplog.text


@pytest.mark.usefixtures("no_second_start")
async def test_a_program_that_cannot_be_started_is_not_tried_again_at_once(
    open_lobby: OpenLobby, tmp_path: Path
) -> None:
    started = tmp_path / "started"
    source = f"open({str(started)!r}, 'a').write('x'); raise SystemExit(1)"
    lobby = await open_lobby(engines=EnginePool({"broken": python(source)}))
    made = choices(lobby)
    anne = await match_with(lobby, "broken", "broken", "broken")
    await over(anne.table)
    assert made == {"casual": 3 * 14}
    assert 1 <= len(started.read_text()) <= 3  # all three pass at once


async def test_an_engine_that_has_failed_plays_again_later(
    open_lobby: OpenLobby, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "AGAIN", 0.0)
    flag = tmp_path / "flag"
    source = LISTENING.format(folder=str(tmp_path)).replace(
        "    words = line.split()",
        f"    words = line.split()\n"
        f"    if words[0] == 'go' and not os.path.exists({str(flag)!r}):\n"
        f"        open({str(flag)!r}, 'w'); sys.exit(1)",
    )
    lobby = await open_lobby(engines=EnginePool({"shaky": python(source)}, CALM))
    made = choices(lobby)
    anne = await match_with(lobby, "shaky")
    await over(anne.table)
    assert made == {"usual": 14 - 1, "casual": 1}


async def test_the_process_of_a_seat_that_asks_no_more_is_ended(
    open_lobby: OpenLobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "RESTING", 0.3)
    pool = EnginePool({"lowest": example()}, CALM)
    lobby = await open_lobby(engines=pool)
    anne = await match_with(lobby, "lowest")
    await until(lambda: pool.processes)
    (process,) = pool.processes
    await over(anne.table)
    await until(lambda: not pool.processes and not runs(process))


async def test_there_are_no_more_processes_than_there_may_be(
    open_lobby: OpenLobby, caplog: pytest.LogCaptureFixture
) -> None:
    pool = EnginePool({"lowest": example()}, EngineTerms(seconds=30.0, processes=1))
    lobby = await open_lobby(engines=pool)
    made = choices(lobby)
    anne = await match_with(lobby, "lowest", "lowest")
    await over(anne.table)
    assert made == {"usual": 14, "casual": 14}
    assert len(pool.processes) == 1
    assert [record.message for record in caplog.records].count("engines_full") == 1


async def test_an_engine_that_the_settings_do_not_name_any_more_plays_as_casual(
    open_lobby: OpenLobby, caplog: pytest.LogCaptureFixture
) -> None:
    lobby = await open_lobby(engines=EnginePool({"lowest": example()}, CALM))
    (anne,) = await together(lobby, Player, begun=False)
    await done(anne.table, ANNE, cmd.SeatBot(1, "lowest"))
    lobby = await open_lobby()
    made = choices(lobby)
    live = await lobby.find(anne.table.id)
    assert live is not None
    Player(live, ANNE)
    await done(live, ANNE, cmd.Start())
    await over(live)
    assert made == {"casual": 14}
    assert not caplog.records


# Seating engines


def waiting(**settings: Any) -> TableState:
    """A table at which Anne has the first seat, and there are no bots."""
    state = None
    for happening in open_table(setup("dame-de-pique", **settings), ANNE, 0):
        state = evolve(state, happening)
    assert state is not None
    return state


def refusal_of(state: TableState, command: cmd.Command, *names: str) -> str:
    outcome = decide(state, ANNE, command, state.version, engines=names)
    return getattr(outcome, "reason", "")


@pytest.mark.parametrize(
    "level",
    ["/bin/sh", "sh -c id", "lowest=sh", "../lowest", "Lowest", "lowest ", "other", "", "\0"],
)
def test_only_a_name_of_the_settings_can_be_asked_for(level: str) -> None:
    assert refusal_of(waiting(), cmd.SeatBot(1, level), "lowest") == "no_such_level"
    assert refusal_of(waiting(), cmd.SeatBot(1, "lowest"), "lowest") == ""
    assert refusal_of(waiting(), cmd.SeatBot(1, "lowest")) == "no_such_level"


async def test_a_rated_match_has_no_engine(open_lobby: OpenLobby) -> None:
    lobby = await open_lobby(engines=EnginePool({"lowest": example()}, CALM))
    anne, _ = await together(lobby, Player, Player, begun=False)
    await done(anne.table, ANNE, cmd.SeatBot(2, "lowest"))
    await done(anne.table, ANNE, cmd.Change(RATED))
    for command, reason in (
        (cmd.Start(), "rated_own_bots"),
        (cmd.SeatBot(3, "lowest"), "no_such_level"),
    ):
        reply = await anne.table.do(ANNE, command, anne.table.state.version)
        assert reply.refusal is not None
        assert reply.refusal.reason == reason
    await done(anne.table, ANNE, cmd.SeatBot(2, "strong"), cmd.Start())
