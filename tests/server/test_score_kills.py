"""A server is killed while somebody keeps the score: the sheet stands to the last entry."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path

import httpx
import pytest
from kit.browsing import Visitor
from kit.sheet_pages import begin, entry
from kit.sites import Process

from volte.scorekeeper.model import parse_sheet

LONGEST = 0.3
"""Seconds of writing before a kill, at most."""


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.full)])
def test_a_server_is_killed_in_the_middle_and_no_entry_is_lost_or_told_twice(
    kills: int, database: str, tmp_path: Path
) -> None:
    draws = random.Random()
    with Process(database, tmp_path) as process, Visitor(process.address) as keeper:
        keeper.come_in()
        sheet = begin(keeper, "coeurs", match_end="deals", match_end_number="1000")
        written = 0
        for _ in range(kills):
            dying = threading.Thread(target=kill_after, args=(process, draws.random() * LONGEST))
            dying.start()
            sent: dict[str, str] = {}
            try:
                while True:
                    sent = {}
                    sent = entry(keeper.get(sheet), written % 13, "", 0, 0, queen="1")
                    keeper.client.post(f"{sheet}/deal", data=sent, headers=origin(process))
                    written += 1
            except (httpx.TransportError, IndexError):
                dying.join()
            process.restart()
            if sent:  # nobody knows whether this was kept: sent again, it stands once
                answer = keeper.client.post(f"{sheet}/deal", data=sent, headers=origin(process))
                assert answer.status_code == 200, answer.text
                written += 1
            assert hearts(keeper, sheet) == [number % 13 for number in range(written)]
        assert not any("Traceback" in line for line in process.output), process.output


def kill_after(process: Process, seconds: float) -> None:
    time.sleep(seconds)
    process.kill()


def origin(process: Process) -> dict[str, str]:
    return {"origin": process.address}


def hearts(keeper: Visitor, sheet: str) -> list[int]:
    """What the first player took, deal by deal."""
    record = keeper.client.get(f"{sheet}/files/sheet.volte").text
    rows = parse_sheet(record).table.rows
    return [row.hearts[0] for row in rows if row.hearts is not None]
