"""The sceptic's check agrees with the rooms that deal, and names the first fault."""

import ast
import hmac
import sys
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import volte.fair
from volte.fair import House, Stream, Verdict, commit, commit_bytes, deal_label, verify_deal
from volte.fair.house import encode

SOURCE = Path(volte.fair.__file__).with_name("verify.py")
HOUSE = House.from_seed("proof")


@dataclass(frozen=True)
class Proof:
    """The arguments of `verify_deal`, so that a test can spoil one."""

    number: int
    digest: bytes
    secret: bytes | None
    contributions: dict[int, bytes]
    house_seats: frozenset[int]
    order: tuple[int, ...]
    lots: tuple[tuple[int, tuple[int, ...]], ...] = ()
    promises: dict[int, bytes] | None = None
    previous: tuple[int, bytes] = (0, b"")
    players: int = 52
    left_over: int = 0

    def hands(self) -> list[frozenset[int]]:
        """The cards of each seat; with as many seats as cards they tell the order itself."""
        dealt = self.order[: len(self.order) - self.left_over]
        return [frozenset(dealt[seat :: self.players]) for seat in range(self.players)]

    def verdict(self) -> Verdict:
        return verify_deal(
            self.number,
            self.digest,
            secret=self.secret,
            contributions=self.contributions,
            house_seats=self.house_seats,
            hands=self.hands(),
            kitty=self.order[-self.left_over :] if self.left_over else (),
            lots=self.lots,
            promises=self.promises,
            previous=self.previous,
        )


def proof(
    house: House = HOUSE,
    number: int = 3,
    people: dict[int, bytes] | None = None,
    bots: frozenset[int] = frozenset({1, 2, 3}),
    cards: int = 52,
) -> Proof:
    people = {0: b"p" * 16} if people is None else people
    before = (number - 1, bytes(31) + b"!" if number > 1 else b"")
    given_ = people | house.contributions(number, bots)
    return Proof(
        number,
        house.commitment(number, bots, before[1]).digest,
        house.secret(number),
        given_,
        bots,
        house.order(number, given_, cards),
        tuple((cards, house.lot(number, draw, given_, cards)[:4]) for draw in (1, 2)),
        {seat: commit_bytes(number, seat, mine) for seat, mine in people.items()},
        before,
    )


@given(
    st.builds(House, st.binary(min_size=32, max_size=32)),
    st.integers(1, 300),
    st.dictionaries(st.integers(0, 9), st.binary(min_size=16, max_size=40), max_size=4),
    st.frozensets(st.integers(10, 19), max_size=4),
    st.integers(0, 120),
)
def test_what_the_house_deals_is_proved(
    house: House, number: int, people: dict[int, bytes], bots: frozenset[int], cards: int
) -> None:
    honest = proof(house, number, people, bots, cards)
    assert honest.verdict() is Verdict.PROVED
    assert replace(honest, promises=None).verdict() is Verdict.PROVED


def test_D4_hands_prove_the_order_as_well_as_a_match_ever_shows_it() -> None:
    honest = replace(proof(), players=5, left_over=2)
    assert honest.verdict() is Verdict.PROVED
    last, kitty = honest.order[49], honest.order[50]
    swapped = (*honest.order[:49], kitty, last, honest.order[51])
    assert replace(honest, order=swapped).verdict() is Verdict.ORDER_WRONG


