"""Tables of "Play with people" whose people have gone on to another one."""

from __future__ import annotations

from kit import Guest, Playroom, Site, Visitor
from kit.tables import setup
from kit.talking import ending, hello

from volte.table import Someone
from volte.table.commands import Close, Onward
from volte.wire import messages as wire
from volte.wire.messages import Closing


async def test_whoever_comes_to_the_old_table_is_led_to_the_new_one(site: Site) -> None:
    guest = await Guest.come(site.address)
    who = Someone(guest.person, guest.name)
    tables = [await site.room.lobby.open(setup(meeting=True), who) for _ in range(3)]
    old, middle, new = (table.id for table in tables)
    for table, onward in zip(tables, (middle, new), strict=False):
        await table.do(who, Onward(onward), table.state.version)
    reply = await guest.get(f"/tables/{old}")
    assert (reply.status, reply.header("location")) == (303, f"/tables/{middle}")
    reply = await guest.get(f"/tables/{middle}?sit")
    assert (reply.status, reply.header("location")) == (303, f"/tables/{new}")
    assert (await guest.get(f"/tables/{new}")).status == 200
    messages, code = await ending(await guest.dial(old), hello())
    assert code == Closing.CLOSED
    assert isinstance(last := messages[-1], wire.Notice)
    assert (last.reason, last.at) == ("closed", f"/live/{middle}")
    await tables[2].do(who, Close(), tables[2].state.version)
    assert (await guest.get(f"/tables/{new}")).status == 410
    messages, _ = await ending(await guest.dial(new), hello())
    assert isinstance(last := messages[-1], wire.Notice)
    assert (last.reason, last.at) == ("closed", "")


def test_a_stranger_sees_the_table_where_they_will_sit(
    playroom: Playroom, visitor: Visitor
) -> None:
    lobby, who = playroom.site.room.lobby, Someone("p-anne", "Anne")
    old = playroom.do(lobby.open(setup(name="Before", meeting=True), who))
    new = playroom.do(lobby.open(setup(name="Now", meeting=True), who))
    playroom.do(old.do(who, Onward(new.id), old.state.version))
    asked = visitor.get(f"/tables/{old.id}")
    assert asked.status == 200
    assert "Now" in asked.text
    assert "Before" not in asked.text
