"""Duels that are shared, kept, killed, resumed and ended: the same result."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import because, few
from kit.filling import small_filesystem

from volte.cards import VolteError
from volte.lab.arena import (
    Contest,
    Contestant,
    Duel,
    DuelEnding,
    DuelStanding,
    Piece,
    Stop,
    looks,
    pack,
    play_duel,
    play_piece,
)
from volte.lab.arena.contest import DuelResult
from volte.rules import make_ruleset

BEGINNER, CASUAL, RANDOM = (Contestant.of(level) for level in ("beginner", "casual", "random"))
SALON = make_ruleset("salon", {})
DUEL = Duel(SALON, (BEGINNER, RANDOM), seed=7, decks=36, seatings=2)
COMPILED = Duel(SALON, (CASUAL, RANDOM), seed=7, decks=400, seatings=2)
SLOW = Duel(SALON, (BEGINNER, RANDOM), seed=7, decks=3, seatings=4, matches=True)
"""A duel that is played one seating at a time."""


def untimed(result: DuelResult) -> DuelStanding:
    return result.standing.untimed()


@pytest.fixture(scope="module")
def alone() -> DuelStanding:
    """Standing of `DUEL` in one process, and in one piece."""
    return play_piece(DUEL, Piece(0, 36)).untimed()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file in which a duel is kept."""
    return tmp_path / "duel.jsonl"


# Sharing


def test_one_process_or_two_find_the_same(alone: DuelStanding) -> None:
    done: list[tuple[int, int]] = []
    result = play_duel(DUEL, processes=2, progress=lambda *games: done.append(games))
    assert untimed(result) == alone
    assert result.ending is DuelEnding.PLAYED
    assert done[-1] == (72, 72)
    assert done == sorted(done)
    assert untimed(play_duel(DUEL, processes=1)) == alone


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.full)])
def test_matches_are_played_seating_by_seating(processes: int) -> None:
    result = play_duel(SLOW, processes=processes)
    assert untimed(result) == play_piece(SLOW, Piece(0, 3)).untimed()
    assert result.standing.games == 12


