"""Records of refereed matches: written, read back, typed by hand, and their faults."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import PACK, any_rulesets, seeds, short
from kit.deals import RandomMatch
from kit.records import REFEREED, TEXTS, check_record, fault_of, line_of, read_back, resume
from kit.refereed import match, start, take

from volte import referee
from volte.cards import read_cards
from volte.game import ChooseMoon, DealCards, NameDealer, Play
from volte.game.actions import Refusal
from volte.notation import (
    FORMS,
    Recorder,
    format_record,
    parse_record,
)
from volte.rules import AtLimit, EndKind, Irregularities, Ruleset, make_ruleset


def refereed(players: int, settlement: str, deals: int = 2) -> Ruleset:
    """A short match of Les Cœurs at a table with a referee, with a kitty but for four players."""
    return make_ruleset(
        "coeurs-table",
        {"players": players, "settlement": settlement, "match_end": f"deals:{deals}"},
    )


def played(rules: Ruleset, seed: int, wild: float) -> list[tuple[referee.Event, ...]]:
    """A whole match, by action."""
    return [(start(rules),), *(step.events for step in match(rules, seed, wild))]


def joined(actions: Sequence[tuple[referee.Event, ...]]) -> list[referee.Event]:
    return [event for events in actions for event in events]


# Written and read back


@given(
    st.integers(3, 7),
    st.sampled_from(["none", "difference", "average", "pot"]),
    st.integers(0, 2**32),
    st.sampled_from([0, 0.05, 0.3, 0.8]),
    st.integers(0, 10**6),
)
@settings(max_examples=settings().max_examples // 2)
def test_any_refereed_match_is_read_back_wherever_it_stops(
    players: int, settlement: str, seed: int, wild: float, place: int
) -> None:
    actions = played(refereed(players, settlement), seed, wild)
    read_back(joined(actions))
    read_back(joined(actions[: 1 + place % len(actions)]))


@given(any_rulesets(), seeds, st.sampled_from([0, 0.2, 0.8]), st.integers(0, 10**6))
@settings(max_examples=settings().max_examples // 4)
def test_any_refereed_match_of_the_wider_family_is_read_back(
    rules: Ruleset, seed: int, wild: float, place: int
) -> None:
    with_referee = replace(rules, irregularities=Irregularities.REFEREED)
    actions = played(with_referee, seed, wild)
    read_back(joined(actions))
    read_back(joined(actions[: 1 + place % len(actions)]))


def summed_by_hand(text: str, rules: Ruleset) -> tuple[list[int], list[int]]:
    """Sums of the points of a record, deal by deal, and the last totals written there.

    In a deal the last `Points` count, after a claim; a total of just the limit may halve (W9).
    """
    end = rules.ending
    halves = end.at_limit is AtLimit.HALVES and end.match_end.kind is EndKind.LIMIT
    half = {end.match_end.number: end.match_end.number // 2} if halves else {}
    sums = written = points = [0] * rules.players
    for line in text.splitlines():
        word, _, rest = line.partition(": ")
        numbers = [int(number) for number in re.findall(r"-?\d+", rest.partition(",")[0])]
        if word == "Points":
            points = numbers
        elif word == "Totals":
            sums = [half.get(a + b, a + b) for a, b in zip(sums, points, strict=True)]
            written = numbers
    return sums, written


@given(any_rulesets(), seeds, st.booleans(), st.sampled_from([0, 0.1]))
@settings(max_examples=settings().max_examples // 4)
def test_W7_W9_points_added_up_by_hand_are_the_totals(
    rules: Ruleset, seed: int, refereed: bool, wild: float
) -> None:
    kind = Irregularities.REFEREED if refereed else Irregularities.ENFORCED
    rules = replace(rules, irregularities=kind)
    log = joined(played(rules, seed, wild)) if refereed else RandomMatch(rules, seed).log
    sums, written = summed_by_hand(format_record(log), rules)
    assert sums == written


@pytest.mark.parametrize("minus", [False, True])
def test_W7_points_are_written_once_the_shooter_has_chosen(minus: bool) -> None:
    log = [start(SHOOTER), *chosen_moon(minus)]
    text, word = format_record(log), "minus" if minus else "plus"
    points = "-3 0 0" if minus else "0 3 3"
    assert text.count("Points: ") == 1
    assert f"Moon: 1 {word}\nPoints: {points}, moon 1\nCut: 3\nTotals: {points}\n" in text
    read_back(log)
    older = text.replace("Moon: 1", "Points: 0 3 3, moon 1\nMoon: 1")
    assert list(parse_record(older).log) == log
    before = text[: text.index("Moon: 1")]
    assert "Points" not in before
    read_back(parse_record(before).log)


SHOOTER = make_ruleset(
    "coeurs-table",
    {
        "players": 3,
        "removed": [str(card) for card in PACK if card not in read_cards("C: 23A H: 23A")],
        "kitty": "none",
        "pass_count": 0,
        "match_end": "deals:2",
        "moon": "shooter_chooses",
    },
)


def chosen_moon(minus: bool) -> list[referee.Event]:
    """A deal in which the first seat shoots the moon, and chooses."""
    state = referee.replay([start(SHOOTER)])
    actions: list[referee.Action] = [NameDealer(2), DealCards(read_cards("AC 2C 3C AH 2H 3H"))]
    actions += [Play(place % 3, card) for place, card in enumerate(read_cards("AC 2C 3C AH 2H 3H"))]
    actions += [referee.TurnDown(0), ChooseMoon(0, minus), referee.Cut(2)]
    happened: list[referee.Event] = []
    for action in actions:
        step = take(state, action)
        state = step.after
        happened += step.events
    return happened


@pytest.mark.parametrize(("players", "seed"), [(4, 8), (7, 3)])
def test_a_match_may_stop_after_any_act(players: int, seed: int) -> None:
    actions = played(refereed(players, "pot", deals=1), seed, wild=0.4)
    for place in range(1, len(actions) + 1):
        read_back(joined(actions[:place]))


@pytest.mark.parametrize("name", ["dame-de-pique", "salon", "salon-valet"])
def test_any_preset_may_have_a_referee(name: str) -> None:
    rules = make_ruleset(name, {"irregularities": "refereed", "match_end": "deals:2"})
    read_back(joined(played(rules, seed=2, wild=0.3)))


def test_a_lawful_match_with_claims_and_undo_is_read_back() -> None:
    for seed in range(4):
        read_back(RandomMatch(short("coeurs", 4), seed).log)


# Typed by hand


@pytest.mark.parametrize("name", REFEREED)
def test_a_record_typed_by_hand_is_read(name: str) -> None:
    record = read_back(parse_record(TEXTS[name]).log)
    plain = re.sub(r"\s*;.*", "", TEXTS[name])
    assert format_record(record.log).replace("\n\n", "\n") == plain.replace("\n\n", "\n")


def kinds(name: str, *kind: type[referee.Event]) -> list[referee.Event]:
    return [event for event in parse_record(TEXTS[name]).log if isinstance(event, kind)]


def test_the_goldens_show_what_they_are_for() -> None:
    by = [(event.seat, event.clause) for event in kinds("put-right", referee.TakenBack)]  # type: ignore[union-attr]
    assert by == [(0, "I4"), (0, "I3")]
    (claim,) = kinds("claimed", referee.RevokeClaimed)
    assert claim == referee.RevokeClaimed(0, 2, 4, "T1")
    assert parse_record(TEXTS["claimed"]).state.net == (8, 8, -25, 9)
    assert kinds("premature", referee.Objected) == [referee.Objected(3, 1, "I2")]
    mistaken = kinds("mistaken", referee.Objected, referee.RevokeClaimed)
    assert [event.clause for event in mistaken] == ["", "", ""]  # type: ignore[union-attr]
    assert kinds("mistaken", referee.DealCut)
    assert kinds("short-hand", referee.Misdealt, referee.RestTaken) == [
        referee.Misdealt(1, referee.Misdeal.COUNT),
        referee.RestTaken(5, read_cards("JC AD 2S QS 2H AH"), tricks=1),
    ]
    assert kinds("misdeal", referee.Misdealt)
    misdealt = parse_record(TEXTS["misdeal"]).state
    assert isinstance(misdealt, referee.RefereedMatch)
    assert misdealt.offenders == ((1,),)


def without(text: str, pattern: str) -> str:
    """The text without the matches of a pattern, of which there must be one."""
    fewer, found = re.subn(pattern, "", text, flags=re.MULTILINE)
    assert found
    return fewer


@pytest.mark.parametrize("name", REFEREED)
def test_what_follows_from_the_rest_may_be_left_out(name: str) -> None:
    log = parse_record(TEXTS[name]).log
    fewer = re.sub(r"(?m)^(Points|Totals|Winners|Stakes):.*\n", "", TEXTS[name])
    assert parse_record(fewer).log == log
    fewer = re.sub(r"(?m)^((Object|Revoke) .*),.*$", r"\1", TEXTS[name])
    assert parse_record(fewer).log == log


def test_the_card_that_goes_back_need_not_be_told_after_an_objection() -> None:
    fewer = without(TEXTS["premature"], "^Back 2.*\n")
    assert parse_record(fewer).log == parse_record(TEXTS["premature"]).log


def test_the_next_lead_turns_a_trick_down() -> None:
    fewer = without(TEXTS["put-right"], ", [1-4] takes(?=.*\nTrick)")
    assert parse_record(fewer).log == parse_record(TEXTS["put-right"]).log


def test_the_totals_say_that_the_last_trick_is_turned_down_and_the_cards_are_cut() -> None:
    text, log = TEXTS["mistaken"], parse_record(TEXTS["mistaken"]).log
    assert parse_record(without(text, r"^Cut.*\n")).log == log
    unclaimed = without(text, r"^(Revoke 1: 3 in trick 5|Cut).*\n")
    cut = parse_record(unclaimed)
    assert parse_record(without(unclaimed, r"(?<=3S), 4 takes|^Points.*\n")).log == cut.log
    assert cut.state.deals


def test_what_comes_after_the_last_deal_says_that_everybody_has_accepted_it() -> None:
    log = parse_record(TEXTS["claimed"]).log
    assert parse_record(without(TEXTS["claimed"], r"^Accept.*\n")).log == log
    assert (
        parse_record(without(TEXTS["claimed"], r"^(Accept|Points|Totals|Winners).*\n")).log == log
    )


def test_what_was_played_by_the_rules_before_there_were_referees_is_still_a_record() -> None:
    for name in ("moon", "lots", "coeurs-five-with-kitty"):
        text = TEXTS[name]
        refereed = re.sub("(?m)^(Rules:.*)$", r"\1 irregularities=refereed", text)
        record = parse_record(refereed)
        assert record.finished
        assert record.state.net == parse_record(text).state.net
        read_back(record.log)


def test_a_full_trick_is_not_turned_down_by_the_end_of_the_text() -> None:
    lines = without(TEXTS["claimed"], ", 2 takes  ; and there it is$").splitlines(keepends=True)
    end = next(place for place, line in enumerate(lines) if line.startswith("Trick 6"))
    state = parse_record("".join(lines[:end])).state
    assert isinstance(state, referee.RefereedMatch)
    assert state.lying.full
    assert state.lying.trick_number == 5


# Faults that are not in `faults.txt`


def test_I9_a_revoke_of_ones_own_is_on_record() -> None:
    text = TEXTS["claimed"].replace("Revoke 1: 3 in trick 4", "Revoke 3: 3 in trick 4")
    log = parse_record(text).log
    assert referee.RevokeClaimed(2, 2, 4, "T1") in log
    assert "Revoke 3: 3 in trick 4, T1\n" in format_record(log)
    read_back(log)


def test_I7_a_record_from_before_that_rules_on_a_single_trick_is_still_read() -> None:
    text = TEXTS["claimed"].replace("Revoke 1: 3 in trick 4, T1", "Mixed: 4")
    text = text[: text.index("Accept")].replace("0 0 25 0, stopped by 3", "0 0 0 25, stopped by 4")
    record = parse_record(text)
    assert isinstance(record.state, referee.RefereedMatch)
    assert record.state.lying.won[3] == 1
    assert (record.state.lying.offenders, record.state.lying.mixed) == ((3,), (3,))
    read_back(record.log)


def test_there_is_no_referee_at_a_lawful_table() -> None:
    text = TEXTS["put-right"].replace("coeurs-table", "coeurs")
    fault = fault_of(text)
    assert (fault.reason, fault.line) == ("refused", line_of(text, "Trick 2"))
    lines = text[: text.index("Trick 2")]
    for word in ("Object 2: 1", "Back 1: QD", "Mixed: 3", "Cut: 1", "Accept: 1", "Misdeal: count"):
        assert fault_of(f"{lines}{word}\n").params["refusal"] == Refusal("no_referee")


def test_I8_what_is_not_said_to_be_missing_is_no_short_hand() -> None:
    text = without(TEXTS["short-hand"], "^Missing.*\n")
    fault = fault_of(text)
    assert (fault.reason, fault.line) == ("wrong_number", line_of(text, "Hand 6"))
    text = TEXTS["short-hand"].replace("Hand 1: S: 3 H: 3", "Hand 1: H: 3")
    fault = fault_of(text)
    assert (fault.reason, fault.line) == ("wrong_statement", line_of(text, "Pass 1"))
    text = without(text, "^Kitty.*\n")
    fault = fault_of(text)
    assert fault.params["text"] == "Missing: 6H"
    assert fault.params["refusal"] == Refusal("not_the_deck", "D4")
    assert not check_record(TEXTS["short-hand"].replace("-table", "")).record


@given(st.sampled_from(sorted(REFEREED)), st.randoms(use_true_random=False))
def test_any_text_is_a_record_or_has_a_fault_with_a_line(name: str, rng: random.Random) -> None:
    lines = TEXTS[name].splitlines()
    for _ in range(3):
        place = rng.randrange(1, len(lines))
        other = rng.choice([*lines, *FORMS.values()])
        lines[place : place + rng.randrange(2)] = [other]
    report = check_record("\n".join([*lines, ""]))
    assert (report.record is None) == (report.fault is not None)
    if report.fault is not None:
        assert 1 <= report.fault.line <= len(lines)


# Saved while it is played


def test_a_refereed_match_goes_on_from_its_record(tmp_path: Path) -> None:
    actions = played(refereed(4, "difference"), seed=5, wild=0.3)
    path = tmp_path / "match.volte"
    recorder = Recorder(path, actions[0])
    log = list(actions[0])
    for events in actions[1:]:
        log += events
        recorder(referee.ENGINE.replay(log), events)
        again, master = resume(path.read_bytes())
        assert list(again) == log
        assert master is None
