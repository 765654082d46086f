"""A person at a refereed table of their own: what they may do, and what nobody tells them (I2–I9).

The deal is always the same (seed 1). VOLTE_REMAKE_GOLDENS=1 writes the transcripts anew.
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from terminal.people import Script, Stubborn, sit_down

from volte.cards import Card
from volte.console.person import Manner, key_lines
from volte.console.refereed import RefereeKey, referee_key_of
from volte.game import DealScored, MatchEnded
from volte.notation import load_record
from volte.referee import Accepted, Event, Objected, RevokeClaimed, TakenBack
from volte.rules import make_ruleset
from volte.say import Words

ONE_DEAL = make_ruleset("coeurs-table")
TWO_DEALS = make_ruleset("coeurs-table", {"match_end": "deals:2"})
GOLDENS = Path(__file__).parent / "goldens"

PUT_RIGHT = {2: [".2", "u"]}
"""The king of clubs is kept back under a club, and played once the person thinks again."""

CLAIMED = {2: [".2"]}
"""The same, without a second thought: the bots see it when the king turns up."""

MISTAKEN = {7: ["o bruno", "v alice 1", "v bruno 9", "c", "g"]}
"""Nothing is wrong with what is objected to and claimed."""

PREMATURE = {7: [".1"]}
"""A card led before Chloé, who has won the trick, leads."""

STORIES: Mapping[str, Mapping[int, Sequence[str]]] = {
    "put-right": PUT_RIGHT,
    "claimed": CLAIMED,
    "mistaken": MISTAKEN,
    "premature": PREMATURE,
}


class Planned(Stubborn):
    """Plays the first card told, and types other lines from the questions of these numbers on.

    Attributes:
        transcript: all that was said, and what was typed.
    """

    def __init__(self, plan: Mapping[int, Sequence[str]]) -> None:
        super().__init__()
        self._plan = plan
        self._lines: list[str] = []
        self._question = 0
        self.transcript = ""

    def __call__(self, heard: str) -> str:
        self._question += 1
        self._lines += self._plan.get(self._question, [])
        answer = self._lines.pop(0) if self._lines else super().__call__(heard)
        self.transcript += f"{heard}> {answer}".rstrip() + "\n"
        return answer


def played(folder: Path, plan: Mapping[int, Sequence[str]], lang: str = "en") -> str:
    """The transcript of a whole deal."""
    person = Planned(plan)
    sitting = sit_down(ONE_DEAL, person, folder, lang=lang, words=Words(lang))
    assert sitting.state is not None
    told_last = sitting.said.rsplit("?\n", 1)[-1]
    return person.transcript + told_last


def kept(folder: Path) -> tuple[Event, ...]:
    """The events of the match that is put away."""
    (path,) = (folder / "played").iterdir()
    return load_record(path).log


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("story", STORIES)
def test_a_whole_deal_is_told_as_it_stands_in_its_golden(
    story: str, lang: str, folder: Path
) -> None:
    text = played(folder, STORIES[story], lang)
    golden = GOLDENS / f"refereed-{story}.{lang}.txt"
    if os.environ.get("VOLTE_REMAKE_GOLDENS"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


# What may be done, and when


def test_I3_a_revoke_is_warned_of_by_nobody(folder: Path) -> None:
    text = played(folder, CLAIMED)
    told = text.split("> .2\n", 1)[1].splitlines()
    assert told[0].startswith("You: ")
    assert told[1] == "Alice: the 9 of clubs"


def test_I4_a_revoke_is_put_right_before_the_trick_is_turned_down(folder: Path) -> None:
    played(folder, PUT_RIGHT)
    (back,) = [each for each in kept(folder) if isinstance(each, TakenBack)]
    assert (back.seat, back.clause) == (0, "I4")
    assert not [each for each in kept(folder) if isinstance(each, RevokeClaimed)]


def test_I4_who_has_put_it_right_plays_lawfully(folder: Path) -> None:
    text = played(folder, {2: [".2", "u", ".2"]})
    assert "> .2\nThe suit led must be followed: clubs. You may play the king of clubs." in text


def test_I5_a_bot_claims_what_the_cards_prove_and_the_deal_stops(folder: Path) -> None:
    played(folder, CLAIMED)
    (claim,) = [each for each in kept(folder) if isinstance(each, RevokeClaimed)]
    assert (claim.against, claim.clause) == (0, "T1")
    (scored,) = [each for each in kept(folder) if isinstance(each, DealScored)]
    assert scored.points == (25, 0, 0, 0)


def test_I9_a_mistaken_claim_is_recorded_and_costs_nothing(folder: Path) -> None:
    text = played(folder, MISTAKEN)
    assert "You claim that Alice revoked in trick 1. That is mistaken, and costs nothing." in text
    assert "> v bruno 9\nThere has been no trick 9 in this deal.\n" in text
    (claim,) = [each for each in kept(folder) if isinstance(each, RevokeClaimed)]
    assert (claim.seat, claim.against, claim.trick, claim.clause) == (0, 1, 1, "")
    (objected,) = [each for each in kept(folder) if isinstance(each, Objected)]
    assert (objected.against, objected.clause) == (2, "")


def test_I2_a_lead_out_of_turn_stands_where_nobody_objects(folder: Path) -> None:
    text = played(folder, PREMATURE)
    assert ", out of your turn\n" in text
    assert not [each for each in kept(folder) if isinstance(each, TakenBack)]


def test_I6_who_cuts_ends_the_claims_and_the_next_deal_is_not_asked_for_twice(folder: Path) -> None:
    said = sit_down(TWO_DEALS, Stubborn(), folder, words=Words("en")).said
    asked = said.index("Enter to let Alice cut for the next deal?")
    assert said.index("Points of deal 1, not yet final: ") < asked < said.index("Deal 1 stands.")
    assert "Enter for the next deal?" not in said
    assert said.count("Enter to accept the scores?") == 1
    accepted = [each.seat for each in kept(folder) if isinstance(each, Accepted)]
    assert sorted(accepted) == [0, 1, 2, 3]


def test_I6_a_revoke_is_claimed_before_the_cut_and_not_after(folder: Path) -> None:
    class Late(Stubborn):
        claims = 0

        def __call__(self, heard: str) -> str:
            cut = "cut for the next deal?" in heard and self.claims == 0
            late = "Deal 2: " in heard and self.claims == 1
            if cut or late:
                self.claims += 1
                return "v chloe 1"
            return super().__call__(heard)

    said = sit_down(TWO_DEALS, Late(), folder, words=Words("en")).said
    claim, late = (
        said.index("You claim that Chloé revoked in trick 1."),
        said.index("No revoke can"),
    )
    assert claim < said.index("Deal 1 stands.") < late


# What is typed


@pytest.mark.parametrize(
    ("line", "key", "about"),
    [
        ("o", RefereeKey.OBJECT, ""),
        ("O Alice", RefereeKey.OBJECT, "Alice"),
        ("contester le chat", RefereeKey.OBJECT, "le chat"),
        ("v alice 4", RefereeKey.REVOKE, "alice 4"),
        ("dénoncer Alice 4", RefereeKey.REVOKE, "Alice 4"),
        ("d", RefereeKey.DOWN, ""),
        ("couper", RefereeKey.CUT, ""),
        ("a", RefereeKey.ACCEPT, ""),
        ("U", RefereeKey.BACK, ""),
        ("d pique", None, ""),
        ("v pique", None, ""),
        ("vp", None, ""),
        ("as", None, ""),
    ],
)
def test_a_line_is_an_act_or_a_card(line: str, key: RefereeKey | None, about: str) -> None:
    assert referee_key_of(line) == (key, about)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("o", "Say whose card, by name or by its place on the table: O Alice, or O 2."),
        ("o 9", "Say whose card, by name or by its place on the table: O Alice, or O 2."),
        ("o zoe", "“zoe” is not one of the others: choose among Alice, Bruno, Chloé."),
        ("v", "Say who revoked, and in which trick: V Alice 4. For a revoke of your own: V 4."),
        (
            "claim alice",
            "Say who revoked, and in which trick: V Alice 4. For a revoke of your own: V 4.",
        ),
        ("v nobody 3", "“nobody” is not one of the others: choose among Alice, Bruno, Chloé."),
        (
            "v bruno 1",
            "Trick 1 is not turned down yet: object to the card, or put your own right.",
        ),
        ("v 1", "Trick 1 is not turned down yet: object to the card, or put your own right."),
        ("u", "You have no revoke to put right in this trick."),
        ("d", "The trick is not full yet: it is turned down once everybody has played."),
        ("k", "No cards are to be cut now."),
        ("a", "No scores are to be accepted now."),
        ("e", "With a referee every card is played: the rest cannot be claimed."),
        ("g", "No trick has been taken yet."),
        ("qs", "You do not hold the queen of spades."),
        ("zz", "“zz” is no card"),
    ],
)
def test_bad_input_is_one_sentence_and_the_question_again(
    line: str, sentence: str, folder: Path
) -> None:
    said = sit_down(ONE_DEAL, Script([".1 .2 .3", line]), folder, words=Words("en")).said
    _, answer, _ = said.split("Your card?\n")
    assert sentence in answer
    assert answer.count("\n") == 1


def test_no_card_is_wanted_once_the_deal_is_over(folder: Path) -> None:
    class Eager(Stubborn):
        typed = False

        def __call__(self, heard: str) -> str:
            if "accept the scores?" in heard and not self.typed:
                self.typed = True
                return "qs"
            return super().__call__(heard)

    said = sit_down(ONE_DEAL, Eager(), folder, words=Words("en")).said
    assert "No card is wanted now: press Enter to go on, or type a key.\n" in said


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_keys_are_those_that_work_at_such_a_table(lang: str) -> None:
    lawful = key_lines(Words(lang), make_ruleset("coeurs"))
    refereed = key_lines(Words(lang), ONE_DEAL)
    letters = {line.partition(":")[0].partition(",")[0].strip("\u00a0") for line in refereed}
    assert {"U", "V", "D", "K", "A", "G"} <= letters
    assert "E" not in letters
    assert len(set(lawful) - set(refereed)) == 2


def test_a_forced_card_is_only_the_last_one_of_the_hand(folder: Path) -> None:
    said = sit_down(ONE_DEAL, Stubborn(), folder, manner=Manner(auto_forced=True)).said
    assert said.count("Only one card may be played.") == 1


def test_a_refereed_match_is_resumed_where_it_was_left(folder: Path) -> None:
    sitting = sit_down(ONE_DEAL, Script([".1 .2 .3", ".2", "q"]), folder, words=Words("en"))
    assert sitting.lines[-1] == "The match is saved. To go on: volte play --resume"
    log = load_record(sitting.match.files[0]).log
    assert not any(isinstance(each, MatchEnded) for each in log)
    assert Card("AD") in [getattr(each, "card", None) for each in log]


class Wild(Stubborn):
    """Types now and then whatever can be typed, wanted or not."""

    LINES = (
        *("o", "o alice", "o 1", "o x", "v", "v bruno 1", "v chloe 14", "claim alice", "u", "d"),
        *("k", "a", "g", "e", "c", "1", "t", "s", "f", "i", ".1", ".5", ".13", "qs", "v pique"),
    )

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._rng = random.Random(seed)
        self._lines = 400

    def __call__(self, heard: str) -> str:
        self._lines -= 1
        if self._lines > 0 and self._rng.random() < 0.4:
            return self._rng.choice(self.LINES)
        return super().__call__(heard)


@pytest.mark.parametrize("players", range(3, 8))
def test_whatever_is_typed_the_match_comes_to_its_end(players: int, folder: Path) -> None:
    rules = make_ruleset("coeurs-table", {"players": players, "match_end": "deals:2"})
    lang = ["fr", "en"][players % 2]
    sitting = sit_down(rules, Wild(players), folder, lang=lang, seed=str(players))
    assert sitting.state is not None
    assert not [line for line in sitting.lines if "{" in line or "None" in line]
    assert kept(folder)
