"""What clients send wrongly is counted, and is no error in the log."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.hostile import failures, raw
from kit.people import Guest
from kit.sites import run, serving
from websockets.exceptions import InvalidStatus

from volte.web.metrics import REGISTRY

BAD_TEXT = b"\x81\x82\0\0\0\0\xff\xfe"
BAD_FRAME = b"\x83\x81\0\0\0\0x"
BAD_CHUNK = b"POST /guest HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"


def counted(kind: str) -> float:
    return REGISTRY.get_sample_value("volte_client_faults_total", {"kind": kind}) or 0.0


def test_what_a_client_does_wrong_is_counted_and_no_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with serving(tmp_path) as site:
            guest = await Guest.come(site.address)
            table = await guest.open_table()
            kinds = ("wrong_origin", "bad_text", "bad_frame", "bad_http")
            before = [counted(kind) for kind in kinds]
            with pytest.raises(InvalidStatus) as caught:
                await guest.dial(table, Origin="https://elsewhere.example")
            assert caught.value.response.status_code == 403
            for wrong in (BAD_TEXT, BAD_FRAME):
                socket = await guest.dial(table)
                socket.transport.write(wrong)
                await socket.wait_closed()
            assert b" 400 " in await raw(site.address, BAD_CHUNK)
            assert [counted(kind) for kind in kinds] == [each + 1 for each in before]

    run(story())
    assert failures(caplog) == []


async def test_refused_handshakes_count_against_the_limits(tmp_path: Path) -> None:
    async with serving(tmp_path, requests_per_minute=5) as site:
        guest = await Guest.come(site.address)
        table = await guest.open_table()
        statuses = []
        for _ in range(5):
            with pytest.raises(InvalidStatus) as caught:
                await guest.dial(table, Origin="https://elsewhere.example")
            statuses.append(caught.value.response.status_code)
        assert statuses == [403] * 3 + [429] * 2
