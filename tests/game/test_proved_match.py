"""A match whose chance is proved: D3."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from rulesets import Step, after, match, refused, start

from volte.cards import Card
from volte.fair import House, Verdict, verify_deal
from volte.game import (
    Commit,
    Committed,
    Contribute,
    Contributed,
    DealCards,
    DealerDrawn,
    Dealt,
    DrawDealer,
    Event,
    LotsDrawn,
    MatchState,
    NameDealer,
    Phase,
    ProvedChance,
    Reveal,
    Revealed,
    random_bytes,
    replay,
)
from volte.notation import Record, prove_record
from volte.rules import make_ruleset

HOUSE = House.from_seed("a proved match")
PACK = 52


def log_proved(preset: str, players: int, people: Sequence[int] = ()) -> list[Event]:
    rules = make_ruleset(preset, {"players": players, "match_end": "deals:3"})
    chance = ProvedChance(HOUSE, (lambda seat: bytes([seat]) * 16) if people else None)
    steps = match(rules, seed=players, people=people, chance=chance)
    return [start(rules, people=people), *(event for step in steps for event in step.events)]


@pytest.mark.parametrize("people", [(), (0,), (0, 2)])
@pytest.mark.parametrize(
    ("preset", "players"),
    [
        ("coeurs-moyenne", 3),
        ("coeurs-cagnotte", 5),
        ("salon", 6),
        ("coeurs", 7),
        ("salon-six-jokers", 6),
    ],
)
def test_D3_every_deal_and_every_lot_is_proved(
    preset: str, players: int, people: tuple[int, ...]
) -> None:
    log = log_proved(preset, players, people)
    assert [proof(log, number, people) for number in (1, 2, 3)] == [Verdict.PROVED] * 3


def proof(log: Sequence[Event], number: int, people: Sequence[int]) -> Verdict:
    """What the check says of one deal, from the log alone."""
    committed = [event for event in log if isinstance(event, Committed)]
    first = log.index(committed[number - 1])
    last = log.index(committed[number]) if number < len(committed) else len(log)
    chance = log[first:last]
    rules = replay(log[:1]).rules
    secrets = {event.number: event.secret for event in log if isinstance(event, Revealed)}
    dealing = next(event for event in chance if isinstance(event, Dealt))
    order = [(dealing.dealer + 1 + place) % rules.players for place in range(rules.players)]
    place = rules.cards.index
    rounds = [
        each
        for event in chance
        if isinstance(event, DealerDrawn | LotsDrawn)
        for each in event.rounds
    ]
    return verify_deal(
        number,
        committed[number - 1].digest,
        secret=secrets[number],
        contributions={
            event.seat: event.data
            for event in chance
            if isinstance(event, Contributed) and event.data is not None
        },
        house_seats=[seat for seat in range(rules.players) if seat not in people],
        hands=[[place(card) for card in dealing.hands[seat] or ()] for seat in order],
        kitty=[place(card) for card in dealing.kitty or ()],
        lots=[(PACK, [card.index for _, card in each]) for each in rounds],
        previous=(number - 1, committed[number - 2].digest if number > 1 else b""),
    )


def test_D3_commitments_are_numbered_without_a_gap_and_told_at_the_next_cut() -> None:
    log = log_proved("coeurs-cinq-coups", 4, people=(0,))
    kinds = (Committed, Contributed, Revealed, DealerDrawn, Dealt)
    story = [type(event).__name__ for event in log if isinstance(event, kinds)]
    cut = ["Committed", *["Contributed"] * 4]
    assert story == [
        *cut, "DealerDrawn", "Dealt",
        *cut, "Revealed", "Dealt",
        *cut, "Revealed", "Dealt",
        "Revealed",
    ]  # fmt: skip
    assert [event.number for event in log if isinstance(event, Committed)] == [1, 2, 3]
    assert [event.number for event in log if isinstance(event, Revealed)] == [1, 2, 3]


def test_D3_a_match_is_repeatable_from_the_seed_of_its_house() -> None:
    assert log_proved("salon", 5) == log_proved("salon", 5)


def test_D3_an_absent_persons_bytes_are_drawn_from_the_system() -> None:
    assert len(random_bytes(0)) == 16
    assert random_bytes(0) != random_bytes(0)


# The order of things


def proved_steps() -> list[Step]:
    rules = make_ruleset("coeurs", {"match_end": "deals:2"})
    return list(match(rules, seed=1, chance=ProvedChance(HOUSE)))


STEPS = proved_steps()
DECK = STEPS[0].before.rules.cards
DRAW = DrawDealer((tuple(enumerate((Card("2C"), Card("3C"), Card("4C"), Card("5C")))),))


def before(kind: type, number: int = 1) -> MatchState:
    """The state before the number-th act of that kind."""
    return [step.before for step in STEPS if isinstance(step.action, kind)][number - 1]


def test_D3_nothing_is_drawn_or_dealt_before_everybody_has_contributed() -> None:
    first = before(Contribute)
    assert refused(first, DRAW).reason == "no_lots_due"
    last = before(Contribute, 4)
    assert refused(last, DRAW).reason == "no_lots_due"
    assert refused(before(Contribute, 8), DealCards(DECK)).reason == "not_dealing_now"


def test_D3_a_second_commitment_for_one_deal_is_refused() -> None:
    for number in (0, 1, 2):
        for state in (before(Contribute), before(DrawDealer), before(DealCards)):
            assert refused(state, Commit(number, b"d" * 32)).reason == "no_commitment_due"
    assert refused(before(Commit, 2), Commit(3, b"d" * 32)).clause == "D3"
    assert refused(before(Commit, 2), Commit(1, b"d" * 32)).clause == "D3"


def test_D3_nothing_is_committed_in_the_middle_of_a_deal() -> None:
    playing = next(step.after for step in STEPS if step.after.phase is Phase.PLAYING)
    assert refused(playing, Commit(2, b"d" * 32)).reason == "no_commitment_due"


def test_D3_cards_are_not_dealt_twice_by_one_commitment() -> None:
    assert refused(before(Commit, 2), DealCards(DECK)).reason == "not_dealing_now"


def test_D3_a_seat_contributes_once() -> None:
    state = after(before(Contribute), Contribute(0, b"mine"))
    assert refused(state, Contribute(0, b"other")).reason == "no_contribution_due"
    assert refused(before(DrawDealer), Contribute(0, b"late")).clause == "D3"


def test_D3_a_seat_that_does_not_reveal_in_time_is_left_out() -> None:
    state = before(Contribute)
    state = after(state, Contribute(0, None), *(Contribute(seat, b"x") for seat in (3, 1, 2)))
    assert state.proof is not None
    assert state.proof.contributions == (None, b"x", b"x", b"x")
    assert after(state, DRAW).phase is Phase.DEALING


def test_D3_the_secret_is_not_told_before_the_next_cut() -> None:
    told = Reveal(1, HOUSE.secret(1))
    first_reveal = next(place for place, step in enumerate(STEPS) if step.action == told)
    for step in STEPS[:first_reveal]:
        assert refused(step.before, told).reason in {"too_soon_to_reveal", "nothing_to_reveal"}
    assert refused(before(Reveal), Reveal(2, HOUSE.secret(2))).reason == "nothing_to_reveal"
    assert refused(STEPS[first_reveal].after, told).reason == "nothing_to_reveal"
    assert refused(STEPS[first_reveal].after, Reveal(2, HOUSE.secret(2))).clause == "D3"


def test_D3_nothing_is_dealt_before_the_last_secret_is_told() -> None:
    assert refused(before(Reveal), DealCards(DECK)).reason == "not_dealing_now"


def test_D1_no_dealer_is_named_where_lots_are_proved() -> None:
    assert refused(before(DrawDealer), NameDealer(0)).reason == "no_lots_due"


def test_D3_until_its_secret_is_due_no_deal_is_called_unproved() -> None:
    """Wherever the match stops, between a commitment and the secret before it too."""
    log: list[Event] = [start(STEPS[0].before.rules)]
    for step in STEPS:
        log += step.events
        told = [proof.verdict for proof in prove_record(Record(tuple(log), step.after))]
        proved = len([event for event in log if isinstance(event, Revealed)])
        if step.after.phase is not Phase.ENDED:
            assert told == [Verdict.PROVED] * proved + [None] * (len(told) - proved)
