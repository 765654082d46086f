"""`referee.ENGINE` drives, stores and sends matches of both kinds, with a referee or without."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit import because, short
from kit.owners import seated
from kit.records import resume
from kit.refereed import match, start

from volte import referee
from volte.fair import House, Verdict
from volte.game import Driver, Phase, PlainChance, ProvedChance
from volte.notation import RecordFault, format_record, parse_record, prove_record
from volte.referee.codec import decode_action, decode_event, encode
from volte.rules import PRESETS, make_ruleset
from volte.view import project


@pytest.mark.parametrize("refereed", [False, True])
@pytest.mark.parametrize("preset", PRESETS)
def test_the_driver_runs_a_match_of_either_kind(preset: str, refereed: bool) -> None:
    rules = short(preset, refereed=refereed)
    owners = seated(rules.players)
    driver = Driver([start(rules)], owners, PlainChance(3), engine=referee.ENGINE)
    end = driver.run()
    assert (end.phase, len(end.deals)) == (Phase.ENDED, 2)
    assert isinstance(end, referee.RefereedMatch) == refereed
    assert referee.replay(driver.log) == end
    for owner in owners:
        assert owner.state == project(end, owner.seat)
        assert not owner.refusals


def test_where_nobody_errs_a_referee_changes_no_score() -> None:
    ends = []
    for refereed in (False, True):
        rules = short("coeurs", refereed=refereed)
        owners = seated(4)
        ends.append(Driver([start(rules)], owners, PlainChance(3), engine=referee.ENGINE).run())
    assert ends[0].deals == ends[1].deals
    assert (ends[0].net, ends[0].winners) == (ends[1].net, ends[1].winners)


# Chance that is proved


def proved(seed: str) -> tuple[Driver, House]:
    rules, house = short("coeurs", refereed=True), House.from_seed(seed)
    owners = seated(4)
    return Driver([start(rules)], owners, ProvedChance(house), engine=referee.ENGINE), house


def test_a_refereed_match_dealt_from_commitments_is_proved_and_goes_on_from_its_record() -> None:
    driver, house = proved("refereed")
    while driver.step():
        log, master = resume(format_record(driver.log, house.master))
        assert (list(log), master) == (driver.log, house.master)
    proofs = prove_record(parse_record(format_record(driver.log)))
    assert [proof.verdict for proof in proofs] == [Verdict.PROVED] * 2
    with pytest.raises(RecordFault, check=because("no_master")):
        resume(format_record(driver.log[:20]))


def test_I1_a_misdeal_is_proved_like_any_deal() -> None:
    driver, _ = proved("misdealt")
    while driver.state.phase is not Phase.PASSING:
        driver.step()
    assert driver.submit(referee.DeclareMisdeal(referee.Misdeal.COUNT)) is None
    driver.run()
    record = parse_record(format_record(driver.log))
    assert list(record.log) == driver.log
    assert [proof.verdict for proof in prove_record(record)] == [Verdict.PROVED] * 3


# As data


@given(st.integers(3, 7), st.integers(0, 2**32), st.sampled_from([0.1, 0.8]))
def test_what_happens_at_a_refereed_table_is_read_back(
    players: int, seed: int, wild: float
) -> None:
    rules = make_ruleset("coeurs-table", {"players": players})
    for step in match(rules, seed, wild):
        for event in step.events:
            for seen in (event, referee.visible(event, 0), referee.visible(event, None)):
                assert decode_event(encode(seen)) == seen
        if isinstance(step.action, referee.SeatAction):
            assert decode_action(encode(step.action)) == step.action


def test_every_act_and_event_of_a_referee_is_read_back() -> None:
    actions: list[referee.RefereedSeatAction] = [
        referee.TakeBack(0),
        referee.Object(0, 1),
        referee.TurnDown(2),
        referee.ClaimRevoke(0, 1, 5),
        referee.Cut(3),
        referee.Accept(6),
    ]
    assert {type(action) for action in actions} == set(referee.RefereedSeatAction.__args__)
    for action in actions:
        assert decode_action(encode(action)) == action
    seen = {
        type(event)
        for seed in range(20)
        for step in match(short("coeurs-table", refereed=True), seed)
        for event in step.events
    }
    assert set(referee.RefereedEvent.__args__) - seen == {
        referee.Misdealt,
        referee.HandsShort,
        referee.RestTaken,
    }


def test_what_the_house_does_is_no_act_of_a_seat() -> None:
    for action in (referee.MixTricks(1), referee.DeclareMisdeal(referee.Misdeal.EXPOSED)):
        with pytest.raises(msgspec.ValidationError):
            decode_action(encode(action))
    assert encode(referee.Object(2, 0)) == b'{"action":"Object","seat":2,"against":0}'
