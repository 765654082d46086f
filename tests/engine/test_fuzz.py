"""Whatever is typed, the engine answers by lines and goes on."""

from __future__ import annotations

from engine.sessions import session, told
from hypothesis import given
from hypothesis import strategies as st
from kit.strategies import any_rulesets

from volte.cards import CARDS
from volte.engine import EngineSession
from volte.engine.language import rules_line
from volte.engine.session import FORMS
from volte.rules import OPTIONS, PRESETS, Ruleset
from volte.view import View

SENSE = [
    *FORMS,
    *PRESETS,
    *(f"{name}={value}" for name, option in OPTIONS.items() for value in option.values),
    *(card.text for card in CARDS[:56]),
    *map(str, range(11)),
    *[
        "seat",
        "number",
        "dealer",
        "pass",
        "hold",
        "left",
        "right",
        "hand",
        "moon",
        "slam",
        "minus",
        "plus",
        "trickless",
        "scatter",
        "pot",
        "movetime",
        "simulations",
    ],
    *["level", "seed", "none", "casual", "beginner", "random", "play", "go"],
]
NONSENSE = [
    "",
    "\0",
    "-1",
    "9" * 5000,
    "١٢",
    "{x}",
    "%s",
    "QS''",
    "S:",
    "AA:",
    "#",
    "\x1b[2J",
    "\ud800",
]
words = st.sampled_from(SENSE) | st.sampled_from(NONSENSE) | st.text(max_size=5)
lines = st.builds(
    lambda first, others: " ".join([first, *others]), st.sampled_from(SENSE), st.lists(words)
)
forms = st.sampled_from(sorted(FORMS.values()))
MICROSOFT = [
    "match seat 2",
    "deal dealer 1 pass left hand S: AQ2 H: K53 D: T98 C: 8765",
    "pass AS QS KH",
    "receive 2H 4H 6H",
    "play 4 2C 1 3C",
    "play 2 5C 3 4C",
    "play 2 2S",
]


def check(heard: EngineSession, line: str) -> None:
    before = heard.view, heard.rules, heard.settings
    answer = heard.hear(line)
    for said in answer:
        assert len(said.splitlines()) == 1
        assert said.split(" ")[0] in {
            *("volte", "id", "option", "ready", "readyok"),
            *("estimate", "info", "choose", "error"),
        }
    if any(said.startswith("error") for said in answer):
        assert len(answer) == 1
        assert not answer[0].startswith("error bot_failed")
        assert (heard.view, heard.rules, heard.settings) == before
    if heard.view is not None:
        assert isinstance(heard.view, View)
        assert heard.view.state.deal is None or heard.view.consistent


@given(st.lists(lines | forms | st.text(), max_size=20), st.integers(0, len(MICROSOFT)))
def test_nothing_that_is_typed_stops_the_engine(typed: list[str], place: int) -> None:
    heard = told(*MICROSOFT[:place])
    for line in typed:
        if line.split()[:2] != ["set", "level"]:  # a level may take its time
            check(heard, line)


@given(
    any_rulesets(),
    st.lists(st.permutations(list(CARDS)), max_size=3),
    st.data(),
)
def test_shuffled_words_of_a_position_are_answered(
    rules: Ruleset, packs: list[list[object]], data: st.DataObject
) -> None:
    heard = told(rules_line(rules), "match seat 3", to=session())
    for pack in packs:
        hand = " ".join(map(str, pack[: rules.hand_size]))
        check(heard, f"deal dealer 1 hand {hand}")
        for word in ("pass", "receive", "lead 1", "play", "kitty", "score", "moon 1", "lots", "go"):
            count = data.draw(st.integers(0, 5))
            check(heard, f"{word} {' '.join(map(str, pack[-count:] if count else []))}")
