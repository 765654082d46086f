"""The test vectors of `vectors.txt`, which other implementations can run through as well."""

from hashlib import sha256
from pathlib import Path

import pytest

from volte.fair import (
    Commitment,
    SplitMix64,
    Stream,
    Verdict,
    commit,
    commit_bytes,
    split,
    verify_deal,
)

Block = dict[str, str]


def blocks() -> list[Block]:
    """Blocks of "key: value" lines, parted by empty lines; a line with # is for the reader."""
    text = Path(__file__).with_name("vectors.txt").read_text(encoding="utf-8")
    kept = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    parts = [part.splitlines() for part in kept.split("\n\n") if part.strip()]
    return [dict(line.split(": ", 1) for line in part if line) for part in parts]


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


def by_seat(block: Block, prefix: str) -> dict[int, bytes]:
    found = {key.removeprefix(prefix): value for key, value in block.items()}
    return {int(seat): bytes.fromhex(found[seat]) for seat in found if seat.isdecimal()}


DEALS = [block for block in blocks() if "deal" in block]
GENERATORS = [block for block in blocks() if "seed" in block]


def test_the_file_holds_both_kinds() -> None:
    assert len(DEALS) >= 3
    assert len(GENERATORS) >= 2
    assert len(DEALS) + len(GENERATORS) == len(blocks())


@pytest.mark.parametrize("block", DEALS, ids=lambda block: f"deal {block['deal']}")
def test_a_deal(block: Block) -> None:
    number, secret = int(block["deal"]), bytes.fromhex(block["secret"])
    previous = bytes.fromhex(block["previous"].removeprefix("none"))
    house_seats = numbers(block["house seats"].removeprefix("none"))
    given = by_seat(block, "bytes of seat ")
    promises = by_seat(block, "promise of seat ")
    made = commit(number, secret, {seat: given[seat] for seat in house_seats}, previous)
    assert made == Commitment(number, bytes.fromhex(block["commitment"]))
    for seat, promise in promises.items():
        assert commit_bytes(number, seat, given[seat]) == promise
    order, lot = numbers(block["order"]), numbers(block["lot 1"])
    assert list(Stream(secret, f"deal {number}", given).permutation(len(order))) == order
    assert list(Stream(secret, f"lot {number}.1", given).permutation(len(lot))) == lot
    verdict = verify_deal(
        number,
        made.digest,
        secret=secret,
        contributions=given,
        house_seats=house_seats,
        hands=[{card} for card in order],
        lots=[(len(lot), lot)],
        promises=promises,
        previous=(number - 1, previous),
    )
    assert verdict is Verdict.PROVED


@pytest.mark.parametrize("block", DEALS, ids=lambda block: f"deal {block['deal']}")
def test_nobody_chose_the_secrets(block: Block) -> None:
    """They come from plain sentences, as the head of the file says."""
    assert block["secret"] == sha256(f"Volte, secret {block['deal']}".encode()).hexdigest()
    for seat, share in by_seat(block, "bytes of seat ").items():
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
