"""Proving: a record proves its shuffles, all cheating shows, and promises are on record."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate, chain
from typing import Final

import pytest
from hypothesis import given, settings
from kit import any_rulesets, seeds, short
from kit.deals import RandomMatch, match, start, take
from kit.promising import PromisingChance, promised, share
from kit.records import TEXTS, fault_of, line_of, read_back, resume
from msgspec.structs import replace as changed

from volte import game, referee
from volte.fair import House, Verdict
from volte.notation import (
    CardsDiffer,
    Record,
    RecordFault,
    compare_cards,
    format_record,
    parse_record,
    prove_record,
)
from volte.rules import Ruleset

PEOPLE: Final = (0, 2)
SHORT: Final = short("coeurs")
PROVED: Final = parse_record(TEXTS["proved"])


def actions_of(
    rules: Ruleset, seed: int, people: tuple[int, ...], late: int
) -> list[list[game.Event]]:
    """The events of a match with promises, action by action."""
    chance = PromisingChance(House.from_seed(seed), late)
    steps = match(rules, seed, people=people, chance=chance)
    return [[start(rules, people=people)], *(list(step.events) for step in steps)]


def whole(actions: list[list[game.Event]]) -> list[game.Event]:
    return list(chain.from_iterable(actions))


LOG: Final = whole(actions_of(SHORT, 1, PEOPLE, late=0))
TEXT: Final = format_record(LOG)


def verdicts(log: Sequence[referee.Event]) -> list[Verdict | None]:
    return [proof.verdict for proof in prove_record(Record(tuple(log), referee.replay(log)))]


@pytest.mark.parametrize(
    ("name", "players"), [("coeurs-moyenne", 7), ("coeurs-cagnotte", 5), ("salon-six-jokers", 6)]
)
def test_D3_every_deal_and_every_lot_is_proved(name: str, players: int) -> None:
    record = parse_record(format_record(RandomMatch(short(name, players, 3), seed=12).log))
    proofs = prove_record(record)
    assert [proof.number for proof in proofs] == [1, 2, 3]
    assert {proof.verdict for proof in proofs} == {Verdict.PROVED}
    lots = sum(len(getattr(event, "rounds", ())) for event in record.log)
    assert sum(proof.lots for proof in proofs) == lots > 0


def test_D3_a_match_that_goes_on_is_proved_up_to_the_last_cut() -> None:
    log = RandomMatch(short("coeurs", 4, 3), seed=12).log
    dealt = [place for place, event in enumerate(log) if isinstance(event, game.Dealt)]
    record = parse_record(format_record(log[: dealt[2] + 1]))
    found = [proof.verdict for proof in prove_record(record)]
    assert found == [Verdict.PROVED, Verdict.PROVED, None]


def test_a_record_without_commitments_proves_nothing() -> None:
    assert prove_record(parse_record(TEXTS["moon"])) == ()


def test_D3_a_finished_match_must_tell_its_secret() -> None:
    unrevealed = replace(PROVED, log=PROVED.log[:-1])
    assert [proof.verdict for proof in prove_record(unrevealed)] == [Verdict.REVEAL_MISSING]


# Cheating


def swap_two_cards(event: game.Dealt) -> game.Event:
    first, second, *rest = event.hands
    assert first is not None
    assert second is not None
    hands = ((second[0], *first[1:]), (first[0], *second[1:]), *rest)
    return changed(event, hands=hands)


def swap_with_the_kitty(event: game.Dealt) -> game.Event:
    *rest, last = event.hands
    assert last is not None
    assert event.kitty is not None
    hands = (*rest, (event.kitty[0], *last[1:]))
    return changed(event, hands=hands, kitty=(last[0], *event.kitty[1:]))


def other_lots(event: game.DealerDrawn) -> game.Event:
    (first, *rest), *more = event.rounds
    (_, card), (seat, _) = first, rest[0]
    return changed(event, rounds=((first, (seat, card), *rest[1:]), *more))


@pytest.mark.parametrize(
    ("log", "kind", "seat", "change", "verdict"),
    [
        (PROVED.log, game.Dealt, None, swap_two_cards, Verdict.ORDER_WRONG),
        (PROVED.log, game.Dealt, None, swap_with_the_kitty, Verdict.ORDER_WRONG),
        (PROVED.log, game.Contributed, 0, {"data": b"others"}, Verdict.ORDER_WRONG),
        (PROVED.log, game.Committed, None, {"digest": bytes(32)}, Verdict.COMMITMENT_BROKEN),
        (PROVED.log, game.DealerDrawn, None, other_lots, Verdict.LOT_WRONG),
        # Promises
        (LOG, game.Contributed, 0, {"data": bytes(16)}, Verdict.PROMISE_BROKEN),
        (LOG, game.Promised, 2, {"digest": bytes(32)}, Verdict.PROMISE_BROKEN),
        (LOG, game.Promised, 0, {"digest": None}, Verdict.PROMISE_BROKEN),
        (LOG, game.Contributed, 2, {"data": None}, Verdict.ORDER_WRONG),  # left out of the shuffle
    ],
)
def test_D3_what_was_tampered_with_shows(
    log: Sequence[referee.Event],
    kind: type[game.Event],
    seat: int | None,
    change: Callable[[object], game.Event] | dict[str, object],
    verdict: Verdict,
) -> None:
    spoilt: list[referee.Event] = []
    for event in log:
        if isinstance(event, kind) and (seat is None or getattr(event, "seat", None) == seat):
            event = changed(event, **change) if isinstance(change, dict) else change(event)
        spoilt.append(event)
    true = verdicts(log)
    assert true == [Verdict.PROVED] * len(true)
    assert [
        proof.verdict for proof in prove_record(Record(tuple(spoilt), referee.replay(log)))
    ] == [verdict] * len(true)


def test_D3_bytes_that_nobody_promised_show() -> None:
    fewer = [event for event in LOG if not isinstance(event, game.Promised) or event.seat != 0]
    assert verdicts(fewer) == [Verdict.PROMISE_BROKEN] * 2


# Promises on record


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
    actions = actions_of(SHORT, late, PEOPLE, late)
    for cut, last in zip(accumulate(actions), actions, strict=True):
        if isinstance(last[-1], game.Promised | game.Contributed):
            read_back(cut)
    record = read_back(whole(actions))
    assert record.finished
    assert [proof.verdict for proof in prove_record(record)] == [Verdict.PROVED] * 2


@given(any_rulesets(), seeds)
@settings(max_examples=settings().max_examples // 2)
def test_a_match_with_promises_by_any_ruleset_is_read_back(rules: Ruleset, seed: int) -> None:
    people = tuple(seat for seat in range(rules.players) if seed >> seat & 1)
    record = read_back(whole(actions_of(rules, seed, people, late=3)))
    assert {proof.verdict for proof in prove_record(record)} == {Verdict.PROVED}


def test_a_match_cut_among_promises_goes_on_without_those_who_have_not_told() -> None:
    """One machine does not know what was promised on another."""
    house = House.from_seed(1)
    cuts = list(accumulate(actions_of(SHORT, 1, PEOPLE, late=0)))
    for log in [
        log
        for log in cuts
        if isinstance(log[-1], game.Committed | game.Promised | game.Contributed)
    ]:
        saved, master = resume(format_record(log, house.master))
        assert master == house.master
        on = match_from(referee.replay(saved), game.ProvedChance(House(master), game.random_bytes))
        assert verdicts([*saved, *on]) == [Verdict.PROVED] * 2


def match_from(state: game.MatchState, chance: game.Chance) -> list[game.Event]:
    """The rest of a match, played at random."""
    events: list[game.Event] = []
    while True:
        action = (
            game.legal_actions(state, game.to_act(state)[0])[0]
            if game.to_act(state)
            else chance.act(state)
        )
        if action is None:
            return events
        step = take(state, action)
        events += step.events
        state = step.after


def test_a_late_promise_and_late_bytes_are_told_apart() -> None:
    text = re.sub(r"(?m)^(Promise|Share) 1: .*$", r"\1 1: absent", before_the_lots())
    late = parse_record(text)
    assert next(event for event in late.log if isinstance(event, game.Promised)).digest is None
    only_bytes = re.sub(r"(?m)^Share 1: .*$", "Share 1: ABSENT", before_the_lots())
    proof = parse_record(only_bytes).state.proof
    assert proof is not None
    assert proof.promises[0] == promised(1, 0)
    assert proof.contributions[0] is None


def before_the_lots() -> str:
    return TEXT[: TEXT.index("Lots")]


# Faults


def spoilt(pattern: str, line: str) -> RecordFault:
    """The fault when a line is replaced; it is found on that very line."""
    found = re.search(rf"(?m)^{pattern}.*$", TEXT)
    assert found is not None
    fault = fault_of(TEXT[: found.start()] + line + TEXT[found.end() :])
    assert fault.line == TEXT.count("\n", 0, found.start()) + 1
    return fault


def refusal(fault: RecordFault) -> str:
    refused = fault.params["refusal"]
    assert isinstance(refused, game.Refusal)
    return refused.reason


def test_bytes_that_break_a_promise_are_told_with_their_line() -> None:
    other = f"Share 1: {share(1, 2).hex()}"
    assert refusal(spoilt("Share 1", other)) == "promise_broken"
    assert refusal(spoilt("Share 3", "Share 3: empty")) == "promise_broken"
    fault = fault_of(TEXT.replace(promised(1, 0).hex(), bytes(32).hex()))
    assert (fault.line, refusal(fault)) == (line_of(TEXT, "Share 1"), "promise_broken")


@pytest.mark.parametrize("written", ["", "empty", "00", "x" * 64, "0" * 63, "0" * 66, "absent 1"])
def test_a_promise_that_is_none_is_told(written: str) -> None:
    fault = spoilt("Promise 1", f"Promise 1: {written}")
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
    fault = fault_of(cut)
    assert (fault.line, refusal(fault)) == (cut.count("\n"), "promises_missing")


def test_a_share_that_is_too_long_is_told() -> None:
    fault = spoilt("Share 2", f"Share 2: {bytes(65).hex()}")
    assert refusal(fault) == "contribution_too_long"


def test_where_a_line_has_no_place_promises_are_expected_before_the_deal() -> None:
    fault = spoilt("Promise 1", "Points: 0 0 0 26")
    assert isinstance(fault.params["expected"], tuple)
    assert "Promise" in fault.params["expected"]


# The cards of another match


AGAIN: Final = parse_record(TEXTS["again"])


def spoiled(**changes: object) -> Record:
    """The match whose cards were dealt again, with other cards or another dealer on record."""
    log = tuple(
        changed(event, **changes) if isinstance(event, game.Dealt) else event for event in AGAIN.log
    )
    return replace(AGAIN, log=log)


def test_cards_of_another_match_are_compared_seat_by_seat() -> None:
    dealt = next(event for event in AGAIN.log if isinstance(event, game.Dealt))
    first, second, *rest = dealt.hands
    assert compare_cards(AGAIN, AGAIN) is None
    kitty = (first or ())[:2]
    for other, reason, seat in (
        (spoiled(hands=(second, first, *rest)), "hand", 0),
        (spoiled(hands=(first, second, *rest[::-1])), "hand", 2),
        (spoiled(hands=(first, second)), "hand", 0),
        (spoiled(kitty=kitty), "kitty", 0),
        (spoiled(dealer=dealt.dealer - 1), "dealer", 0),
    ):
        assert compare_cards(AGAIN, other) == CardsDiffer(reason, 1, seat)
    assert compare_cards(PROVED, AGAIN) == CardsDiffer("not_given")
    lines = TEXTS["again"].splitlines(keepends=True)
    going_on = parse_record("".join(lines[: line_of(TEXTS["again"], "Trick 5")]))
    assert compare_cards(AGAIN, going_on) == CardsDiffer("unfinished")
    assert compare_cards(going_on, AGAIN) is None
    more = changed(AGAIN.state, deals=())
    assert compare_cards(AGAIN, replace(AGAIN, state=more)) == CardsDiffer("deals")
