"""Keys and cards as they are typed."""

import pytest

from volte.cards import Card, Fault
from volte.console.keys import Key, RefereeKey, TypedWord, key_of
from volte.say import Words
from volte.say.typed import read_answer
from volte.terminal.talking import TableKey, TalkKey

HAND = tuple(map(Card, ("KC", "QS", "AS", "TH", "2H")))


def read(line: str, lang: str = "en") -> str:
    words = Words(lang)
    return " ".join(map(str, read_answer(line, HAND, lambda name: words.read_card(name, HAND))))


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("C", Key.TABLE),
        ("S", Key.SCORES),
        ("T", Key.TURN),
        *((str(number), number) for number in range(1, 10)),
        ("0", 10),
    ],
)
def test_K1_the_keys_of_the_playroom(line: str, key: Key | int) -> None:
    assert key_of(line) == key_of(f" {line.lower()} ") == key


def test_K1_a_digit_is_never_a_place() -> None:
    assert key_of("3") == 3
    assert key_of(".3") is None
    assert read(".3") == "AS"


def test_our_keys_stand_beside_those_of_K1_and_none_is_a_digit() -> None:
    assert not any(word.isdigit() for word in words_of(Key))
    assert [key.letter for key in Key] == list("CSTHLPFRIEBNYUJ?Q")


def words_of(*keys: type[TypedWord]) -> list[str]:
    return [word for each in keys for key in each for word in key.value]


def test_no_word_means_two_keys() -> None:
    words = words_of(Key, TableKey, TalkKey)
    assert len(set(words)) == len(words)
    assert not {*words_of(TalkKey)} & {*words_of(RefereeKey)}


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("keys", [Key, TableKey, TalkKey])
def test_no_key_is_a_card(keys: type[TypedWord], lang: str) -> None:
    for word in words_of(keys):
        assert keys.of(f" {word.upper()} ") is not None
        with pytest.raises(Fault):
            Words(lang).read_card(word, HAND)


@pytest.mark.parametrize(
    ("line", "key"),
    [("main", Key.HAND), ("Règles", Key.RULES), ("DERNIÈRE", Key.LAST), ("quit", Key.QUIT)],
)
def test_keys_can_be_said_in_words(line: str, key: Key) -> None:
    assert key_of(line) is key


@pytest.mark.parametrize(
    ("line", "cards"),
    [
        ("qs", "QS"),
        ("♠Q", "QS"),
        ("queen of spades", "QS"),
        ("qs as 10h", "QS AS TH"),
        ("qs, as, 10h", "QS AS TH"),
        ("queen of spades ace of spades and 10h", "QS AS TH"),
        (".1 .3 .5", "KC AS 2H"),
        (".1.3.5", "KC AS 2H"),
        (".1,.3, .5", "KC AS 2H"),
        (".2 and 10h", "QS TH"),
    ],
)
def test_cards_by_name_or_by_place(line: str, cards: str) -> None:
    assert read(line) == cards


@pytest.mark.parametrize(
    ("line", "cards"),
    [
        ("dp", "QS"),
        ("dame de pique", "QS"),
        ("la dame de pique et l’as de pique", "QS AS"),
        ("dp ap 10c", "QS AS TH"),
        ("dame de pique, .4", "QS TH"),
    ],
)
def test_cards_in_french(line: str, cards: str) -> None:
    assert read(line, "fr") == cards


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (".0", "no_such_place"),
        (".6", "no_such_place"),
        ("qs zz", "no_such_card"),
        ("zz", "no_such_card"),
        (".", "no_such_card"),
        ("queen", "no_such_card"),
    ],
)
def test_what_names_no_card(line: str, reason: str) -> None:
    with pytest.raises(Fault) as caught:
        read(line)
    assert caught.value.reason == reason
