"""A person at a table of the wider family: scatters, choices, partners, and cards of two packs."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path
from typing import Final

import pytest
from kit.terminals import Answer, Keyboard, Script, Stubborn, only_log, sit_down
from rulesets import PACK

from volte.cards import read_cards
from volte.console.files import Shelf
from volte.console.keys import key_lines
from volte.console.options import SymbolWords
from volte.console.person import PlayStyle
from volte.console.terminal import Console, Quit
from volte.game import DealScored, MoonShot, Passed, Phase, Played
from volte.notation import load_record
from volte.rules import Ruleset, Value, make_ruleset
from volte.say import Words
from volte.terminal.table import LocalTable, resumed_match

NBSP: Final = "\u00a0"
SCATTER: Final = make_ruleset("coeurs", {"pass_cycle": ["scatter"]})
CANCELLATION: Final = make_ruleset("cancellation", {"players": 10, "match_end": "deals:1"})


def tiny(**options: Value) -> Ruleset:
    """Two tricks and one heart: whoever takes it has shot the moon."""
    kept = read_cards("AH AC KC QC JC TC")
    return make_ruleset(
        "coeurs",
        {
            "players": 3,
            "removed": [card.text for card in PACK if card not in kept],
            "pass_count": 0,
            "moon": "shooter_chooses",
            "match_end": "deals:12",
            **options,
        },
    )


TINY: Final = tiny()


def asked_at(question: str, *lines: str) -> Answer:
    """Types these lines at the first questions that begin so, and else as `Stubborn` does."""
    waiting, stubborn = list(lines), Stubborn()

    def answer(heard: str) -> str:
        if waiting and heard.rstrip().rsplit("\n", 1)[-1].startswith(question):
            return waiting.pop(0)
        return stubborn(heard)

    return answer


# The pass


@pytest.mark.parametrize(
    ("lang", "question", "told"),
    [
        ("en", "Your 3 cards, in this order: to Alice, to Bruno and to Chloé?", "You pass the "),
        (
            "fr",
            "Vos 3 cartes, dans cet ordre\u00a0: à Alice, à Bruno et à Chloé\u00a0?",
            "Vous passez ",
        ),
    ],
)
def test_W1_a_scatter_goes_round_in_the_order_typed(
    lang: str, question: str, told: str, folder: Path
) -> None:
    sitting = sit_down(SCATTER, Script([".1 .2", ".3 .1 .2", "q"]), folder, lang=lang)
    assert sitting.said.count(question) == 2
    (line,) = (line for line in sitting.lines if line.startswith(told))
    assert re.search(r"Alice,? .*Bruno (and|et) .*Chloé\.$", line)
    (mine,) = (e for e in only_log(folder) if isinstance(e, Passed) and e.seat == 0)
    assert mine.cards is not None
    assert list(mine.cards) != sorted(mine.cards)


def test_W1_a_hint_can_be_typed_as_it_is_told(folder: Path) -> None:
    sitting = sit_down(SCATTER, Script(["i"]), folder)
    assert re.search(
        r"^Pass the .* to Alice, the .* to Bruno and the .* to Chloé: ", sitting.said, re.M
    )


# The moon


@pytest.mark.parametrize(
    ("lang", "question", "choices", "please", "better"),
    [
        ("en", "Minus (M) or plus (+)?", ("minus", "plus"), "Type minus to take", "Better: "),
        (
            "fr",
            f"Moins (M) ou plus (+){NBSP}?",
            ("m", "+"),
            f"Tapez «{NBSP}moins{NBSP}» pour retirer",
            f"Plutôt{NBSP}: ",
        ),
    ],
)
def test_W7_the_moon_is_chosen_and_nothing_goes_without_saying(
    lang: str, question: str, choices: tuple[str, str], please: str, better: str, folder: Path
) -> None:
    answer = asked_at(question[:5], "", "qs", "1", "i", *choices)
    sitting = sit_down(TINY, answer, folder, lang=lang)
    assert sitting.state is not None
    told = sitting.said.split(question + "\n")
    assert [part.startswith(please) for part in told[1:4]] == [True, True, False]
    assert told[4].startswith(f"{better}1 point")
    scored = [
        after.minus
        for before, after in zip(only_log(folder), only_log(folder)[1:], strict=False)
        if isinstance(before, MoonShot) and before.seat == 0 and isinstance(after, DealScored)
    ]
    assert scored[:2] == [True, False]


def test_W7_a_match_left_in_the_middle_of_the_choice_goes_on_there(folder: Path) -> None:
    left = sit_down(TINY, asked_at("Minus", "q"), folder)
    assert left.state is None
    state = load_record(left.match.files[0]).state
    assert state.phase is Phase.CHOOSING
    told = resume(folder, Script(["t", "m"])).splitlines()
    assert told[:3] == [
        f"The match goes on: deal {len(state.deals) + 1} is played, and a moon is to be counted.",
        "You are to choose how your moon counts.",
        "You choose how it counts.",
    ]
    assert told[3].startswith("Minus: 1 point off your own points. Totals then: ")
    assert "You take 1 point off your own." in told


def resume(folder: Path, answer: Answer) -> str:
    screen = StringIO()
    table = LocalTable(
        Words("en"), Console(Keyboard(answer, screen), screen), PlayStyle(), Shelf(folder)
    )
    with pytest.raises(Quit):
        table.play(resumed_match(None, table))
    return screen.getvalue()


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_W7_with_a_referee_the_choice_comes_before_the_cut(seed: str, folder: Path) -> None:
    sitting = sit_down(tiny(irregularities="refereed"), Stubborn(), folder, seed=seed)
    assert sitting.state is not None
    for told in sitting.said.split("Minus (M) or plus (+)?\n")[1:]:
        assert told.startswith("You take 1 point off your own.\nPoints of deal ")
    chooses = re.findall(r"chooses? how it counts\.\n.*", sitting.said)
    assert len(chooses) == 12
    assert all("Enter" not in line for line in chooses)


# Two packs


def test_W11_a_card_typed_is_whichever_of_two_equal_ones_the_hand_has(folder: Path) -> None:
    """Every card is typed by the name by which it is advised."""

    class Advised(Stubborn):
        def __call__(self, heard: str) -> str:
            advice = re.search(r"^Play the (.*?): ", heard, re.M)
            if advice:
                return advice[1]
            asked = re.search(r"Your (card|lead)\?\n\Z", heard)
            return "i" if asked else super().__call__(heard)

    sitting = sit_down(CANCELLATION, Advised(), folder)
    assert sitting.state is not None
    mine = [each.card for each in only_log(folder) if isinstance(each, Played) and each.seat == 0]
    assert {card.pack for card in mine} == {0, 1}


def test_W11_two_equal_cards_are_passed_by_naming_the_card_twice(folder: Path) -> None:
    rules = make_ruleset("cancellation", {"players": 6, "pass_count": 2, "pass_cycle": ["left"]})
    for seed in map(str, range(20)):
        heard = sit_down(rules, Script([]), folder / seed, seed=seed).said
        pair = re.search(r"^(\w+): .*?two (\w+)s\u00a0\(\.\d+, ", heard, re.M)
        if pair:
            break
    assert pair is not None
    name = f"{pair[2]} of {pair[1].lower()}"
    sitting = sit_down(rules, Script([f"{name}, {name}", "q"]), folder / "again", seed=seed)
    assert f"You pass the two {pair[2]}s of {pair[1].lower()} to Alice.\n" in sitting.said
    (mine,) = (e for e in only_log(folder / "again") if isinstance(e, Passed) and e.seat == 0)
    assert mine.cards is not None
    assert [card.pack for card in mine.cards] == [0, 1]
    place = re.search(r"\(\.\d+, (\.\d+)\)", sitting.said)
    assert place is not None
    again = sit_down(rules, Script([f"{place[1]} {place[1]}"]), folder / "twice", seed=seed)
    assert f"You have named the {name} twice: name each card once.\n" in again.said


def test_K1_the_key_0_tells_the_tenth_card(folder: Path) -> None:
    sitting = sit_down(CANCELLATION, asked_at("Your", "0", "9"), folder)
    assert re.search(r"^Only \d cards? (is|are) on the table\.$|^No card is on", sitting.said, re.M)
    assert key_lines(Words("en"), CANCELLATION)[2] == (
        "C: the cards on the table. 1 to 9, and 0 for the tenth: one of them."
    )
    assert len(sitting.match.players) == 10
    assert len({player.name for player in sitting.match.players}) == 10


# Partners


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "You play with Bruno; Alice and Chloé play together."),
        ("fr", "Vous jouez avec Bruno\u00a0; Alice et Chloé jouent ensemble."),
    ],
)
def test_W10_partners_are_told_before_the_first_deal(lang: str, line: str, folder: Path) -> None:
    sitting = sit_down(make_ruleset("partnership"), Script([]), folder, lang=lang)
    assert sitting.lines[1] == line


def test_W11_symbols_show_two_equal_cards_side_by_side(folder: Path) -> None:
    named = sit_down(CANCELLATION, Stubborn(), folder / "named", lang="fr")
    shown = sit_down(CANCELLATION, Stubborn(), folder / "shown", words=SymbolWords("fr"))
    assert named.state == shown.state
    assert len(named.lines) == len(shown.lines)
    pairs = re.findall(r"^Les deux (.*) s’annulent\.$", named.said, re.M)
    assert len(pairs) > 5
    assert len(re.findall(r"^(\S+) \1 s’annulent\.$", shown.said, re.M)) == len(pairs)
