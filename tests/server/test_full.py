"""Somebody who comes to a table whose seats people have taken: ways on, each by one press."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from kit import Page, Player, Playroom, Visitor

from volte.rules import make_ruleset
from volte.table import Access, Setup, Someone
from volte.table.commands import Sit, Start
from volte.table.live import LiveTable


@pytest.fixture
def host(playroom: Playroom) -> Iterator[Visitor]:
    with Visitor(playroom.address) as somebody:
        somebody.come_in("Anne")
        yield somebody


def opened(playroom: Playroom, host: Visitor, people: int = 1, **fields: Any) -> LiveTable:
    """A table for three of that host, with so many people."""
    asked = {"preset": "omnibus", "players": "3", "seat1": "", "seat2": "", "access": "public"}
    asked |= fields
    live = playroom.live(host.open_table(**asked).table)
    for seat, name in enumerate(("Ben", "Cleo")[: people - 1], start=1):
        assert (
            playroom.do(live.do(Someone(name, name), Sit(seat), live.state.version)).refusal is None
        )
    return live


def links(page: Page) -> set[str]:
    return {found["href"] for found in page.all("a")}


def at_a_table(page: Page) -> bool:
    return bool(page.all("div", id="table"))


def test_a_full_table_leads_to_another_by_the_same_rules_and_to_watching(
    playroom: Playroom, host: Visitor, visitor: Visitor
) -> None:
    full = opened(playroom, host, 3, name="Full")
    same = opened(playroom, host, 2, name="Same rules")
    others = [
        opened(playroom, host, name="Four", players="4", seat3=""),
        opened(playroom, host, name="Locked", access="password", password="caramel"),
        opened(playroom, host, name="Unlisted", access="link"),
        opened(playroom, host, 3, name="Full as well"),
    ]
    visitor.come_in("Dan")
    for query in ("", "?sit"):
        page = visitor.get(f"/tables/{full.id}{query}")
        assert (page.status, page.wrong) == (200, [])
        assert "Every seat is taken: Full" in page.text
        assert f"/tables/{same.id}?sit" in links(page)
        assert not any(other.id in href for href in links(page) for other in others)
    assert f"/tables/{full.id}?watch" in links(page)
    assert at_a_table(visitor.get(f"/tables/{full.id}?watch"))
    assert at_a_table(visitor.get(f"/tables/{same.id}?sit"))


def test_the_people_of_a_full_table_come_back_to_it(playroom: Playroom, host: Visitor) -> None:
    assert at_a_table(host.get(f"/tables/{opened(playroom, host, 3).id}"))


def test_one_press_opens_the_same_table_once_more_for_oneself(
    playroom: Playroom, host: Visitor, visitor: Visitor
) -> None:
    full = opened(playroom, host, 3, clock="45", access="password", password="caramel")
    visitor.come_in("Dan")
    visitor.post(f"/tables/{full.id}/enter", {"password": "caramel"})
    page = visitor.get(f"/tables/{full.id}")
    ((path, fields),) = [form for form in page.forms() if form[0].endswith("/another")]
    tables = [visitor.post(path, fields).table for _ in range(2)]
    assert tables[0] == tables[1] != full.id
    state = playroom.live(tables[0]).state
    assert (state.setup.rules, state.setup.clock) == (full.state.setup.rules, 45)
    assert (state.host_name, [seat.name for seat in state.seats]) == ("Dan", ["Dan", "", ""])
    assert state.setup.access is Access.LINK  # the password is Anne's


def test_a_table_that_nobody_may_watch_leads_elsewhere_too(
    playroom: Playroom, host: Visitor, visitor: Visitor
) -> None:
    full = opened(playroom, host, 3, watching="nobody", name="Unseen")
    anne = Someone(full.state.host, "Anne")
    assert playroom.do(full.do(anne, Start(), full.state.version)).refusal is None
    visitor.come_in("Dan")
    page = visitor.get(f"/tables/{full.id}")
    assert (page.status, page.wrong) == (403, [])
    assert not any("?watch" in href for href in links(page))
    assert at_a_table(visitor.post(f"/tables/{full.id}/another"))


def test_a_stranger_learns_before_the_name_that_every_seat_is_taken(
    playroom: Playroom, host: Visitor, visitor: Visitor
) -> None:
    full = opened(playroom, host, 3)
    page = visitor.get(f"/tables/{full.id}")
    assert "All the seats at this table are taken." in page.text
    assert [found["value"] for found in page.all("button", name="next")] == [f"/tables/{full.id}"]
    page = visitor.post("/guest", {"name": "Dan", "next": f"/tables/{full.id}"})
    assert "Every seat is taken" in page.text


def test_a_full_meeting_table_leads_to_play_with_people_by_the_same_rules(
    playroom: Playroom, visitor: Visitor
) -> None:
    rules = make_ruleset("omnibus", {"players": 3})
    host = playroom.do(Player.come(playroom.address))
    full = playroom.live(playroom.do(host.open_table((), Setup("M", rules, meeting=True))))
    for seat, name in enumerate(("Ben", "Cleo"), start=1):
        playroom.do(full.do(Someone(name, name), Sit(seat), full.state.version))
    visitor.come_in("Dan")
    ((path, fields),) = [
        form for form in visitor.get(f"/tables/{full.id}").forms() if form[0] == "/meet"
    ]
    setup = playroom.live(visitor.post(path, fields).table).state.setup
    assert (setup.meeting, setup.rules) == (True, rules)
