"""Laws of the front, at any table: copies go on alike, records are read back, no card is shown."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.front import on_by_chance
from kit.strategies import any_rulesets, few, recounted, rulesets, seeds

import volte
from volte.cards import CARDS, mask_of
from volte.game import MatchStarted, Player
from volte.referee import RefereedDeal, visible
from volte.rules import Irregularities

WAYS: Final[dict[str, Callable[[volte.Match], volte.Match]]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda match: pickle.loads(pickle.dumps(match)),
}


@st.composite
def matches(draw: st.DrawFn) -> volte.Match:
    """A match at any table, with a referee or without, at any moment."""
    rules = draw(any_rulesets(most_cards=20))
    rules = replace(rules, irregularities=draw(st.sampled_from(Irregularities)))
    match = volte.Match(rules, seed=draw(seeds))
    return on_by_chance(match, draw(st.integers(0, 40)), draw(st.integers(0, 99)))


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=few(5, 300))
@given(match=matches(), seed=st.integers(0, 99))
def test_copies_are_dealt_and_go_on_alike(way: str, match: volte.Match, seed: int) -> None:
    before = match.log
    other = WAYS[way](match)
    assert other == match
    on_by_chance(other, 60, seed)
    assert match.log == before
    assert on_by_chance(match, 60, seed) == other


@given(match=matches())
def test_records_are_read_back(match: volte.Match) -> None:
    again = volte.read(match.record())
    assert again == match
    assert again.state == match.state
    assert again.legal == match.legal


@given(match=matches())
def test_what_is_shown_follows_from_what_may_be_seen(match: volte.Match) -> None:
    """From the visible events alone, the same text is made: so nothing else is in it."""
    for seat in (None, *range(match.rules.players)):
        seen = volte.View.of(seat, [visible(event, seat) for event in match.log])
        view = match.view(seat)
        assert str(seen) == str(view)
        assert seen._repr_html_() == view._repr_html_()
    assert str(match) == str(match.view(None))
    assert match._repr_html_() == match.view(None)._repr_html_()


CARD: Final = re.compile(r"\b(?:[2-9TJQKA][CDSH]|[RB]J)\b'?")


@given(match=matches())
def test_no_card_is_shown_that_a_seat_may_not_see(match: volte.Match) -> None:
    deal = match.state.deal
    assert deal is not None
    laid = deal.laid if isinstance(deal, RefereedDeal) else ()
    table = {*deal.trick, *(each.card for each in laid)}
    for text in (str(match), repr(match)):
        assert {volte.Card(word) for word in CARD.findall(text)} <= table
    assert shown(match) <= table
    for seat in range(match.rules.players):
        view = match.view(seat)
        assert shown(view) == table | {*view.hand}


def shown(drawn: Any) -> set[volte.Card]:
    """The cards in the HTML for notebooks."""
    texts = re.findall(r">([^<>]+)</span>", drawn._repr_html_().replace("&#x27;", "'"))
    return {volte.Card(text.replace("10", "T")) for text in texts}


# Records and texts read back


@given(st.sampled_from(CARDS), st.integers(0, 2 ** len(CARDS) - 1))
def test_cards_are_read_from_what_they_are_written_as(card: volte.Card, mask: int) -> None:
    assert eval(repr(card), vars(volte)) is card
    assert mask_of(eval(repr(volte.CardSet(mask)), vars(volte))) == mask


@given(any_rulesets())
def test_rulesets_are_read_from_what_they_are_written_as(rules: volte.Ruleset) -> None:
    assert eval(repr(rules), {"ruleset": volte.ruleset}) == rules


@given(recounted(rulesets()))
def test_a_ruleset_that_options_cannot_say_is_written_by_its_groups(rules: volte.Ruleset) -> None:
    if repr(rules).startswith("Ruleset"):
        assert "points=Points(table=" in repr(rules)
    else:
        assert eval(repr(rules), {"ruleset": volte.ruleset}) == rules


# Notebooks


class Reader(HTMLParser):
    """Checks that elements are closed in order, and collects their attributes and text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@given(match=matches(), name=st.text())
def test_html_has_headers_names_for_cards_and_no_script(match: volte.Match, name: str) -> None:
    reader = Reader()
    players = (Player(name or "x"), *match.players[1:])
    started = MatchStarted(match.rules, players)
    named = volte.Match.of([started, *match.log[1:]], match._driver._chance)
    reader.feed(named.view(0)._repr_html_())
    assert not reader.open
    assert {tag for tag, _ in reader.seen} <= {
        *("table", "caption", "thead", "tbody", "tr", "th", "td", "p", "span")
    }
    scopes = [attributes["scope"] for tag, attributes in reader.seen if tag == "th"]
    assert scopes == ["col"] * 7 + ["row"] * match.rules.players
    spans = [attributes for tag, attributes in reader.seen if tag == "span"]
    assert all(each["role"] == "img" and each["aria-label"] for each in spans)
