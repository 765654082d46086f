"""Chance that is proved, and fair dealing between machines: commitments and promises (D3)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import TABLES, any_rulesets, because, seeds
from kit.deals import Step, after, check_views, log_of, match, refused, start, take
from kit.owners import seated
from kit.promising import PromisingChance, promised, share

from volte import game
from volte.cards import Card, VolteError
from volte.fair import (
    CONTRIBUTION_BYTES,
    LONGEST_CONTRIBUTION,
    House,
    Verdict,
    commit_bytes,
)
from volte.game.codec import encode
from volte.notation import Record, prove_record
from volte.rules import Ruleset, make_ruleset
from volte.view import project

HOUSE = House.from_seed("promises")
PEOPLE = (0, 2)
BOTS = (1, 3)


def committed() -> game.MatchState:
    """Two people and two bots, just after the first commitment."""
    rules = make_ruleset("coeurs", {"match_end": "deals:2"})
    digest = HOUSE.commitment(1, BOTS).digest
    return after(game.replay([start(rules, people=PEOPLE)]), game.Commit(1, digest, BOTS))


START = committed()
BOTH = after(START, game.Promise(0, promised(1, 0)), game.Promise(2, promised(1, 2)))
REVEALED = after(BOTH, game.Contribute(2, share(1, 2)))
ALL = after(
    REVEALED,
    game.Contribute(0, share(1, 0)),
    *(game.Contribute(bot, HOUSE.contribution(1, bot)) for bot in BOTS),
)


# Promises


def test_D3_every_seat_outside_the_house_may_promise_once() -> None:
    assert game.still_to_promise(START) == PEOPLE
    one = after(START, game.Promise(2, promised(1, 2)))
    assert game.still_to_promise(one) == (0,)
    assert refused(one, game.Promise(2, promised(1, 2))).reason == "no_promise_due"
    assert refused(one, game.Promise(2, None)).reason == "no_promise_due"
    assert game.still_to_promise(BOTH) == ()
    assert BOTH.proof is not None
    assert BOTH.proof.promises == (promised(1, 0), None, promised(1, 2), None)


def test_D3_the_house_promises_by_its_commitment_alone() -> None:
    assert refused(START, game.Promise(1, promised(1, 1))).reason == "no_promise_due"
    assert refused(START, game.Promise(1, None)).clause == "D3"
    for seat in (-1, 4):
        assert refused(START, game.Promise(seat, None)).reason == "no_such_seat"


def test_D3_nothing_is_promised_before_a_commitment_or_once_cards_are_dealt() -> None:
    rules = START.rules
    assert refused(game.replay([start(rules, people=PEOPLE)]), game.Promise(0, None)).clause == "D3"
    for step in match(rules, 5, people=PEOPLE, chance=PromisingChance(HOUSE)):
        if step.after.deal is not None and not isinstance(step.action, game.Commit):
            proof = step.after.proof
            missing = game.still_to_promise(step.after)
            assert proof is not None
            assert not (missing and proof.used)
            for seat in set(PEOPLE) - set(missing):
                assert refused(step.after, game.Promise(seat, bytes(32))).reason == "no_promise_due"


@pytest.mark.parametrize("size", [0, 1, 16, 31, 33, 64, 10_000])
def test_D3_what_is_no_digest_is_refused(size: int) -> None:
    assert refused(START, game.Promise(0, bytes(size))).reason == "not_a_digest"
    before = game.replay([start(START.rules)])
    assert refused(before, game.Commit(1, bytes(size), ())).reason == "not_a_digest"


def test_D3_no_promise_comes_after_bytes_have_been_told() -> None:
    """Once a person has contributed bytes without a promise, the table plays without promises."""
    revealed = after(START, game.Contribute(2, b"told"))
    assert game.still_to_promise(revealed) == ()
    assert refused(revealed, game.Promise(0, promised(1, 0))).reason == "no_promise_due"
    absent = after(START, game.Contribute(2, None))
    assert refused(absent, game.Promise(0, promised(1, 0))).reason == "no_promise_due"


def test_D3_the_bytes_of_bots_are_sealed_and_may_be_told_at_any_time() -> None:
    bots = [game.Contribute(bot, HOUSE.contribution(1, bot)) for bot in BOTS]
    early = after(START, bots[0], game.Promise(0, promised(1, 0)), bots[1])
    assert game.still_to_promise(early) == (2,)
    late = after(
        early, game.Promise(2, None), game.Contribute(2, None), game.Contribute(0, share(1, 0))
    )
    assert game.still_to_contribute(late) == ()


# Contributions


def test_D3_nobody_tells_before_everybody_has_promised_or_is_left_out() -> None:
    one = after(START, game.Promise(0, promised(1, 0)))
    for revealed in (
        game.Contribute(0, share(1, 0)),
        game.Contribute(2, share(1, 2)),
        game.Contribute(0, None),
    ):
        assert refused(one, revealed).reason == "promises_missing"
    for digest in (promised(1, 2), None):
        assert game.still_to_contribute(
            after(one, game.Promise(2, digest), game.Contribute(0, share(1, 0)))
        )


def test_D3_what_is_told_is_what_was_promised() -> None:
    right = share(1, 0)
    wrong = [b"", right[:-1], right + b"\0", share(1, 2), share(2, 0), bytes(16), b"x" * 64]
    for data in wrong:
        assert refused(BOTH, game.Contribute(0, data)).reason == "promise_broken"
    assert after(BOTH, game.Contribute(0, right)) != BOTH


def test_D3_a_promise_of_bytes_that_can_be_guessed_cannot_be_kept() -> None:
    """Fewer than 16 bytes are no secret: `commit_bytes` refuses them, and so does the table."""
    with pytest.raises(VolteError, check=because("contribution_short")):
        commit_bytes(1, 0, b"short")


def test_D3_a_copied_promise_is_of_no_use_to_another_seat() -> None:
    copied = after(START, game.Promise(0, promised(1, 0)), game.Promise(2, promised(1, 0)))
    assert refused(copied, game.Contribute(2, share(1, 0))).reason == "promise_broken"
    assert after(copied, game.Contribute(0, share(1, 0)), game.Contribute(2, None))


def test_D3_a_program_that_is_late_is_on_record_and_left_out() -> None:
    late = after(START, game.Promise(0, None), game.Promise(2, promised(1, 2)))
    assert refused(late, game.Contribute(0, share(1, 0))).reason == "promise_broken"
    late = after(late, game.Contribute(0, None), game.Contribute(2, None))
    assert late.proof is not None
    assert late.proof.promised == 0b0101
    assert late.proof.promises == (None, None, promised(1, 2), None)
    assert late.proof.contributions == (None,) * 4
    assert game.still_to_contribute(late) == BOTS


def test_D3_bytes_have_a_limit() -> None:
    assert refused(START, game.Contribute(0, bytes(LONGEST_CONTRIBUTION + 1))).params == {
        "most": 64
    }
    assert after(START, game.Contribute(0, bytes(LONGEST_CONTRIBUTION)))
    long = b"l" * LONGEST_CONTRIBUTION
    state = after(START, game.Promise(0, commit_bytes(1, 0, long)), game.Promise(2, None))
    assert after(state, game.Contribute(0, long))


def test_D3_nothing_is_drawn_or_dealt_before_the_last_has_told() -> None:
    draw = next(
        step.action
        for step in match(START.rules, 1, people=PEOPLE, chance=PromisingChance(HOUSE))
        if isinstance(step.action, game.DrawDealer)
    )
    for state in (START, BOTH, REVEALED):
        assert refused(state, draw).reason == "no_lots_due"
    assert after(ALL, draw).phase is game.Phase.DEALING
    assert refused(ALL, game.Reveal(1, HOUSE.secret(1))).reason == "too_soon_to_reveal"


def test_D3_a_secret_has_32_bytes() -> None:
    steps = match(START.rules, 1, people=PEOPLE, chance=PromisingChance(HOUSE))
    step = next(step for step in steps if isinstance(step.action, game.Reveal))
    for size in (0, 31, 33):
        assert refused(step.before, game.Reveal(1, bytes(size))).reason == "not_a_secret"


def test_D3_a_table_without_promises_plays_as_ever() -> None:
    """A terminal, where one machine speaks for everybody, has nobody to promise to."""
    revealed = after(
        START,
        game.Contribute(0, b"mine"),
        *(game.Contribute(bot, HOUSE.contribution(1, bot)) for bot in BOTS),
        game.Contribute(2, None),
    )
    assert revealed.proof is not None
    assert (revealed.proof.promised, revealed.proof.answered) == (0, 0b1111)


# Whole matches


def verdicts(log: Sequence[game.Event]) -> list[Verdict | None]:
    """Return the verdict on each deal, from the log alone."""
    return [proof.verdict for proof in prove_record(Record(tuple(log), game.replay(log)))]


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_D3_every_deal_with_promises_is_proved(preset: str, players: int) -> None:
    rules = make_ruleset(preset, {"players": players, "match_end": "deals:2"})
    people = range(players - 1)
    log = log_of(rules, players, people=people, chance=PromisingChance(HOUSE))
    assert verdicts(log) == [Verdict.PROVED] * 2
    promises = [event for event in log if isinstance(event, game.Promised)]
    assert len(promises) == 2 * len(people)
    assert any(event.digest is not None for event in promises)


def test_D3_the_cards_depend_on_who_is_left_out() -> None:
    rules = make_ruleset("coeurs", {"match_end": "deals:3"})
    dealt = {
        next(
            step.action.deck
            for step in match(rules, 1, people=(0, 1, 2, 3), chance=PromisingChance(HOUSE, late))
            if isinstance(step.action, game.DealCards)
        )
        for late in (0, 1)  # nobody, everybody
    }
    assert len(dealt) == 2


@given(any_rulesets(), seeds)
@settings(max_examples=settings().max_examples // 2)
def test_the_laws_hold_with_promises(rules: Ruleset, seed: int) -> None:
    people = [seat for seat in range(rules.players) if seed >> seat & 1]
    house = House.from_seed(seed)
    steps = list(match(rules, seed, people=people, chance=PromisingChance(house), restless=True))
    check_views(steps, [0, rules.players - 1, None])
    log = [start(rules, people=people), *(event for step in steps for event in step.events)]
    check_order(log)
    check_secrets(log, rules)
    assert set(verdicts(log)) == {Verdict.PROVED}


@pytest.mark.parametrize("late", [0, 2])
def test_D3_the_driver_tells_everybody_all_that_was_promised(late: int) -> None:
    rules = make_ruleset("coeurs-moyenne", {"players": 5, "match_end": "deals:2"})
    owners = seated(5)
    log = [start(rules, people=(1, 2, 4))]
    driver = game.Driver(log, owners, PromisingChance(HOUSE, late))
    end = driver.run()
    revealed = (game.Committed, game.Promised, game.Contributed, game.Revealed)
    public = [event for event in driver.log if isinstance(event, revealed)]
    assert len(public) == 2 * (1 + 3 + 5 + 1)
    for owner in owners:
        assert owner.state == project(end, owner.seat)
        assert [event for event in owner.events if isinstance(event, revealed)] == public
        assert not owner.refusals


def check_order(log: Sequence[game.Event]) -> None:
    """Check that promises precede the first bytes of a person, and all bytes the cards."""
    state = game.replay(log[:1])
    for event in log[1:]:
        proof = state.proof
        if isinstance(event, game.Contributed) and proof and event.seat not in proof.house:
            assert not game.still_to_promise(state)
            if event.data is not None:
                digest = commit_bytes(proof.number, event.seat, event.data)
                assert proof.promises[event.seat] == digest
        if isinstance(event, game.Dealt):
            assert not game.still_to_contribute(state)
        state = game.evolve(state, event)


def check_secrets(log: Sequence[game.Event], rules: Ruleset) -> None:
    """Check that nobody sees a secret or a contribution before the event that reveals it."""
    secrets = {
        event.secret: place for place, event in enumerate(log) if type(event) is game.Revealed
    }
    revealed = {
        event.data: place for place, event in enumerate(log) if type(event) is game.Contributed
    }
    for seat in (*range(rules.players), None):
        visible_bytes = b""
        ends = []
        for event in log:
            visible_bytes += encode(game.visible(event, seat))
            ends.append(len(visible_bytes))
        for data, place in (secrets | revealed).items():
            if data is not None:
                quoted = encode(data).strip(b'"')
                assert ends[place - 1] <= visible_bytes.index(quoted) < ends[place]


# In any order


moves = st.lists(
    st.tuples(
        st.booleans(),
        st.integers(-1, 4),
        st.none() | st.sampled_from([b"", bytes(16), bytes(32), bytes(65)]) | st.just(b"right"),
    ),
    max_size=25,
)


@given(st.sets(st.integers(0, 3)), moves)
def test_D3_whatever_is_tried_what_is_accepted_is_in_order(
    house: set[int], tried: list[tuple[bool, int, bytes | None]]
) -> None:
    digest = HOUSE.commitment(1, house).digest
    people = set(range(4)) - house
    log: list[game.Event] = [start(START.rules, people=people)]
    state = take(game.replay(log), game.Commit(1, digest, tuple(house))).after
    promises: dict[int, bytes | None] = {}
    given_: dict[int, bytes | None] = {}
    for promises_now, seat, data in tried:
        right = data == b"right"
        action: game.Promise | game.Contribute
        if promises_now:
            action = game.Promise(seat, promised(1, max(0, seat)) if right else data)
        else:
            action = game.Contribute(seat, share(1, max(0, seat)) if right else data)
        outcome = game.decide(state, action)
        if isinstance(outcome, game.Refusal):
            continue
        state = game.evolve(state, outcome[0])
        if isinstance(action, game.Promise):
            assert seat in people
            assert seat not in promises
            assert not people & given_.keys()
            assert action.digest is None or len(action.digest) == 32
            promises[seat] = action.digest
        else:
            assert seat not in given_
            assert action.data is None or len(action.data) <= LONGEST_CONTRIBUTION
            if promises and seat in people:
                assert promises.keys() == people
                long_enough = action.data is None or len(action.data) >= CONTRIBUTION_BYTES
                assert long_enough
                assert action.data is None or promises[seat] == commit_bytes(1, seat, action.data)
            given_[seat] = action.data
    proof = state.proof
    assert proof is not None
    assert proof.promises == tuple(promises.get(seat) for seat in range(4))
    assert proof.contributions == tuple(given_.get(seat) for seat in range(4))
    assert proof.promised == sum(1 << seat for seat in promises)
    assert proof.answered == sum(1 << seat for seat in given_)


# Commitments without promises

PROVING = House.from_seed("a proved match")


def log_proved(preset: str, players: int, people: Sequence[int] = ()) -> list[game.Event]:
    rules = make_ruleset(preset, {"players": players, "match_end": "deals:3"})
    chance = game.ProvedChance(PROVING, (lambda seat: bytes([seat]) * 16) if people else None)
    return log_of(rules, seed=players, people=people, chance=chance)


@pytest.mark.parametrize("people", [(), (0,), (0, 2)])
@pytest.mark.parametrize(
    "table", ["coeurs-moyenne 3", "coeurs-cagnotte 5", "salon 6", "coeurs 7", "salon-six-jokers 6"]
)
def test_D3_every_deal_and_every_lot_is_proved(table: str, people: tuple[int, ...]) -> None:
    preset, players = table.split()
    log = log_proved(preset, int(players), people)
    assert verdicts(log) == [Verdict.PROVED] * 3
    bots = tuple(seat for seat in range(int(players)) if seat not in people)
    assert {event.house for event in log if isinstance(event, game.Committed)} == {bots}


def test_D3_commitments_are_numbered_without_a_gap_and_told_at_the_next_cut() -> None:
    log = log_proved("coeurs-cinq-coups", 4, people=(0,))
    kinds = (game.Committed, game.Contributed, game.Revealed, game.DealerDrawn, game.Dealt)
    story = [type(event).__name__ for event in log if isinstance(event, kinds)]
    cut = ["Committed", *["Contributed"] * 4]
    assert story == [
        *cut, "DealerDrawn", "Dealt",
        *cut, "Revealed", "Dealt",
        *cut, "Revealed", "Dealt",
        "Revealed",
    ]  # fmt: skip
    assert [event.number for event in log if isinstance(event, game.Committed)] == [1, 2, 3]
    assert [event.number for event in log if isinstance(event, game.Revealed)] == [1, 2, 3]


def test_D3_a_match_is_repeatable_from_the_seed_of_its_house() -> None:
    assert log_proved("salon", 5) == log_proved("salon", 5)


def test_D3_an_absent_persons_bytes_are_drawn_from_the_system() -> None:
    assert len(game.random_bytes(0)) == 16
    assert game.random_bytes(0) != game.random_bytes(0)


# The order of things


def proved_steps() -> list[Step]:
    rules = make_ruleset("coeurs", {"match_end": "deals:2"})
    return list(match(rules, seed=1, chance=game.ProvedChance(PROVING)))


STEPS = proved_steps()
DECK = STEPS[0].before.rules.cards
DRAW = game.DrawDealer((tuple(enumerate((Card("2C"), Card("3C"), Card("4C"), Card("5C")))),))


def before(kind: type, number: int = 1) -> game.MatchState:
    """Return the state before the `number`-th act of a kind."""
    return [step.before for step in STEPS if isinstance(step.action, kind)][number - 1]


def test_D3_nothing_is_drawn_or_dealt_before_everybody_has_contributed() -> None:
    first = before(game.Contribute)
    assert refused(first, DRAW).reason == "no_lots_due"
    last = before(game.Contribute, 4)
    assert refused(last, DRAW).reason == "no_lots_due"
    assert refused(before(game.Contribute, 8), game.DealCards(DECK)).reason == "not_dealing_now"


def test_D3_a_second_commitment_for_one_deal_is_refused() -> None:
    for number in (0, 1, 2):
        for state in (before(game.Contribute), before(game.DrawDealer), before(game.DealCards)):
            assert refused(state, game.Commit(number, b"d" * 32)).reason == "no_commitment_due"
    assert refused(before(game.Commit, 2), game.Commit(3, b"d" * 32)).clause == "D3"
    assert refused(before(game.Commit, 2), game.Commit(1, b"d" * 32)).clause == "D3"


def test_D3_nothing_is_committed_in_the_middle_of_a_deal() -> None:
    playing = next(step.after for step in STEPS if step.after.phase is game.Phase.PLAYING)
    assert refused(playing, game.Commit(2, b"d" * 32)).reason == "no_commitment_due"


def test_D3_cards_are_not_dealt_twice_by_one_commitment() -> None:
    assert refused(before(game.Commit, 2), game.DealCards(DECK)).reason == "not_dealing_now"


def test_D3_a_seat_contributes_once() -> None:
    state = after(before(game.Contribute), game.Contribute(0, b"mine"))
    assert refused(state, game.Contribute(0, b"other")).reason == "no_contribution_due"
    assert refused(before(game.DrawDealer), game.Contribute(0, b"late")).clause == "D3"


def test_D3_a_seat_that_does_not_reveal_in_time_is_left_out() -> None:
    state = before(game.Contribute)
    state = after(
        state, game.Contribute(0, None), *(game.Contribute(seat, b"x") for seat in (3, 1, 2))
    )
    assert state.proof is not None
    assert state.proof.contributions == (None, b"x", b"x", b"x")
    assert after(state, DRAW).phase is game.Phase.DEALING


def test_D3_the_secret_is_not_told_before_the_next_cut() -> None:
    revealed = game.Reveal(1, PROVING.secret(1))
    first_reveal = next(place for place, step in enumerate(STEPS) if step.action == revealed)
    for step in STEPS[:first_reveal]:
        assert refused(step.before, revealed).reason in {"too_soon_to_reveal", "nothing_to_reveal"}
    assert (
        refused(before(game.Reveal), game.Reveal(2, PROVING.secret(2))).reason
        == "nothing_to_reveal"
    )
    assert refused(STEPS[first_reveal].after, revealed).reason == "nothing_to_reveal"
    assert refused(STEPS[first_reveal].after, game.Reveal(2, PROVING.secret(2))).clause == "D3"


def test_D3_nothing_is_dealt_before_the_last_secret_is_told() -> None:
    assert refused(before(game.Reveal), game.DealCards(DECK)).reason == "not_dealing_now"


def test_D1_no_dealer_is_named_where_lots_are_proved() -> None:
    assert refused(before(game.DrawDealer), game.NameDealer(0)).reason == "no_lots_due"


def test_D3_until_its_secret_is_due_no_deal_is_called_unproved() -> None:
    """Wherever the match stops, even between a commitment and the secret of the deal before."""
    log: list[game.Event] = [start(STEPS[0].before.rules)]
    for step in STEPS:
        log += step.events
        revealed = verdicts(log)
        proved = len([event for event in log if isinstance(event, game.Revealed)])
        if step.after.phase is not game.Phase.ENDED:
            assert revealed == [Verdict.PROVED] * proved + [None] * (len(revealed) - proved)
