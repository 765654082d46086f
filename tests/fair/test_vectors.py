"""The test vectors of `vectors.txt`, for others too, and the deals that docs/fair.md shows."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pytest
from kit.records import TEXTS
from kit.strategies import PACK

from volte.cards import Card
from volte.fair import (
    Commitment,
    House,
    SplitMix64,
    Stream,
    Verdict,
    commit,
    commit_bytes,
    digest_of_cards,
    split,
    verify_deal,
)
from volte.game import Committed, Contributed, Dealt, Promised, Revealed
from volte.notation import parse_record, prove_record

Block = dict[str, str]

PAGE: Final = (Path(__file__).parents[2] / "docs" / "fair.md").read_text(encoding="utf-8")
VECTORS: Final = Path(__file__).with_name("vectors.txt").read_text(encoding="utf-8")
RECORD: Final = parse_record(TEXTS["promised"])


def block_of(text: str) -> Block:
    """Read lines of "key: value"; a line with # is for people."""
    return dict(line.split(": ", 1) for line in text.splitlines() if line and line[0] != "#")


BLOCKS: Final = [block for block in map(block_of, VECTORS.split("\n\n")) if block]
DEALS: Final = [block for block in BLOCKS if "deal" in block]
GENERATORS: Final = [block for block in BLOCKS if "seed" in block]
BETWEEN: Final = [
    block_of(part) for part in PAGE.partition("\n## The deal of the day")[0].split("\n```\n")[3::2]
]
"""The deals between machines on the page."""

FIRST: Final = BETWEEN[0]


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.removeprefix("none").split()]


def before(block: Block) -> bytes:
    return bytes.fromhex(block["previous"].removeprefix("none"))


def by_seat(block: Block, what: str) -> dict[int, bytes]:
    """The values of that name by seat, without those that are absent."""
    prefix = f"{what} of seat "
    return {
        int(key.removeprefix(prefix)): bytes.fromhex(value)
        for key, value in block.items()
        if key.startswith(prefix) and value != "absent"
    }


def verdict(block: Block, **other: Any) -> Verdict:
    """Verdict of the sceptic's check on a deal."""
    known: dict[str, Any] = {
        "secret": bytes.fromhex(block["secret"]),
        "contributions": by_seat(block, "bytes"),
        "house_seats": numbers(block["house seats"]),
        "hands": [{place} for place in numbers(block["order"])],
        "promises": by_seat(block, "promise"),
        "previous": (int(block["deal"]) - 1, before(block)),
    }
    return verify_deal(int(block["deal"]), bytes.fromhex(block["commitment"]), **(known | other))


# The vectors


def test_the_file_holds_both_kinds() -> None:
    assert len(DEALS) >= 3
    assert len(GENERATORS) >= 2
    assert len(DEALS) + len(GENERATORS) == len(BLOCKS)


@pytest.mark.parametrize("block", DEALS, ids=lambda block: f"deal {block['deal']}")
def test_a_deal(block: Block) -> None:
    number, secret, given = (
        int(block["deal"]),
        bytes.fromhex(block["secret"]),
        by_seat(block, "bytes"),
    )
    own = {seat: given[seat] for seat in numbers(block["house seats"])}
    made = commit(number, secret, own, before(block))
    assert made == Commitment(number, bytes.fromhex(block["commitment"]))
    for seat, promise in by_seat(block, "promise").items():
        assert commit_bytes(number, seat, given[seat]) == promise
    order, lot = numbers(block["order"]), numbers(block["lot 1"])
    assert list(Stream(secret, f"deal {number}", given).permutation(len(order))) == order
    assert list(Stream(secret, f"lot {number}.1", given).permutation(len(lot))) == lot
    assert verdict(block, lots=[(len(lot), lot)]) is Verdict.PROVED


@pytest.mark.parametrize("block", DEALS, ids=lambda block: f"deal {block['deal']}")
def test_nobody_chose_the_secrets(block: Block) -> None:
    """They come from plain sentences, as the head of the file says."""
    assert block["secret"] == sha256(f"Volte, secret {block['deal']}".encode()).hexdigest()
    for seat, share in by_seat(block, "bytes").items():
        sentence = f"Volte, deal {block['deal']}, seat {seat}"
        assert share == sha256(sentence.encode()).digest()[:16]


def test_the_deals_are_a_chain() -> None:
    digests = ["none", *(block["commitment"] for block in DEALS)]
    assert [block["previous"] for block in DEALS] == digests[:-1]


@pytest.mark.parametrize("block", GENERATORS, ids=lambda block: f"seed {block['seed']}")
def test_a_generator(block: Block) -> None:
    seed = int(block["seed"])
    outputs = numbers(block["outputs"])
    generator = SplitMix64(seed)
    assert [generator.next() for _ in outputs] == outputs
    generator = SplitMix64(seed)
    below = numbers(block["below 1 to 20"])
    assert [generator.below(n) for n in range(1, 21)] == below
    large = numbers(block["below 2147483649"])
    generator = SplitMix64(seed)
    assert [generator.below(2147483649) for _ in large] == large
    order = numbers(block["order"])
    assert list(SplitMix64(seed).permutation(len(order))) == order
    starts = numbers(block["split 0 1 2 1000000"])
    assert [split(seed, index) for index in (0, 1, 2, 1000000)] == starts