@pytest.mark.parametrize("decks", [400, pytest.param(20_000, marks=pytest.mark.full)])
def test_the_kernel_plays_where_both_have_a_twin(
    decks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It plays much of it in two processes, and little of it here."""
    monkeypatch.setattr("volte.lab.arena.contest.FEW_DEALS", 5_000)
    duel, seen = replace(COMPILED, decks=decks), set[object]()
    result = play_duel(
        duel, processes=2, progress=lambda *_: seen.update(multiprocessing.active_children())
    )
    assert result.standing == play_piece(duel, Piece(0, decks))
    assert not result.standing.sides[0].choices.number
    assert len(seen) == (2 if decks > 400 else 0)


@pytest.mark.full
@pytest.mark.parametrize("processes", [1, 2])
def test_several_duels_are_played_together(processes: int) -> None:
    duels = [DUEL, replace(DUEL, sides=(CASUAL, RANDOM), decks=12), replace(DUEL, seed=8)]
    results = Contest(duels).play(processes=processes)
    assert [untimed(result) for result in results] == [
        untimed(play_duel(duel, processes=1)) for duel in duels
    ]


# Endings


@pytest.mark.parametrize(
    "duel", [pytest.param(replace(DUEL, decks=300), marks=pytest.mark.full), COMPILED]
)
@pytest.mark.parametrize("stop", [Stop(until=1.9), Stop(decide=True)])
def test_a_duel_ends_at_the_same_look_however_it_is_shared(duel: Duel, stop: Stop) -> None:
    result = play_duel(duel, stop=stop, processes=1)
    assert result.ending in (DuelEnding.NARROW, DuelEnding.DECIDED)
    assert result.standing.decks < duel.decks
    assert untimed(result) == play_piece(duel, Piece(0, result.standing.decks)).untimed()
    shared = play_duel(duel, stop=stop, processes=2)
    assert (untimed(shared), shared.ending) == (untimed(result), result.ending)


def test_one_duel_ends_and_another_goes_on() -> None:
    even = replace(DUEL, sides=(RANDOM, RANDOM), decks=60)
    clear = replace(DUEL, decks=60)
    ended, whole = Contest([clear, even], stop=Stop(decide=True)).play(processes=1)
    assert (ended.ending, whole.ending) == (DuelEnding.DECIDED, DuelEnding.PLAYED)
    assert ended.standing.decks < whole.standing.decks == 60


# Kept in a file


def test_what_is_kept_is_not_played_again(file: Path, alone: DuelStanding) -> None:
    first = play_duel(DUEL, keep=file, processes=1)
    lines = file.read_bytes()
    assert len(lines.splitlines()) == 37
    done: list[tuple[int, int]] = []
    again = play_duel(DUEL, keep=file, processes=1, progress=lambda *games: done.append(games))
    assert again == first
    assert untimed(again) == alone
    assert done == [(72, 72)]
    assert file.read_bytes() == lines


@pytest.mark.parametrize(
    "duel", [*(pytest.param(each, marks=pytest.mark.full) for each in (DUEL, SLOW)), COMPILED]
)
def test_a_file_cut_anywhere_is_gone_on_with(duel: Duel, file: Path) -> None:
    whole = untimed(play_duel(duel, keep=file, processes=1))
    content = file.read_bytes()
    for cut in range(0, len(content), len(content) // few(2, 6)):
        file.write_bytes(content[:cut])
        assert untimed(play_duel(duel, keep=file, processes=1)) == whole
        lines = file.read_bytes().splitlines()
        assert len(lines) == len(content.splitlines())
        assert all(json.loads(line) for line in lines)


@settings(max_examples=few(1, 20))
@given(st.sampled_from([DUEL, SLOW, COMPILED]), st.randoms(use_true_random=False))
def test_parts_that_are_lost_are_played_again_and_no_others(duel: Duel, random: Random) -> None:
    """Any part of the file may be left, in any order."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "duel.jsonl"
        whole = untimed(play_duel(duel, keep=file, processes=1))
        heading, *parts = file.read_bytes().splitlines(keepends=True)
        left = random.sample(parts, random.randint(0, len(parts)))
        file.write_bytes(b"".join([heading, *left]))
        assert untimed(play_duel(duel, keep=file, processes=1)) == whole
        pieces = [json.loads(line)["piece"] for line in file.read_bytes().splitlines()[1:]]
        assert sum((stop - first) * (1 if one >= 0 else 2) for first, stop, one in pieces) == (
            whole.games
        )


@settings(max_examples=few(1, 30))
@given(
    st.lists(st.sampled_from([DUEL, SLOW, COMPILED]), min_size=1, max_size=2, unique=True),
    st.sampled_from([Stop(), Stop(until=1.9)]),
    st.randoms(use_true_random=False),
)
def test_a_packed_file_keeps_the_same(duels: list[Duel], stop: Stop, random: Random) -> None:
    """Any part of the duels may have been played, in any order."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "duel.jsonl"
        whole = Contest(duels, stop=stop, keep=file).play(processes=1)
        heading, *parts = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(b"".join([heading, *random.sample(parts, random.randint(0, len(parts)))]))
        loose = Contest(duels, stop=stop, keep=file)
        loose.restore()
        pack(file, duels)
        packed = Contest(duels, stop=stop, keep=file)
        packed.restore()
        assert packed.results == loose.results
        assert list(map(untimed, packed.play(processes=1))) == list(map(untimed, whole))
        assert os.listdir(folder) == ["duel.jsonl"]


@pytest.mark.parametrize(
    "duel", [*(pytest.param(each, marks=pytest.mark.full) for each in (DUEL, SLOW)), COMPILED]
)
def test_a_packed_file_has_a_line_for_each_look(duel: Duel, file: Path) -> None:
    play_duel(duel, keep=file, processes=1)
    pack(file, [duel])
    content = file.read_bytes()
    assert len(content.splitlines()) == 1 + len(looks(duel.decks))
    pack(file, [duel])
    assert file.read_bytes() == content


def test_parts_that_overlap_are_packed_each_by_itself(file: Path) -> None:
    """A shorter duel has played again the piece that went too far for it."""
    shorter = replace(COMPILED, decks=35)
    whole = play_duel(COMPILED, keep=file, processes=1)
    short = play_duel(shorter, keep=file, processes=1)
    assert short.standing == play_piece(COMPILED, Piece(0, 35))
    for duel in (shorter, COMPILED):
        pack(file, [duel])
        assert play_duel(shorter, keep=file, processes=1).standing == short.standing
        assert play_duel(COMPILED, keep=file, processes=1).standing == whole.standing
        for stop in (Stop(until=1.9), Stop(decide=True)):
            ended = play_duel(COMPILED, stop=stop, keep=file, processes=1)
            assert ended == play_duel(COMPILED, stop=stop, processes=1)


def test_a_duel_can_be_made_longer(file: Path, alone: DuelStanding) -> None:
    for decks in (5, 33, 36):
        result = play_duel(replace(DUEL, decks=decks), keep=file, processes=1)
    assert untimed(result) == alone
    shorter = play_duel(replace(DUEL, decks=10), keep=file, processes=1)
    assert untimed(shorter) == play_piece(DUEL, Piece(0, 10)).untimed()


LONG = replace(DUEL, decks=150)
"""A duel that is not finished before its processes are killed."""

KILLED = """
import sys
from pathlib import Path
from volte.lab.arena import Contestant, Duel, play_duel
from volte.rules import make_ruleset

if __name__ == "__main__":
    sides = Contestant.of("beginner"), Contestant.of("random")
    long = Duel(make_ruleset("salon", {}), sides, seed=7, decks=150, seatings=2)
    told = lambda done, whole: print(done, flush=True)
    play_duel(long, keep=Path(sys.argv[1]), processes=int(sys.argv[2]), progress=told)
"""


@pytest.mark.full
@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.full)])
def test_a_run_that_is_killed_twice_is_gone_on_with(processes: int, file: Path) -> None:
    script = file.with_name("killed.py")
    script.write_text(KILLED)
    kept = 0
    for _ in range(2):
        with subprocess.Popen(
            [sys.executable, str(script), str(file), str(processes)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # Python reports the semaphores of a killed pool
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        ) as process:
            assert process.stdout is not None
            assert all(process.stdout.readline() for _ in range(1 + 8))
            process.kill()
        assert process.returncode == -signal.SIGKILL
        lines = file.read_bytes().splitlines()
        assert kept + 8 <= len(lines) - 1 < LONG.decks
        kept = len(lines) - 2  # the last line may be half
    result = play_duel(LONG, keep=file, processes=1)
    assert untimed(result) == play_piece(LONG, Piece(0, LONG.decks)).untimed()


@pytest.mark.parametrize(
    "other",
    [
        replace(DUEL, seed=8),
        replace(DUEL, sides=(RANDOM, BEGINNER)),
        replace(DUEL, sides=(Contestant.of("beginner@5"), RANDOM)),
        replace(DUEL, seatings=4),
        replace(DUEL, matches=True),
        replace(DUEL, rules=make_ruleset("coeurs", {})),
    ],
)
def test_a_file_of_another_duel_is_refused_and_left_alone(other: Duel, file: Path) -> None:
    play_duel(replace(DUEL, decks=1), keep=file, processes=1)
    content = file.read_bytes()
    with pytest.raises(VolteError, check=because("keep_differs")):
        play_duel(other, keep=file)
    assert file.read_bytes() == content


@pytest.mark.parametrize("content", [b"hello", b"hello\n", b"{}\n", b"\n", b"\0\xff\n"])
def test_a_file_of_something_else_is_refused_and_left_alone(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_bytes(content)
    with pytest.raises(VolteError, check=because("keep_differs")):
        play_duel(DUEL, keep=file)
    assert file.read_bytes() == content


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'{"duel":0', b'{"duel":1'),
        (b'{"duel":0', b'{"duel":-1'),
        (b'"piece":[1,2', b'"piece":[1,3'),
        (b'"piece":[1,2', b'"piece":[2,1'),
        (b"2,-1]", b"2,2]"),
        (b'"whole":12', b'"whole":60'),
        (b'"1":[', b'"2":['),
        (b"}", b""),
    ],
)
def test_a_damaged_line_is_named(old: bytes, new: bytes, file: Path) -> None:
    play_duel(replace(DUEL, decks=3), keep=file, processes=1)
    first, second, third, last = file.read_bytes().splitlines(keepends=True)
    assert old in third
    content = b"".join([first, second, third.replace(old, new, 1), last])
    file.write_bytes(content)
    with pytest.raises(VolteError) as caught:
        play_duel(DUEL, keep=file)
    assert (caught.value.reason, caught.value.params["number"]) == ("keep_damaged", 3)
    assert file.read_bytes() == content


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(VolteError, check=because("file_not_written")):
        play_duel(DUEL, keep=tmp_path / "nowhere" / "duel.jsonl")
    with pytest.raises(VolteError, check=because("file_not_read")):
        play_duel(DUEL, keep=tmp_path)
    full = tmp_path / "small" / "duel.jsonl"
    with small_filesystem(full.parent, 4096):
        with pytest.raises(VolteError, check=because("file_not_written")) as caught:
            play_duel(SLOW, keep=full, processes=1)
        assert (caught.value.params["path"], os.listdir(full.parent)) == (full, [full.name])


def test_what_was_played_until_an_interruption_is_there() -> None:
    contest = Contest([DUEL, SLOW])

    def interrupt(done: int, whole: int) -> None:
        if done > 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        contest.play(processes=1, progress=interrupt)
    results = contest.results
    assert [result.ending for result in results] == [None, DuelEnding.PLAYED]
    for result in results:
        decks = result.standing.decks
        assert untimed(result) == play_piece(result.duel, Piece(0, decks)).untimed()
