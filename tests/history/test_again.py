"""The pages of two matches with the same cards: each leads to the other, for those who see both."""

from __future__ import annotations

import secrets
import time

import pytest
from kit import Playroom, Visitor
from kit.spoken import EVERY
from kit.tables import ANNE, Table, setup
from kit.visits import Visit

from volte.fair import House
from volte.game import MatchStarted
from volte.history.match_page import key_of
from volte.referee.codec import encode
from volte.store import MatchRow
from volte.table import Watching, decide
from volte.table import commands as cmd
from volte.table.stored import listing_of


def two_matches(playroom: Playroom, visitor: Visitor) -> tuple[MatchRow, MatchRow]:
    """A match of the visitor and bots, and the one that has dealt its cards again."""
    me = visitor.client.get("/api/me").json()["person"]
    first, table = secrets.token_hex(8), secrets.token_hex(8)
    at = Table(setup("salon", match_end="deals:2", watching=Watching.NOBODY), seat=0)
    at.do(ANNE, cmd.Start())
    at.play_on()
    over = len(at.log)
    at.take(decide(at.state, ANNE, cmd.DealAgain(), at.state.version, last=first))
    at.play_on()
    entries = [encode(each).replace(b'"anne"', f'"{me}"'.encode()) for each in at.log]
    begun = [place for place, each in enumerate(at.log, 1) if isinstance(each, MatchStarted)]
    now, master = time.time(), House.from_seed(1).master
    rows = (
        MatchRow(first, table, begun[0], master, now, (me, "", "", ""), over, now),
        MatchRow(
            *(secrets.token_hex(8), table, begun[1], master, now),
            *(("", me, "", ""), len(entries), now),
        ),
    )
    listing = listing_of(table, at.state, "")
    store = playroom.site.room.store
    playroom.do(store.append(table, 0, entries, listing=listing, matches=rows))
    return rows


@pytest.mark.parametrize("lang", EVERY)
def test_the_later_match_shows_both_sheets_side_by_side(
    visit: Visit, playroom: Playroom, lang: str
) -> None:
    zoe = visit("Zoé", lang)
    old, new = two_matches(playroom, zoe)
    page = zoe.get(f"/matches/{new.id}")
    assert page.wrong == []
    assert page.all("a", href=f"/matches/{old.id}")
    assert page.all("h2", id="beside-title")
    before = zoe.get(f"/matches/{old.id}")
    assert before.wrong == []
    assert before.all("a", href=f"/matches/{new.id}")
    assert not before.all("h2", id="beside-title")
    if lang == "en":
        assert "With the same cards, Alice had" in page.text


def test_whoever_has_the_address_of_one_match_does_not_get_to_the_other(
    visit: Visit, playroom: Playroom
) -> None:
    old, new = two_matches(playroom, visit("Zoé"))
    stranger = visit("Lou")
    for row, other in ((old, new), (new, old)):
        page = stranger.get(f"/matches/{row.id}?key={key_of(row)}")
        assert page.status == 200
        assert other.id not in page.text
        assert not page.all("h2", id="beside-title")
