"""Cards, their texts, and sets of them."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Set

import pytest
from hypothesis import given
from hypothesis import strategies as st

from volte.cards import (
    ALL_CARDS,
    CARDS,
    CLUBS,
    DIAMONDS,
    HEARTS,
    JACK,
    JOKERS,
    PACK_SIZE,
    QUEEN,
    SPADES,
    SUIT_MASKS,
    Card,
    CardFault,
    CardSet,
    Joker,
    Rank,
    Suit,
    cards_in,
    in_first_pack,
    mask_of,
    read_cards,
    twin,
    union,
)

cards = st.sampled_from(CARDS)
masks = st.integers(0, ALL_CARDS)


def test_a_pack_has_52_cards_and_two_jokers() -> None:
    pack = CARDS[:PACK_SIZE]
    assert len(pack) == 54
    assert {(card.suit, card.rank) for card in pack if card.joker is None} == {
        (suit, rank) for suit in Suit for rank in Rank
    }
    assert [card.joker for card in pack[52:]] == [Joker.RED, Joker.BLACK]


def test_there_are_two_packs() -> None:
    assert len(CARDS) == 108
    assert [card.pack for card in CARDS] == [0] * 54 + [1] * 54
    assert [card.text for card in CARDS[54:]] == [card.text + "'" for card in CARDS[:54]]


@given(cards)
def test_every_card_has_a_twin_in_the_other_pack(card: Card) -> None:
    assert (twin(card).suit, twin(card).rank, twin(card).joker) == (
        card.suit,
        card.rank,
        card.joker,
    )
    assert twin(card).pack == 1 - card.pack
    assert twin(twin(card)) is card
    assert in_first_pack(card) is (twin(card) if card.pack else card)


def test_cards_of_both_packs_are_told_pack_by_pack() -> None:
    hand = CardSet("QS' S: AQ C: 2 C': 2 RJ")
    assert str(hand) == "S: AQ C: 2 S': Q C': 2 RJ"
    assert CardSet(str(hand)) == hand
    assert Card("10s’") is Card("TS'")


def test_ranks_run_from_two_to_the_ace() -> None:
    spades = [card for card in CARDS[:54] if card.suit is Suit.SPADES]
    assert "".join(card.text[0] for card in sorted(spades)) == "23456789TJQKA"


@given(cards)
def test_a_card_is_one_object_whatever_it_is_read_from(card: Card) -> None:
    for text in (card.text, card.text.lower(), f"  {card} "):
        assert Card(text) is card
    assert copy.deepcopy(card) is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert repr(card) == f"Card({card.text!r})"
    assert (card.bit, hash(card)) == (1 << card.index, card.index)


@given(st.sampled_from([card for card in CARDS if card.joker is None]))
def test_suit_and_rank_name_a_card(card: Card) -> None:
    assert card.suit is not None
    assert card.rank is not None
    mark = "'" * card.pack
    assert Card.of(card.rank, card.suit, card.pack) is card
    for suit in (card.suit.letter, card.suit.symbol, card.suit.letter.lower()):
        assert Card(f"{card.rank.letter}{suit}{mark}") is card
        assert Card(f"{suit}{card.rank.letter}{mark}") is card


@pytest.mark.parametrize(
    ("text", "card"),
    [
        *[("10h", "TH"), ("♥10", "TH"), ("h10", "TH"), ("♠Q", "QS"), ("Dj", "JD"), ("rj", "RJ")],
        *[("Q♤", "QS"), ("♧2", "2C"), ("10♢", "TD"), ("♡k", "KH")],
        *[("Q♠\ufe0f", "QS"), ("♣\ufe0f2", "2C"), ("10♦\ufe0e", "TD"), ("♥\ufe0fk’", "KH'")],
    ],
)
def test_texts_that_people_type(text: str, card: str) -> None:
    assert Card(text) is Card(card)
    assert (Card("♠Q"), Card("jd")) == (QUEEN, JACK)


def test_hands_are_told_by_any_signs_for_the_suits() -> None:
    hand = CardSet("S: AQ2 H: K D: T C: 75")
    for text in ("♠: AQ2 ♥: K ♦: 10 ♣: 75", "♤: AQ2 ♡:K ♢:T ♧:75", "♠️: AQ2 ♥️: K ♦️: T ♣️: 75"):
        assert CardSet(text) == hand


@pytest.mark.parametrize(
    "text", ["", " ", "S", "Q", "1S", "11S", "QX", "QS''", "QSS", "JJ", "♠", "\0"]
)
def test_what_names_no_card_is_a_fault(text: str) -> None:
    with pytest.raises(CardFault) as fault:
        Card(text)
    assert (fault.value.reason, fault.value.params) == ("no_such_card", {"text": text})


@given(st.text(max_size=6) | st.text("CDSHTJQKA0123456789':,♠♥ RB", max_size=9))
def test_any_text_is_cards_or_a_fault(text: str) -> None:
    try:
        found = read_cards(text)
    except CardFault as fault:
        reason, found = fault.reason, ()
        assert reason in {"no_such_card", "card_twice"}
    assert len(set(found)) == len(found)


def test_a_card_does_not_change() -> None:
    with pytest.raises(AttributeError):
        QUEEN.rank = Rank.KING


# Masks and sets


@given(st.sets(cards))
def test_a_mask_and_its_cards_are_one(some: set[Card]) -> None:
    mask = mask_of(some)
    assert list(cards_in(mask)) == sorted(some)
    assert CardSet(mask) == CardSet(some)
    assert set(CardSet(mask)) == some
    assert len(CardSet(mask)) == mask.bit_count() == len(some)


def test_suits_and_jokers_make_up_all_the_cards() -> None:
    assert SUIT_MASKS == (CLUBS, DIAMONDS, SPADES, HEARTS)
    assert union((*SUIT_MASKS, JOKERS)) == ALL_CARDS
    assert CLUBS + DIAMONDS + SPADES + HEARTS + JOKERS == ALL_CARDS


@given(masks, masks)
def test_a_card_set_is_a_set(one: int, other: int) -> None:
    assert CardSet(one) | CardSet(other) == CardSet(one | other)
    assert CardSet(one) & CardSet(other) == CardSet(one & other)
    assert CardSet(one) - CardSet(other) == CardSet(one & ~other)
    assert (CardSet(one) <= CardSet(other)) == (not one & ~other)
    assert (hash(CardSet(one)) == hash(CardSet(other))) or one != other
    assert (Card("QS") in CardSet(one)) == bool(one & QUEEN.bit)
    assert CardSet(one).of(Suit.SPADES).mask == one & SPADES


def test_a_set_equals_other_sets_of_its_cards_and_is_found_among_them() -> None:
    plain: Set[Card] = frozenset(read_cards("QS 2C"))
    assert CardSet("QS 2C") == plain
    assert CardSet("QS 2C") in {plain}


def test_a_fault_can_be_copied_and_sent_to_another_process() -> None:
    fault = CardFault("no_such_card", text="1X")
    for again in (copy.copy(fault), pickle.loads(pickle.dumps(fault))):
        assert (type(again), again.reason, again.params) == (CardFault, fault.reason, fault.params)
        assert str(again).startswith("“1X” is not a card: write rank and suit, ")


def test_a_set_holds_nothing_but_cards() -> None:
    others: list[object] = ["QS", None, QUEEN.index]
    assert not any(CardSet(ALL_CARDS).__contains__(other) for other in others)


@given(masks)
def test_a_set_is_read_back_from_what_it_says(mask: int) -> None:
    assert CardSet(str(CardSet(mask))).mask == mask


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2s as qs kh", "S: AQ2 H: K"),
        ("S: AQ2 H: K", "S: AQ2 H: K"),
        ("C:2 D:3", "D: 3 C: 2"),
        ("H: 10 9, BJ RJ", "H: T9 RJ BJ"),
        ("QS' QS", "S: Q S': Q"),
        ("", ""),
    ],
)
def test_cards_as_people_write_them(text: str, written: str) -> None:
    assert str(CardSet(text)) == written
    assert repr(CardSet(text)) == f"CardSet({written!r})"


def test_cards_keep_the_order_in_which_they_are_written() -> None:
    assert read_cards("QS 2C RJ AH") == (Card("QS"), Card("2C"), Card("RJ"), Card("AH"))


@pytest.mark.parametrize("text", ["QS QS", "S: QQ", "QS 2C ♠q"])
def test_a_card_written_twice_is_a_fault(text: str) -> None:
    with pytest.raises(CardFault) as fault:
        read_cards(text)
    assert (fault.value.reason, fault.value.params) == ("card_twice", {"card": QUEEN})
