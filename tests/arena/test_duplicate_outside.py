"""Outside engines in duels: started once, their forfeits recorded, and nobody left behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from arena.engines import engine

from volte.cards import Fault
from volte.lab.arena import Contestant, Duel, play_duel
from volte.lab.arena.contestant import COMPANY
from volte.rules import make_ruleset

SALON = make_ruleset("salon", {})
BEGINNER = Contestant.of("beginner")


def test_an_engine_plays_the_same_however_it_is_shared(tmp_path: Path) -> None:
    duel = Duel(SALON, (engine(tmp_path), BEGINNER), 3, 4, 2)
    alone, shared = (play_duel(duel, processes=processes) for processes in (1, 2))
    assert alone.standing.untimed() == shared.standing.untimed()
    side, _ = alone.standing.sides
    assert side.choices.forfeits == {}
    held = 4  # the fourth deal, by four seats: no pass
    assert side.choices.number + side.choices.forced == 14 * side.seats - held


@pytest.mark.parametrize(
    ("mischief", "reason"),
    [("print('choose play XX', flush=True); continue", "garbled"), ("sys.exit()", "died")],
)
def test_forfeits_are_recorded_by_their_reason(mischief: str, reason: str, tmp_path: Path) -> None:
    wrong = engine(tmp_path, "wrong", 10, mischief)
    result = play_duel(Duel(SALON, (wrong, BEGINNER), 3, 1, 2), processes=1)
    side, other = result.standing.sides
    # Each of two seats a seating, 13 plays and a pass in one deal, so ten of them once at least.
    assert list(side.choices.forfeits) == [reason]
    assert 2 <= side.choices.forfeits[reason] <= 5
    assert other.choices.forfeits == {}


def test_an_engine_that_cannot_be_started_ends_the_duel() -> None:
    nobody = Contestant.outside("/nowhere/engine")
    for processes in (1, 2):
        with pytest.raises(Fault) as caught:
            play_duel(Duel(SALON, (nobody, BEGINNER), 3, 4, 2), processes=processes)
        assert caught.value.reason == "program_not_started"


def test_engines_end_with_the_duel(tmp_path: Path) -> None:
    done = tmp_path / "done"
    leaving = engine(tmp_path, "leaving")
    script = tmp_path / "leaving.py"
    script.write_text(script.read_text() + f"\nopen({str(done)!r}, 'a').write('x')\n")
    play_duel(Duel(SALON, (leaving, BEGINNER), 3, 2, 2), processes=1)
    assert done.read_text() == "xxxx"  # one for each seat, for both decks
    COMPANY.close()  # there is nobody left
    assert done.read_text() == "xxxx"
