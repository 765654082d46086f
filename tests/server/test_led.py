"""People of tests at a playroom of several nodes: they go where they are led, as every client."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.nodes import Nodes
from kit.people import Guest, Lost
from kit.requests import post_json
from kit.sites import serving

from volte.wire.messages import Closing, Question


async def test_guests_go_twice_where_they_are_led(tmp_path: Path) -> None:
    nodes = Nodes()
    async with serving(tmp_path, front=nodes.front) as site:
        guest = await Guest.come(site.address)
        table = await guest.open_table()
        there = [f"/node/{name}/live/{table}" for name in "abc"]
        nodes.leads.extend(there[:2])
        await guest.join(table)
        assert nodes.calls == [f"/live/{table}", *there[:2]]
        assert (await guest.ask(Question.TABLE)).ok
        nodes.hang_up(Closing.STOPPING)
        assert await guest.until_closed() == Closing.STOPPING
        for leads in (there, ["//elsewhere.example/live/x"], ["/node/gone/live/x"]):
            nodes.leads.extend(leads)
            with pytest.raises(Lost):
                await guest.join()
        await guest.join()
        assert nodes.calls[-1] == f"/live/{table}"
        path = f"/api/tables/{table}/enter"
        nodes.redirects.extend(f"/node/{name}{path}" for name in "abc")
        reply = await post_json(site.address, path, {"password": ""}, guest.cookie)
        assert (reply.status, reply.header("location")) == (307, f"/node/c{path}")
        await guest.leave()
