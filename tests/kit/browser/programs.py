"""A browser as a program, with a profile on the disk: it can be killed, and comes back."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Self, cast

import pytest
from kit.browser.players import ARGUMENTS
from playwright.sync_api import Browser, BrowserContext, BrowserType, Error

PATIENCE = 30.0
"""Seconds that a browser may take to open."""


class Program:
    """Chromium with a profile, which is its one context, until it is killed or closed.

    Args:
        kind: how to reach it.
        profile: folder of the profile; a new one, or what an earlier program has left.
    """

    def __init__(self, kind: BrowserType, profile: Path) -> None:
        chromium = shutil.which("chromium")  # the headless shell keeps no settings
        if chromium is None:
            pytest.skip("Chromium is not installed")
        door = profile / "DevToolsActivePort"
        door.unlink(missing_ok=True)
        own = (f"--user-data-dir={profile}", "--remote-debugging-port=0")
        self._process = subprocess.Popen(
            [chromium, *ARGUMENTS, *own],
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = monotonic() + PATIENCE
        while not (door.exists() and "\n" in door.read_text()):
            assert monotonic() < end, "the browser does not open"
            sleep(0.02)
        port = door.read_text().splitlines()[0]
        self._browser = kind.connect_over_cdp(f"http://127.0.0.1:{port}")

    @property
    def as_browser(self) -> Browser:
        """The program, as `Player` opens its context."""
        return cast(Browser, self)

    def new_context(self, **_: Any) -> BrowserContext:
        return self._browser.contexts[0]

    def kill(self) -> None:
        """End the browser and all processes of it at once."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        with suppress(Error):
            self._browser.close()
