"""Names that are allowed, signs that are dropped from them, and names that look alike."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from kit.names import CYRILLIC, FLAG, NOTHING_TO_SEE, PILED, REAL, UNFIT

from volte.game import MatchStarted, Player
from volte.names import LONGEST_NAME, NameFault, clean_name, clean_text, distinct_name, looks
from volte.notation import format_record, parse_record
from volte.rules import make_ruleset
from volte.say import Words
from volte.scorekeeper.model import (
    Open,
    Sheet,
    SheetFault,
    decide,
    fold,
    names_typed,
    parse_sheet,
    to_record,
)

JOINING = "\u200c\u200d\ufe0e\ufe0f\u094d\u0308\u20e3"
EMOJI = "\u2764\U0001f469\U0001f3fd\U0001f680\U0001f3f4"
INVISIBLE = "\u00ad\u034f\u115f\u2800\u3164\uffa0\u200b\u2060\ufeff\U000e0067\U000e007f"
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

tricky = st.text(
    st.sampled_from(f"Ab1 \u00a0\u3000\u0410\u0915\u0645{JOINING}{EMOJI}{INVISIBLE}"), max_size=12
)
typed = st.one_of(tricky, st.text(max_size=12), st.sampled_from([*REAL.values()]))


def cleaned(text: str) -> str:
    """A clean name; examples of texts that make none are left out."""
    try:
        return clean_name(text)
    except NameFault:
        assume(False)
        raise


names = typed.map(cleaned)


@pytest.mark.parametrize("name", REAL.values(), ids=REAL)
def test_real_names_stay_as_they_are(name: str) -> None:
    assert clean_name(f" {name}\u3000") == name
    assert clean_text(name) == name


@pytest.mark.parametrize("text", NOTHING_TO_SEE.values(), ids=NOTHING_TO_SEE)
def test_a_name_has_something_to_see(text: str) -> None:
    with pytest.raises(NameFault) as caught:
        clean_name(text)
    assert caught.value.reason == "bad_name"
    assert "at least one of them visible" in Words("en").fault(caught.value)


@pytest.mark.parametrize("sign", UNFIT)
def test_the_fault_names_the_sign_that_does_not_go(sign: str) -> None:
    for lang in ("en", "fr"):
        with pytest.raises(NameFault) as caught:
            clean_name(UNFIT[sign])
        assert sign in Words(lang).fault(caught.value)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Anne \t Marie\u2800\u00a0", "Anne Marie"),
        ("\u200dAn\u00adne\u200b\ufe0f", "Anne"),
        ("Anne \u200d Marie", "Anne Marie"),
        ("1\ufe0f\u200d2", "12"),
        ("a\u200d\u200db", "a\u200db"),
        (f"a{FLAG[1:]}", "a"),
        ("\u2764\ufe0f\ufe0f", "\u2764\ufe0f"),
        ("\u2764\u200da", "\u2764a"),
    ],
)
def test_what_nobody_would_see_is_dropped(text: str, name: str) -> None:
    assert clean_name(text) == name


def test_forty_signs_are_counted_after_cleaning() -> None:
    most = "x" * LONGEST_NAME
    assert clean_name(f"{most}\u200b ") == most
    with pytest.raises(NameFault):
        clean_name(f"{most}x")


# Laws


@given(names)
def test_cleaning_a_clean_name_changes_nothing(name: str) -> None:
    assert clean_name(name) == name


@given(typed)
def test_cleaning_a_clean_text_changes_nothing(text: str) -> None:
    try:
        once = clean_text(text)
    except NameFault:
        assume(False)
        raise
    assert clean_text(once) == once


@given(names)
def test_what_passes_can_be_seen(name: str) -> None:
    seen = [sign for sign in name if unicodedata.category(sign)[0] in "LNPS"]
    assert set(seen) - set(INVISIBLE)
    assert name == " ".join(name.split())
    assert len(name) <= LONGEST_NAME


@given(names, st.integers(0, LONGEST_NAME), st.sampled_from(BIDI))
@example(FLAG, 1, "\u061c")
def test_a_sign_that_turns_the_writing_is_dropped(name: str, place: int, sign: str) -> None:
    assert clean_name(name[:place] + sign + name[place:]) == name


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("between", ["", "\u200d", "\u034f", "\u200e"])
def test_UTS_39_no_letter_carries_more_than_four_marks(between: str, lang: str) -> None:
    four = between.join("\u0301\u0323\u0308\u0332")
    clean_name(f"a{four}b{four}")
    for most in (f"{four}{between}\u0307", PILED):
        with pytest.raises(NameFault) as caught:
            clean_name(f"Anne {most}")
        assert caught.value.reason == "too_many_marks"
        assert " 4 " in Words(lang).fault(caught.value)


def opened(players: tuple[str, ...]) -> Sheet:
    outcome = decide(None, Open(make_ruleset("coeurs-moyenne"), players))
    assert not isinstance(outcome, SheetFault)
    return fold([outcome])


def test_no_letter_of_a_title_of_a_sheet_carries_more_than_four_marks() -> None:
    act = Open(make_ruleset("coeurs-moyenne"), ("A", "B", "C", "D"), title=f"Friday {PILED}")
    outcome = decide(None, act)
    assert isinstance(outcome, SheetFault)
    assert (outcome.reason, outcome.field) == ("too_many_marks", "title")


@given(names)
@example(REAL["a flag"])
@example(REAL["Persian, with a non-joiner"])
def test_a_name_comes_back_from_a_record_and_from_a_score_sheet(name: str) -> None:
    others = [distinct_name(other, [name]) for other in ("Bob", "Cleo", "Dora")]
    players = (Player(name, person=True), *map(Player, others))
    log = [MatchStarted(make_ruleset("coeurs"), players)]
    assert parse_record(format_record(log)).log[0] == log[0]
    typed = names_typed([name, *others])
    assert typed[0] == name
    sheet = opened(typed)
    assert sheet.names[0] == name
    assert parse_sheet(to_record(sheet)).names == sheet.names


# Likeness


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anne", CYRILLIC),
        ("Anne", "ANNE"),
        ("Anne", "\uff21nne"),
        ("Anne", "An\u200dne"),
        ("Zo\u00eb", "Zoe\u0308"),
        ("Paul", "PauI"),
        ("mom", "rnorn"),
        ("Straße", "STRASSE"),
        ("ΣΑΣ", "σας"),
    ],
)
def test_names_that_look_alike_are_told_apart(one: str, other: str) -> None:
    assert distinct_name(other, [one]) == f"{other} 2"
    assert distinct_name(one, [other, f"{one} 2"]) == f"{one} 3"


@pytest.mark.parametrize(
    ("one", "other"), [("Anne", "Anna"), ("Zoë", "Zoe"), ("Anne", "Anne 2"), ("ا", "ب")]
)
def test_other_names_stay(one: str, other: str) -> None:
    assert distinct_name(other, [one]) == other


@given(st.lists(names, min_size=2, max_size=6))
def test_no_two_at_one_table_look_alike(coming: list[str]) -> None:
    seated: list[str] = []
    for name in coming:
        seated.append(distinct_name(name, seated))
    for place, name in enumerate(seated):
        assert all(looks(name).isdisjoint(looks(other)) for other in seated[:place])


@given(names)
def test_a_name_looks_like_itself_in_whatever_form(name: str) -> None:
    for form in ("NFC", "NFD"):
        assert looks(name) & looks(unicodedata.normalize(form, name))
