"""Keys and cards as they are typed."""

from collections.abc import Callable
from pathlib import Path

import pytest
from kit.laws import cells, read_laws
from kit.spoken import EVERY

from volte.cards import Card, VolteError
from volte.console.keys import act_key_of, key_of
from volte.say import Words
from volte.say.keys import ON_PAGE, Key, TypedWord
from volte.say.typed import read_answer
from volte.scorekeeper.terminal.keys import ScoreKey
from volte.terminal.talking import TalkKey, talk_of

HAND = tuple(map(Card, ("KC", "QS", "AS", "TH", "2H")))
TABLES = read_laws(Path(__file__).with_name("keys.txt"))


def name(found: TypedWord | int | None) -> str:
    return found.name if isinstance(found, TypedWord) else str(found or "")


def name_and_rest(found: tuple[TypedWord | None, str]) -> str:
    return f"{name(found[0])} | {found[1]}"


def cards(line: str, lang: str = "en") -> str:
    words = Words(lang)
    try:
        found = read_answer(line, HAND, lambda name: words.read_card(name, HAND))
    except VolteError as fault:
        return fault.reason
    return " ".join(map(str, found))


READERS: dict[str, Callable[[str], str]] = {
    "K1 keys of a table": lambda line: name(key_of(line)),
    "I4 acts": lambda line: name_and_rest(act_key_of(line)),
    "talk": lambda line: name_and_rest(talk_of(line)),
    "K1 keys of the score-keeper": lambda line: name(ScoreKey.of(line)),
    "cards out of KC QS AS TH 2H": cards,
    "cards in French": lambda line: cards(line, "fr"),
}


@pytest.mark.parametrize("title", READERS)
def test_what_is_read_of_a_typed_line(title: str) -> None:
    for row in TABLES[title]:
        line, *expected = cells(row)
        assert cells(READERS[title](line)) == expected, line
    assert set(TABLES) == set(READERS)


def test_a_semicolon_begins_talk_and_no_line_is_none() -> None:
    """In `keys.txt` neither could be written."""
    assert talk_of("; hello") == (TalkKey.SAY, "hello")
    assert talk_of(" ;") == (TalkKey.SAY, "")
    assert talk_of("") == (None, "")


def test_K1_letters_may_be_small_and_stand_between_spaces() -> None:
    for line, expected in map(cells, TABLES["K1 keys of a table"]):
        assert name(key_of(f" {line.lower()} ")) == expected


def test_our_keys_stand_beside_those_of_K1_and_none_is_a_digit() -> None:
    assert not any(word.isdigit() for word in words_of(Key))
    assert [key.letter for key in Key if key.own] == list("CSTGHLPFRIMW?EBNYDUOVKA")


def test_a_letter_twice_belongs_to_a_letter_of_the_page() -> None:
    doubles = [key for key in Key if key.sort in ON_PAGE and not key.own]
    assert [key.letter for key in doubles] == ["LL", "MM", "WW", "GG", "FF", "BB", "NN", "YY"]
    assert all(key.single is not None and key.single.own for key in doubles)


def words_of(*keys: type[TypedWord]) -> list[str]:
    return [word for each in keys for key in each for word in key.value]


def test_no_word_means_two_keys_but_that_of_inviting_which_may_take_a_name() -> None:
    words = words_of(Key, TalkKey)
    double = {word for word in words if words.count(word) > 1}
    assert double == set(TalkKey.INVITE.value)


@pytest.mark.parametrize("lang", EVERY)
@pytest.mark.parametrize("keys", [Key, TalkKey])
def test_no_key_is_a_card(keys: type[TypedWord], lang: str) -> None:
    for word in words_of(keys):
        assert keys.of(f" {word.upper()} ") is not None
        with pytest.raises(VolteError):
            Words(lang).read_card(word, HAND)
