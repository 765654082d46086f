"""Cards that are given to a match: they are dealt, nobody sees them before, and a proof holds."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit import any_rulesets, seeds
from kit.records import read_back
from kit.tables import ANNE, Table, setup
from msgspec.structs import replace

from volte import game
from volte.cards import Card
from volte.fair import Verdict
from volte.game import CardsOrigin, hands_of
from volte.game.codec import encode
from volte.notation import prove_record
from volte.referee import Event
from volte.rules import EndKind, Ruleset
from volte.table import Setup, Watching
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.stored import listing_of
from volte.table.viewpoints import EVERYTHING, MatchLog, Viewpoint

ORIGIN: Final = CardsOrigin("5c0ffee5", 1)


def decks_of(rules: Ruleset, deals: int, seed: int) -> tuple[tuple[Card, ...], ...]:
    """That many decks of a table, each in some order."""
    rng, cards = random.Random(seed), rules.cards
    return tuple(tuple(rng.sample(cards, len(cards))) for _ in range(deals))


def given_to(setting: Setup, deals: int, seed: int = 1, dealer: int = 0) -> Table:
    """A table of Anne and bots, to which cards have been given, and whose match has begun."""
    at = Table(setting, seed)
    at.do(ANNE, cmd.Sit(0))
    decks = decks_of(setting.rules, deals, seed)
    at.take((hap.CardsGiven(decks, dealer, ORIGIN),))
    at.do(ANNE, cmd.Start())
    return at


@given(any_rulesets(most_cards=18), st.integers(1, 3), seeds, st.data())
def test_the_cards_dealt_are_those_given_and_the_match_ends_with_them(
    rules: Ruleset, deals: int, seed: int, data: st.DataObject
) -> None:
    dealer = data.draw(st.integers(0, rules.players - 1))
    at = given_to(Setup("Chez Anne", rules), deals, seed, dealer)
    decks = at.state.decks
    at.play_on()
    dealt = [each for each in at.match_log() if isinstance(each, game.Dealt)]
    assert len(dealt) == deals
    for number, (deal, deck) in enumerate(zip(dealt, decks, strict=True)):
        assert deal.dealer == (dealer + number) % rules.players
        assert (deal.hands, deal.kitty) == hands_of(deck, rules.players, deal.dealer)
    assert not at.state.under_way
    assert at.match.rules.ending.match_end.kind is EndKind.DEALS
    record = read_back(at.match_log())
    assert record.state.cards == ORIGIN
    assert {each.verdict for each in prove_record(record)} == {Verdict.PROVED}


def hidden_cards(deck: tuple[Card, ...]) -> bytes:
    """The beginning of a deck as it would stand in data."""
    return encode(deck)[1:40]


@pytest.mark.parametrize("viewpoint", [None, 0, 1, EVERYTHING])
def test_no_viewpoint_shows_cards_that_are_still_to_come(viewpoint: Viewpoint) -> None:
    setting = setup("salon", watching=Watching.AFTERWARDS)
    at, log = given_to(setting, 3), MatchLog()
    decks = at.state.decks
    for step in range(4000):
        if not at.state.under_way:
            break
        log.add(at.log[log.version :])
        if step % 20 == 0:
            seen = log.fold(viewpoint)
            assert not any(seen.decks)
            assert seen.coming is None or not any(seen.coming.decks)
            shown = b"".join(encode(each) for each in log.since(viewpoint, 0).happenings)
            assert all(hidden_cards(deck) not in shown for deck in decks)
        assert at.step()
    assert len(at.match.deals) == 3


def test_the_cards_given_are_in_the_log_alone() -> None:
    at = Table(setup("salon"))
    at.do(ANNE, cmd.Sit(0))
    decks = decks_of(at.state.setup.rules, 2, 7)
    at.take((hap.CardsGiven(decks, 3, ORIGIN),))
    log = MatchLog()
    log.add(at.log)
    for viewpoint in (None, 0, 2, EVERYTHING):
        seen = log.fold(viewpoint).coming
        assert seen == hap.CardsGiven(((), ()), 3, ORIGIN)
        assert log.news(viewpoint, 0).happenings[-1] == seen
    listing = listing_of("table", at.state, "")
    assert hidden_cards(decks[0]) not in encode(listing.summary)
    # Whoever comes once the match has begun sees it from there, from a state that had the cards.
    at.do(ANNE, cmd.Start())
    log.add(at.log[log.version :])
    assert not any(any(log.fold(viewpoint).decks) for viewpoint in (1, 3, EVERYTHING))


def test_a_table_whose_cards_are_set_stays_as_it_is() -> None:
    at = Table(setup("salon"))
    at.take((hap.CardsGiven(decks_of(at.state.setup.rules, 1, 7), 0, CardsOrigin()),))
    assert at.refused(ANNE, cmd.Change(setup("coeurs"))) == "cards_are_set"


def cheated(log: Sequence[Event], number: int) -> tuple[Event, ...]:
    """The log with two cards of a deal in each other's hands."""
    found = next(e for e in log if isinstance(e, game.Dealt) and e.number == number)
    first, second, *rest = (hand or () for hand in found.hands)
    swapped = ((*first[1:], second[0]), (first[0], *second[1:]), *rest)
    other = replace(found, hands=tuple(tuple(sorted(hand)) for hand in swapped))
    return tuple(other if each is found else each for each in log)


@pytest.mark.parametrize("number", [1, 2])
def test_a_proof_finds_other_cards_than_the_seal_holds(number: int) -> None:
    at = given_to(setup("salon"), 2)
    at.play_on()
    record = read_back(at.match_log())
    altered = dataclasses.replace(record, log=cheated(record.log, number))
    verdicts = [each.verdict for each in prove_record(altered)]
    assert verdicts[number - 1] is Verdict.COMMITMENT_BROKEN
    assert verdicts[2 - number] is Verdict.PROVED