# docs/fair.md


def test_D3_the_page_quotes_the_first_vector() -> None:
    quoted = PAGE.split("```")[1].strip().splitlines()
    assert len(quoted) == 8
    assert set(quoted) <= set(VECTORS.splitlines())


def test_D3_the_page_has_two_deals_between_machines() -> None:
    assert [block["deal"] for block in BETWEEN] == ["1", "2"]


@pytest.mark.parametrize("block", BETWEEN, ids=lambda block: f"deal {block['deal']}")
def test_D3_the_deals_between_machines_are_what_the_code_makes(block: Block) -> None:
    number, house = int(block["deal"]), House(bytes.fromhex(FIRST["master"]))
    own = house.contributions(number, numbers(block["house seats"]))
    given = by_seat(block, "bytes")
    promises = by_seat(block, "promise")
    assert house.secret(number).hex() == block["secret"]
    assert {seat: given[seat] for seat in own} == own
    made = house.commitment(number, own, before(block))
    assert made.digest.hex() == block["commitment"]
    assert commit(number, bytes.fromhex(block["secret"]), own, before(block)) == made
    assert promises.keys() == set(range(4)) - own.keys()
    for seat in promises.keys() & given.keys():
        assert commit_bytes(number, seat, given[seat]) == promises[seat]
    order = house.order(number, given, 52)
    assert list(order) == numbers(block["order"])
    assert [PACK[place] for place in order] == [Card(text) for text in block["deck"].split()]


@pytest.mark.parametrize("block", BETWEEN, ids=lambda block: f"deal {block['deal']}")
def test_D3_the_deals_between_machines_hold_before_the_sceptic_s_check_alone(block: Block) -> None:
    assert verdict(block) is Verdict.PROVED
    assert verdict(block, promises={}) is Verdict.PROMISE_BROKEN
    assert verdict(block, contributions={0: bytes(16)}) is Verdict.REVEAL_MISSING
    changed = by_seat(block, "bytes") | {0: bytes(16)}
    assert verdict(block, contributions=changed) is Verdict.PROMISE_BROKEN


def test_D3_nobody_chose_the_values_between_machines() -> None:
    assert FIRST["master"] == sha256(b"Volte, master").hexdigest()
    for block in BETWEEN:
        for seat, share in by_seat(block, "bytes").items():
            if seat not in numbers(block["house seats"]):
                sentence = f"Volte, share of seat {seat} in deal {block['deal']}"
                assert share == sha256(sentence.encode()).digest()[:16]


def test_D3_the_record_has_the_values_of_the_page() -> None:
    on_record_blocks: list[Block] = []
    for event in RECORD.log:
        match event:
            case Committed():
                on_record_blocks.append(
                    {"deal": str(event.number), "commitment": event.digest.hex()}
                )
                on_record_blocks[-1]["house seats"] = " ".join(map(str, event.house))
            case Promised():
                assert event.digest is not None
                on_record_blocks[-1][f"promise of seat {event.seat}"] = event.digest.hex()
            case Contributed():
                value = "absent" if event.data is None else event.data.hex()
                on_record_blocks[-1][f"bytes of seat {event.seat}"] = value
            case Revealed():
                on_record_blocks[event.number - 1]["secret"] = event.secret.hex()
    for on_record, on_page in zip(on_record_blocks, BETWEEN, strict=True):
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


def test_the_digest_of_given_cards_on_the_page_is_in_the_commitment_on_record() -> None:
    record = parse_record(TEXTS["again"])
    dealt = next(event for event in record.log if isinstance(event, Dealt))
    place = {card: number for number, card in enumerate(record.state.rules.cards)}
    hands = (*dealt.hands[dealt.dealer + 1 :], *dealt.hands[: dealt.dealer + 1])
    piles = [[place[card] for card in pile or ()] for pile in (*hands, dealt.kitty)]
    digest = digest_of_cards(piles[:-1], piles[-1])
    assert digest.hex() in PAGE
    sealed = next(event for event in record.log if isinstance(event, Committed))
    secret = next(event.secret for event in record.log if isinstance(event, Revealed))
    own = {
        event.seat: event.data
        for event in record.log
        if isinstance(event, Contributed) and event.data is not None
    }
    assert commit(1, secret, own, cards=digest).digest == sealed.digest


def test_D3_the_page_names_the_events_and_commands_as_they_travel() -> None:
    for kind in (Committed, Promised, Contributed, Revealed, Dealt):
        assert f"`{kind.__name__}`" in PAGE
