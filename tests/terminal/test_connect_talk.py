"""Talk at a shared table, mutes and reports, typed and told in lines."""

from __future__ import annotations

from pathlib import Path

from kit.sites import Playroom
from kit.terminals import Guest

from volte.talk.reports import thawed
from volte.talk.store import TalkStore

TALKS = Path(__file__).with_name("talk.txt").read_text(encoding="utf-8").split("\n\n")
PEOPLE, ALONE, MUTED = ([row for row in talk.splitlines() if row[0] != "#"] for talk in TALKS)


def held(rows: list[str], *guests: Guest) -> None:
    """Lets people talk at a new table, row by row, and go."""
    table = guests[0].open("", "casual", "casual")
    coming = {guest.who.name: guest for guest in guests}
    for row in rows:
        name, after, *line = row.split(" | ")
        guest = next(each for each in guests if each.who.name == name)
        if coming.pop(name, None):
            guest.sit(table, at_terminal=True)
        guest.hears(after)
        if line:
            guest.type("", line[0].removeprefix("-"))
    for guest in guests:
        guest.type("", "q")
        guest.leaves()


def test_people_talk_while_they_wait_for_the_match(
    playroom: Playroom, anne: Guest, paul: Guest
) -> None:
    held(PEOPLE, anne, paul)
    assert "SAY or a semicolon, followed by your words, says them" in anne.said
    assert "x" * 20 not in paul.said
    assert anne.said.count("Paul says: Yes, I am.") == 1


def test_talk_alone_is_gone_through_also_before_the_match(playroom: Playroom, anne: Guest) -> None:
    held(ALONE, anne)
    assert anne.said.count("You say: Hello") == 2


def test_somebody_is_muted_and_reported_by_name_or_by_number(
    playroom: Playroom, anne: Guest, paul: Guest
) -> None:
    watcher = Guest(playroom.address, "Paul 2")
    held(MUTED, anne, paul, watcher)
    assert "2: Paul\n6: Paul 2, without a seat\n" in anne.said
    assert "1: Insults or hatred\n" in anne.said
    assert "Unread" not in anne.said
    other, first = playroom.do(playroom.site.room.store[TalkStore].reports_by(anne.who.id))
    assert (first.against, first.why, first.note) == (paul.who.id, "insult", "He knows 2 of us")
    assert (other.against, other.why, other.note) == (watcher.who.id, "other", "")
    evidence = thawed(first.evidence)
    assert [each.text for each in evidence.sayings if each.number in evidence.reported] == [
        "Ugly words."
    ]
