"""Promises on record: read back as they were written, and broken ones told."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import accumulate, chain

import msgspec
import pytest
from game.promising import PromisingChance, promised, share
from hypothesis import given, settings
from rulesets import any_rulesets, match, seeds, start, take

from volte import referee
from volte.fair import House, Verdict
from volte.game import (
    Chance,
    Committed,
    Contributed,
    Event,
    MatchState,
    Promised,
    ProvedChance,
    Refusal,
    legal_actions,
    random_bytes,
    to_act,
)
from volte.notation import Record, RecordFault, format_record, parse_record, prove_record, resume
from volte.rules import Ruleset, make_ruleset

PEOPLE = (0, 2)


def log_of(rules: Ruleset, seed: int, people: tuple[int, ...], late: int) -> list[list[Event]]:
    """The events of a match with promises, action by action."""
    chance = PromisingChance(House.from_seed(seed), late)
    steps = match(rules, seed, people=people, chance=chance)
    return [[start(rules, people=people)], *(list(step.events) for step in steps)]


def whole(actions: list[list[Event]]) -> list[Event]:
    return list(chain.from_iterable(actions))


SHORT = make_ruleset("coeurs", {"match_end": "deals:2"})
LOG = whole(log_of(SHORT, 1, PEOPLE, late=0))
TEXT = format_record(LOG)


def read_back(log: Sequence[referee.Event]) -> Record:
    text = format_record(log)
    record = parse_record(text)
    assert record.log == tuple(log)
    assert record.state == referee.replay(log)
    assert format_record(record.log) == text
    return record


def verdicts(log: Sequence[referee.Event]) -> list[Verdict | None]:
    return [proof.verdict for proof in prove_record(Record(tuple(log), referee.replay(log)))]


def test_promises_are_written_where_they_were_made() -> None:
    chance = TEXT[TEXT.index("Commitment 1") : TEXT.index("Lots")].splitlines()
    words = [line.split(":")[0] for line in chance]
    assert words[0] == "Commitment 1"
    assert sorted(words[1:3]) == ["Promise 1", "Promise 3"]
    assert sorted(words[3:]) == [f"Share {seat}" for seat in (1, 2, 3, 4)]
    assert f"Promise 1: {promised(1, 0).hex()}" in chance
    assert f"Share 1: {share(1, 0).hex()}" in chance


@pytest.mark.parametrize("late", [0, 1, 2, 3])
def test_a_match_may_be_cut_after_any_promise(late: int) -> None:
    actions = log_of(SHORT, late, PEOPLE, late)
    for cut, last in zip(accumulate(actions), actions, strict=True):
        if isinstance(last[-1], Promised | Contributed):
            read_back(cut)
    record = read_back(whole(actions))
    assert record.finished
    assert [proof.verdict for proof in prove_record(record)] == [Verdict.PROVED] * 2


@given(any_rulesets(), seeds)
@settings(max_examples=settings().max_examples // 2)
def test_a_match_with_promises_by_any_ruleset_is_read_back(rules: Ruleset, seed: int) -> None:
    people = tuple(seat for seat in range(rules.players) if seed >> seat & 1)
    record = read_back(whole(log_of(rules, seed, people, late=3)))
    assert {proof.verdict for proof in prove_record(record)} == {Verdict.PROVED}


def test_a_match_cut_among_promises_goes_on_without_those_who_have_not_told() -> None:
    """On one machine, where nobody knows what was promised on another."""
    house = House.from_seed(1)
    cuts = list(accumulate(log_of(SHORT, 1, PEOPLE, late=0)))
    for log in [log for log in cuts if isinstance(log[-1], Committed | Promised | Contributed)]:
        saved, master = resume(format_record(log, house.master))
        assert master == house.master
        on = match_from(referee.replay(saved), ProvedChance(House(master), random_bytes))
        assert verdicts([*saved, *on]) == [Verdict.PROVED] * 2


def match_from(state: MatchState, chance: Chance) -> list[Event]:
    """The rest of a match, played at random."""
    events: list[Event] = []
    while True:
        action = legal_actions(state, to_act(state)[0])[0] if to_act(state) else chance.act(state)
        if action is None:
            return events
        step = take(state, action)
        events += step.events
        state = step.after


def test_a_late_promise_and_late_bytes_are_told_apart() -> None:
    text = re.sub(r"(?m)^(Promise|Share) 1: .*$", r"\1 1: absent", before_the_lots())
    late = parse_record(text)
    assert next(event for event in late.log if isinstance(event, Promised)).digest is None
    only_bytes = re.sub(r"(?m)^Share 1: .*$", "Share 1: ABSENT", before_the_lots())
    proof = parse_record(only_bytes).state.proof
    assert proof is not None
    assert proof.promises[0] == promised(1, 0)
    assert proof.contributions[0] is None


def before_the_lots() -> str:
    return TEXT[: TEXT.index("Lots")]


# What is wrong


def spoilt(pattern: str, line: str) -> RecordFault:
    """The fault when a line is replaced; it is found on that very line."""
    found = re.search(rf"(?m)^{pattern}.*$", TEXT)
    assert found is not None
    with pytest.raises(RecordFault) as raised:
        parse_record(TEXT[: found.start()] + line + TEXT[found.end() :])
    assert raised.value.line == TEXT.count("\n", 0, found.start()) + 1
    return raised.value


def refusal(fault: RecordFault) -> str:
    told = fault.params["refusal"]
    assert isinstance(told, Refusal)
    return told.reason


def test_bytes_that_break_a_promise_are_told_with_their_line() -> None:
    other = f"Share 1: {share(1, 2).hex()}"
    assert refusal(spoilt("Share 1", other)) == "promise_broken"
    assert refusal(spoilt("Share 3", "Share 3: empty")) == "promise_broken"
    with pytest.raises(RecordFault) as raised:
        parse_record(TEXT.replace(promised(1, 0).hex(), bytes(32).hex()))
    assert raised.value.line == next(
        n for n, line in enumerate(TEXT.splitlines(), 1) if line.startswith("Share 1")
    )
    assert refusal(raised.value) == "promise_broken"


@pytest.mark.parametrize("said", ["", "empty", "00", "x" * 64, "0" * 63, "0" * 66, "absent 1"])
def test_a_promise_that_is_none_is_told(said: str) -> None:
    fault = spoilt("Promise 1", f"Promise 1: {said}")
    assert fault.reason == "malformed"
    assert fault.params["expected"] == "Promise 1: 64 hexadecimal digits"


def test_a_promise_in_the_wrong_place_is_told() -> None:
    promise = f"Promise 1: {bytes(32).hex()}"
    assert refusal(spoilt("Lots", promise)) == "no_promise_due"
    assert refusal(spoilt("Share 2", promise)) == "no_promise_due"
    assert refusal(spoilt("Trick 1", promise)) == "no_promise_due"
    of_a_bot = promise.replace("1", "2", 1)
    assert refusal(spoilt("Promise 1", of_a_bot)) == "no_promise_due"
    assert spoilt("Promise 1", promise.replace("1", "5", 1)).reason == "no_such_seat"
    assert spoilt("Promise 1", promise.replace("Promise 1", "Promise")).reason == "no_such_seat"


def test_a_share_before_all_promises_is_told() -> None:
    last = max(TEXT.index("Promise 1"), TEXT.index("Promise 3"))
    cut = TEXT[:last] + f"Share 1: {share(1, 0).hex()}\n"
    with pytest.raises(RecordFault) as raised:
        parse_record(cut)
    assert refusal(raised.value) == "promises_missing"
    assert raised.value.line == cut.count("\n")


def test_a_share_that_is_too_long_is_told() -> None:
    fault = spoilt("Share 2", f"Share 2: {bytes(65).hex()}")
    assert refusal(fault) == "contribution_too_long"


def test_where_a_line_has_no_place_promises_are_expected_before_the_deal() -> None:
    fault = spoilt("Promise 1", "Points: 0 0 0 26")
    assert isinstance(fault.params["expected"], tuple)
    assert "Promise" in fault.params["expected"]


# Proving: a log that no reader would let through


def other_bytes(event: Event) -> Event:
    if isinstance(event, Contributed) and event.seat == 0:
        return msgspec.structs.replace(event, data=bytes(16))
    return event


def other_digest(event: Event) -> Event:
    if isinstance(event, Promised) and event.seat == 2:
        return msgspec.structs.replace(event, digest=bytes(32))
    return event


def no_digest(event: Event) -> Event:
    return Promised(0, None) if isinstance(event, Promised) and event.seat == 0 else event


@pytest.mark.parametrize("change", [other_bytes, other_digest, no_digest])
def test_D3_a_broken_promise_shows(change: Callable[[Event], Event]) -> None:
    assert verdicts(LOG) == [Verdict.PROVED] * 2
    assert verdicts([change(event) for event in LOG]) == [Verdict.PROMISE_BROKEN] * 2


def test_D3_bytes_that_nobody_promised_show() -> None:
    fewer = [event for event in LOG if not isinstance(event, Promised) or event.seat != 0]
    assert verdicts(fewer) == [Verdict.PROMISE_BROKEN] * 2


def test_D3_promised_bytes_that_were_left_out_of_the_shuffle_show() -> None:
    none = [
        replace_data(event) if isinstance(event, Contributed) and event.seat == 2 else event
        for event in LOG
    ]
    assert verdicts(none) == [Verdict.ORDER_WRONG] * 2


def replace_data(event: Contributed) -> Contributed:
    return msgspec.structs.replace(event, data=None)
