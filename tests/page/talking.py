"""Reports for moderators to look at, and somebody who may."""

from __future__ import annotations

import time

from kit.sites import House
from msgspec.structs import replace
from page.players import Player

from volte.people.store import Accounts
from volte.talk.reports import Evidence, frozen
from volte.talk.store import Measure, Report, Said, TalkStore

AT = 1_790_000_000.0


def name_moderator(player: Player, house: House) -> None:
    """Lets the player moderate."""
    house.do(house.site.room.store[Accounts].put_role(person_of(player), "moderator"))


def report_somebody(player: Player, house: House) -> None:
    """A report about somebody who has talked, as the player will find it."""
    house.do(house.site.room.store[TalkStore].report(some_report()))


def measure_somebody(player: Player, house: House) -> None:
    """Has another moderator decide such a report."""
    talk, report = house.site.room.store[TalkStore], some_report()
    kind, why = "silence", "Nobody is a lamp post here."
    measure = Measure(f"m{report.id}", report.against, kind, why, "mia", report.id, AT + 90)
    house.do(talk.report(report))
    decided = replace(report, decision="silence_ever", decided_by="mia", decided=AT + 90)
    house.do(talk.decide(decided, measure))


def some_report() -> Report:
    """Ann reports what Bob has said."""
    said = tuple(
        Said("table", number, "table", person, person.title(), phrase, text, AT + number)
        for number, (person, phrase, text) in enumerate(
            [("ann", "hello", ""), ("bob", "", "You play like a lamp post!"), ("ann", "sorry", "")],
            start=1,
        )
    )
    evidence = Evidence("Table", "", "Ann", "Bob", (2,), said)
    note, name = "He says that all the time.", f"r{time.monotonic_ns()}"
    return Report(name, "table", "ann", "bob", "insult", note, frozen(evidence), AT + 60)


def person_of(player: Player) -> str:
    """The id of somebody who has come in."""
    person: str = player.context.request.get(f"{player.address}/api/me").json()["person"]
    return person
