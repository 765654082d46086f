"""The page about fair dealing quotes the test vectors as they are, and they are true."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from volte.cards import CARDS, Card
from volte.fair import House, Verdict, commit, commit_bytes
from volte.fair.verify import verify_deal
from volte.game import Committed, Contributed, Dealt, Promised, Revealed
from volte.notation import load_record, prove_record

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "fair.md").read_text(encoding="utf-8")
RECORD = load_record(ROOT / "tests" / "record" / "goldens" / "promised.volte")

Block = dict[str, str]


def blocks() -> list[Block]:
    """The blocks of "key: value" lines on the page."""
    parts = PAGE.split("\n```\n")[1::2]
    return [dict(line.split(": ", 1) for line in part.splitlines()) for part in parts]


BETWEEN = blocks()[1:]
FIRST = BETWEEN[0]


def test_D3_the_page_quotes_the_first_vector() -> None:
    quoted = PAGE.split("```")[1].strip().splitlines()
    vectors = (ROOT / "tests" / "fair" / "vectors.txt").read_text(encoding="utf-8").splitlines()
    assert len(quoted) == 8
    assert set(quoted) <= set(vectors)


def test_D3_the_page_has_two_deals_between_machines() -> None:
    assert [block["deal"] for block in BETWEEN] == ["1", "2"]


def seats(block: Block, what: str) -> dict[int, bytes]:
    """The values of that name by seat, without those that are absent."""
    prefix = f"{what} of seat "
    return {
        int(key.removeprefix(prefix)): bytes.fromhex(value)
        for key, value in block.items()
        if key.startswith(prefix) and value != "absent"
    }


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


def of_house(block: Block) -> list[int]:
    return numbers(block["house seats"])


def before(block: Block) -> bytes:
    return bytes.fromhex(block["previous"].removeprefix("none"))


@pytest.mark.parametrize("block", BETWEEN, ids=lambda block: f"deal {block['deal']}")
def test_D3_the_deals_between_machines_are_what_the_code_makes(block: Block) -> None:
    number, house = int(block["deal"]), House(bytes.fromhex(FIRST["master"]))
    own = house.contributions(number, of_house(block))
    given_ = seats(block, "bytes")
    promises = seats(block, "promise")
    assert house.secret(number).hex() == block["secret"]
    assert {seat: given_[seat] for seat in own} == own
    made = house.commitment(number, of_house(block), before(block))
    assert made.digest.hex() == block["commitment"]
    assert commit(number, bytes.fromhex(block["secret"]), own, before(block)) == made
    assert promises.keys() == set(range(4)) - own.keys()
    for seat in promises.keys() & given_.keys():
        assert commit_bytes(number, seat, given_[seat]) == promises[seat]
    order = house.order(number, given_, 52)
    assert list(order) == numbers(block["order"])
    pack = [card for card in CARDS[:54] if card.joker is None]
    assert [pack[place] for place in order] == [Card(text) for text in block["deck"].split()]


@pytest.mark.parametrize("block", BETWEEN, ids=lambda block: f"deal {block['deal']}")
def test_D3_the_deals_between_machines_hold_before_the_sceptic_s_check_alone(block: Block) -> None:
    def verdict(**other: object) -> Verdict:
        known: dict[str, object] = {
            "secret": bytes.fromhex(block["secret"]),
            "contributions": seats(block, "bytes"),
            "house_seats": of_house(block),
            "hands": [{place} for place in numbers(block["order"])],
            "promises": seats(block, "promise"),
            "previous": (int(block["deal"]) - 1, before(block)),
        }
        digest = bytes.fromhex(block["commitment"])
        return verify_deal(int(block["deal"]), digest, **(known | other))  # type: ignore[arg-type]

    assert verdict() is Verdict.PROVED
    assert verdict(promises={}) is Verdict.PROMISE_BROKEN
    assert verdict(contributions={0: bytes(16)}) is Verdict.REVEAL_MISSING
    changed = seats(block, "bytes") | {0: bytes(16)}
    assert verdict(contributions=changed) is Verdict.PROMISE_BROKEN


def test_D3_nobody_chose_the_values_between_machines() -> None:
    assert FIRST["master"] == sha256(b"Volte, master").hexdigest()
    for block in BETWEEN:
        for seat, share in seats(block, "bytes").items():
            if seat not in of_house(block):
                sentence = f"Volte, share of seat {seat} in deal {block['deal']}"
                assert share == sha256(sentence.encode()).digest()[:16]


def test_D3_the_record_has_the_values_of_the_page() -> None:
    told: list[Block] = []
    for event in RECORD.log:
        match event:
            case Committed():
                told.append({"deal": str(event.number), "commitment": event.digest.hex()})
                told[-1]["house seats"] = " ".join(map(str, event.house))
            case Promised():
                assert event.digest is not None
                told[-1][f"promise of seat {event.seat}"] = event.digest.hex()
            case Contributed():
                said = "absent" if event.data is None else event.data.hex()
                told[-1][f"bytes of seat {event.seat}"] = said
            case Revealed():
                told[event.number - 1]["secret"] = event.secret.hex()
    for on_record, on_page in zip(told, BETWEEN, strict=True):
        left = on_page.keys() - on_record.keys()
        assert left <= {"master", "previous", "order", "deck"}
        assert on_record.items() <= on_page.items()
    assert [proof.verdict for proof in prove_record(RECORD)] == [Verdict.PROVED] * 2


def test_D4_the_hands_on_record_are_dealt_from_the_decks_of_the_page() -> None:
    dealt = [event for event in RECORD.log if isinstance(event, Dealt)]
    for deal, block in zip(dealt, BETWEEN, strict=True):
        deck = [Card(text) for text in block["deck"].split()]
        for place in range(4):
            seat = (deal.dealer + 1 + place) % 4
            assert deal.hands[seat] == tuple(sorted(deck[place::4]))


def test_D3_the_page_names_the_events_and_commands_as_they_travel() -> None:
    for kind in (Committed, Promised, Contributed, Revealed, Dealt):
        assert f"`{kind.__name__}`" in PAGE
