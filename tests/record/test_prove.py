"""A record proves its shuffles, and every way of cheating shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from record.matches import RandomMatch, table

from volte.fair import Verdict
from volte.game import Committed, Contributed, DealerDrawn, Dealt, Event
from volte.notation import Record, format_record, load_record, parse_record, prove_record

GOLDENS = Path(__file__).parent / "goldens"
PROVED = load_record(GOLDENS / "proved.volte")


def verdicts(record: Record) -> list[Verdict | None]:
    return [proof.verdict for proof in prove_record(record)]


def changed(kind: type[Event], change: Callable[[object], Event]) -> Record:
    log = tuple(change(event) if isinstance(event, kind) else event for event in PROVED.log)
    return replace(PROVED, log=log)


@pytest.mark.parametrize(
    ("name", "players"), [("coeurs-moyenne", 7), ("coeurs-cagnotte", 5), ("salon-six-jokers", 6)]
)
def test_D3_every_deal_and_every_lot_is_proved(name: str, players: int) -> None:
    record = parse_record(format_record(RandomMatch(table(name, players, 3), seed=12).log))
    proofs = prove_record(record)
    assert [proof.number for proof in proofs] == [1, 2, 3]
    assert {proof.verdict for proof in proofs} == {Verdict.PROVED}
    lots = sum(len(getattr(event, "rounds", ())) for event in record.log)
    assert sum(proof.lots for proof in proofs) == lots > 0


def test_D3_a_match_that_goes_on_is_proved_up_to_the_last_cut() -> None:
    match = RandomMatch(table("coeurs", 4, 3), seed=12)
    dealt = [place for place, event in enumerate(match.log) if isinstance(event, Dealt)]
    record = parse_record(format_record(match.log[: dealt[2] + 1]))
    assert verdicts(record) == [Verdict.PROVED, Verdict.PROVED, None]


def test_a_record_without_commitments_proves_nothing() -> None:
    assert prove_record(load_record(GOLDENS / "moon.volte")) == ()


def swap_two_cards(event: object) -> Event:
    assert isinstance(event, Dealt)
    first, second, *rest = event.hands
    assert first is not None
    assert second is not None
    hands = ((second[0], *first[1:]), (first[0], *second[1:]), *rest)
    return msgspec.structs.replace(event, hands=hands)


def swap_with_the_kitty(event: object) -> Event:
    assert isinstance(event, Dealt)
    *rest, last = event.hands
    assert last is not None
    assert event.kitty is not None
    hands = (*rest, (event.kitty[0], *last[1:]))
    return msgspec.structs.replace(event, hands=hands, kitty=(last[0], *event.kitty[1:]))


def other_bytes(event: object) -> Event:
    assert isinstance(event, Contributed)
    return msgspec.structs.replace(event, data=b"others") if event.seat == 0 else event


def other_digest(event: object) -> Event:
    assert isinstance(event, Committed)
    return msgspec.structs.replace(event, digest=bytes(32))


def other_lots(event: object) -> Event:
    assert isinstance(event, DealerDrawn)
    (first, *rest), *more = event.rounds
    (_, card), (seat, _) = first, rest[0]
    return msgspec.structs.replace(event, rounds=((first, (seat, card), *rest[1:]), *more))


@pytest.mark.parametrize(
    ("kind", "change", "verdict"),
    [
        (Dealt, swap_two_cards, Verdict.ORDER_WRONG),
        (Dealt, swap_with_the_kitty, Verdict.ORDER_WRONG),
        (Contributed, other_bytes, Verdict.ORDER_WRONG),
        (Committed, other_digest, Verdict.COMMITMENT_BROKEN),
        (DealerDrawn, other_lots, Verdict.LOT_WRONG),
    ],
)
def test_D3_what_was_tampered_with_shows(
    kind: type[Event], change: Callable[[object], Event], verdict: Verdict
) -> None:
    assert verdicts(PROVED) == [Verdict.PROVED]
    assert verdicts(changed(kind, change)) == [verdict]


def test_D3_a_finished_match_must_tell_its_secret() -> None:
    assert verdicts(replace(PROVED, log=PROVED.log[:-1])) == [Verdict.REVEAL_MISSING]