TRUE = proof()
SECRET = HOUSE.secret(3)
SWAPPED = (TRUE.order[1], TRUE.order[0], *TRUE.order[2:])
BOTS = HOUSE.contributions(3, [1, 2, 3])
FAULTS: dict[Verdict, dict[str, Proof]] = {
    Verdict.NUMBER_SKIPPED: {
        "a deal was dropped": replace(TRUE, previous=(1, TRUE.previous[1])),
        "the first deal was dropped": replace(TRUE, previous=(0, b"")),
    },
    Verdict.REVEAL_MISSING: {
        "the secret was kept": replace(TRUE, secret=None),
        "a bot's bytes were left out": replace(TRUE, contributions={0: TRUE.contributions[0]}),
    },
    Verdict.COMMITMENT_BROKEN: {
        "the secret was changed": replace(TRUE, secret=HOUSE.secret(4)),
        "the digest before is another": replace(TRUE, previous=(2, bytes(32))),
        "a bot's bytes were changed": replace(
            TRUE, contributions=TRUE.contributions | {1: bytes(16)}
        ),
        "a seat was the house's only afterwards": replace(TRUE, house_seats=frozenset(range(4))),
    },
    Verdict.PROMISE_BROKEN: {
        "a person's bytes were changed": replace(
            TRUE, contributions=TRUE.contributions | {0: bytes(16)}
        ),
        "bytes were given that nobody had promised": replace(
            TRUE, contributions=TRUE.contributions | {4: bytes(16)}
        ),
    },
    Verdict.ORDER_WRONG: {
        "two cards were exchanged": replace(TRUE, order=SWAPPED),
        "a person's bytes were not used": replace(TRUE, order=HOUSE.order(3, BOTS, 52)),
        "the order is no order at all": replace(TRUE, order=(0,) * 52),
    },
    Verdict.LOT_WRONG: {
        "a lot was exchanged": replace(TRUE, lots=TRUE.lots[::-1]),
        "more lots than cards": replace(TRUE, lots=((1, (0, 1)),)),
    },
}


@pytest.mark.parametrize(
    ("verdict", "name"), [(verdict, name) for verdict in FAULTS for name in FAULTS[verdict]]
)
def test_the_first_fault_is_named(verdict: Verdict, name: str) -> None:
    assert FAULTS[verdict][name].verdict() is verdict


def test_a_seat_that_did_not_reveal_in_time_is_left_out() -> None:
    honest = proof(people={})
    assert replace(honest, promises={0: bytes(32)}).verdict() is Verdict.PROVED


def test_without_promises_a_person_may_add_any_bytes() -> None:
    assert replace(proof(people={}), promises=None).verdict() is Verdict.PROVED
    given_ = BOTS | {0: b"hi"}
    order = HOUSE.order(3, given_, 52)
    spoken = replace(TRUE, contributions=given_, order=order, lots=(), promises=None)
    assert spoken.verdict() is Verdict.PROVED


def test_a_secret_that_could_be_guessed_proves_nothing() -> None:
    """HMAC fills short keys up with zeros, so a short secret would be many secrets at once."""
    short = b"abc"
    digest = sha256(encode(b"volte commitment 1", b"1", b"", short)).digest()
    found = verify_deal(1, digest, secret=short, contributions={}, house_seats=(), hands=())
    assert found is Verdict.COMMITMENT_BROKEN


def test_promised_bytes_that_could_be_guessed_are_a_broken_promise() -> None:
    promise = sha256(encode(b"volte contribution 1", b"3", b"0", b"hi")).digest()
    given_ = BOTS | {0: b"hi"}
    spoken = replace(TRUE, contributions=given_, promises={0: promise})
    assert spoken.verdict() is Verdict.PROMISE_BROKEN


def test_words_that_are_rejected_are_rejected_by_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of a shuffle whose every second word lies above all the limits but powers of 2."""

    def digest(key: bytes, message: bytes, _: str) -> bytes:
        block = sha256(key + message).digest()
        return b"".join(block[k : k + 4] + b"\xff" * 4 for k in range(0, 16, 4))

    monkeypatch.setattr(hmac, "digest", digest)
    given_ = {0: b"p"}
    drawn = commit(1, SECRET, {}).digest
    hands = [{card} for card in Stream(SECRET, deal_label(1), given_).permutation(52)]
    found = verify_deal(1, drawn, secret=SECRET, contributions=given_, house_seats=(), hands=hands)
    assert found is Verdict.PROVED


def test_the_check_stands_alone_and_is_short() -> None:
    """About fifty lines a sceptic can read: no import but the library's, no line too many."""
    text = SOURCE.read_text(encoding="utf-8")
    tree = ast.parse(text)
    prose: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.module in sys.stdlib_module_names | {"collections.abc"}
            assert node.level == 0
        elif isinstance(node, ast.Import):
            assert all(alias.name in sys.stdlib_module_names for alias in node.names)
        elif isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            first = node.body[0]
            if ast.get_docstring(node) is not None:
                prose.update(range(first.lineno, (first.end_lineno or 0) + 1))
    lines = enumerate(text.splitlines(), start=1)
    assert len([line for at, line in lines if line.strip() and at not in prose]) <= 73
