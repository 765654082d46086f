"""A person at a refereed table of their own: their acts, and facts they must see for themselves
(I2–I9).

The sentences and the records are in the transcripts `refereed-*`. The deal is always the same
(seed 1).
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from kit.spoken import EVERY
from kit.terminals import Script, Stubborn, only_log, sit_down

from volte.cards import Card
from volte.console.keys import key_lines
from volte.console.witness import PlayStyle
from volte.game import MatchEnded
from volte.notation import load_record
from volte.referee import Accepted
from volte.rules import make_ruleset
from volte.say import Words

ONE_DEAL = make_ruleset("coeurs-table")
TWO_DEALS = make_ruleset("coeurs-table", {"match_end": "deals:2"})

# Permitted acts, and their moments


def test_I6_who_cuts_ends_the_claims_and_the_next_deal_is_not_asked_for_twice(folder: Path) -> None:
    said = sit_down(TWO_DEALS, Stubborn(), folder, words=Words("en")).said
    asked = said.index("Press Enter to let Alice cut for the next deal.")
    assert (
        said.index("Points for deal 1, not yet final: ")
        < asked
        < said.index("The points for deal 1 are final.")
    )
    assert "Press Enter for the next deal." not in said
    assert said.count("Press Enter to accept the scores.") == 1
    accepted = [each.seat for each in only_log(folder) if isinstance(each, Accepted)]
    assert sorted(accepted) == [0, 1, 2, 3]


def test_I6_a_revoke_is_claimed_before_the_cut_and_not_after(folder: Path) -> None:
    class Late(Stubborn):
        claims = 0

        def __call__(self, printed: str) -> str:
            cut = "cut for the next deal." in printed and self.claims == 0
            late = "Deal 2: " in printed and self.claims == 1
            if cut or late:
                self.claims += 1
                return "v chloe 1"
            return super().__call__(printed)

    said = sit_down(TWO_DEALS, Late(), folder, words=Words("en")).said
    lines = (
        "You claim that Chloé revoked in trick 1.",
        "The points for deal 1 are final.",
        "No revoke can",
    )
    places = [*map(said.index, lines)]
    assert places == sorted(places)


# Typed lines


@pytest.mark.parametrize("lang", EVERY)
def test_the_keys_are_those_that_work_at_such_a_table(lang: str) -> None:
    lawful = key_lines(Words(lang), make_ruleset("coeurs"))
    refereed = key_lines(Words(lang), ONE_DEAL)
    letters = {line.partition(":")[0].partition(",")[0].strip("\u00a0") for line in refereed}
    assert {"U", "V", "D", "K", "A", "O", "LL"} <= letters
    assert [line for line in lawful if line not in refereed] == []


def test_a_forced_card_is_only_the_last_one_of_the_hand(folder: Path) -> None:
    pack = ("TC", "JC", "QC", "KC", "AC", "AH")
    removed = [card.text for card in ONE_DEAL.cards if card.text not in pack]
    rules = make_ruleset("coeurs-table", {"players": 3, "pass_count": 0, "removed": removed})
    said = sit_down(rules, Stubborn(), folder, manner=PlayStyle(auto_forced=True)).said
    # The king of clubs has to follow a club; the ace of hearts, in hand as well, could revoke.
    assert "Your card?\nYou: the king of clubs" in said
    assert said.count("Only one card may be played.") == 1


def test_a_refereed_match_is_resumed_where_it_was_left(folder: Path) -> None:
    sitting = sit_down(ONE_DEAL, Script([".1 .2 .3", "ad", "q"]), folder, words=Words("en"))
    assert sitting.lines[-1] == "The match is saved. To go on: volte play --resume"
    log = load_record(sitting.match.files[0]).log
    assert not any(isinstance(each, MatchEnded) for each in log)
    assert Card("AD") in [getattr(each, "card", None) for each in log]


class Wild(Stubborn):
    """Types any line now and then, wanted or not."""

    LINES = (
        *("o", "o alice", "o 1", "o x", "v", "v bruno 1", "v chloe 14", "claim alice", "u", "d"),
        *("k", "a", "g", "e", "c", "1", "t", "s", "f", "i", ".1", ".5", ".13", "qs", "v pique"),
    )

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._rng = random.Random(seed)
        self._lines = 400

    def __call__(self, printed: str) -> str:
        self._lines -= 1
        if self._lines > 0 and self._rng.random() < 0.4:
            return self._rng.choice(self.LINES)
        return super().__call__(printed)


@pytest.mark.parametrize("players", range(3, 8))
def test_whatever_is_typed_the_match_comes_to_its_end(players: int, folder: Path) -> None:
    rules = make_ruleset("coeurs-table", {"players": players, "match_end": "deals:2"})
    lang = ["fr", "en"][players % 2]
    sitting = sit_down(rules, Wild(players), folder, lang=lang, seed=str(players))
    assert sitting.state is not None
    assert not [line for line in sitting.lines if "{" in line or "None" in line]
    assert only_log(folder)
