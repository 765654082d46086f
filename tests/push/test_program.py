"""Messages of a server as a program of its own, with a key that the command has made."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tomllib
from pathlib import Path

import msgspec
import pytest
from kit import Player, Process
from kit.people import part
from kit.pushing import PushService, certificate
from kit.sites import environment


@pytest.mark.full
async def test_somebody_who_looks_away_is_told_that_it_is_their_turn(
    tmp_path: Path, push_service: PushService
) -> None:
    made = await asyncio.to_thread(
        subprocess.check_output,
        [sys.executable, "-m", "volte", "push-keys"],
        env=environment(tmp_path),
        text=True,
    )
    (key,) = tomllib.loads(made).values()
    variables = {
        "VOLTE_PUSH_PRIVATE_KEY": key,
        "VOLTE_PUSH_TEST_HOSTS": push_service.place,
        "SSL_CERT_FILE": str(certificate(tmp_path)),
    }
    server = Process(f"sqlite:///{tmp_path / 'playroom.sqlite'}", tmp_path, **variables)
    try:
        await asyncio.to_thread(server.start)
        player = await Player.begun(server.address)
        await player.play(player.view_is_mine)
        browser = push_service.browser()
        for path, content in (
            ("/me/notifications", {"notify_turn": "1"}),
            ("/api/push", browser.subscription),
        ):
            assert (await player.post(path, content)).status in (204, 303), path
        (told,) = await push_service.got(1)
        message = msgspec.json.decode(told, type=dict[str, str])
        assert message["path"] == f"/tables/{player.table}"
        assert player.name not in told
    finally:
        await part()
        await asyncio.to_thread(server.kill)
    assert server.faults == []
