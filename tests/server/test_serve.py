"""`volte serve`: with nothing set up, with options, and when it cannot be."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from kit.people import Guest, Player
from kit.requests import request
from kit.sites import Process, environment, run
from starlette.datastructures import URL

from volte.cli import volte
from volte.console import command
from volte.server.run import listening
from volte.table.commands import Start
from volte.web.addresses import addresses, house_address, named
from volte.web.settings import SettingFault, Settings


@pytest.fixture
def refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What `volte serve` says when it cannot start; one line."""

    def call(*args: str, **environ: str) -> str:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in ({"XDG_DATA_HOME": str(tmp_path)} | environ).items():
                patch.setenv(name, value)
            status = command.run(volte, ["serve", "--no-open", "--lang", "en", *args])
        told = capsys.readouterr()
        assert status in (1, 2)
        assert told.out == ""
        assert told.err.count("\n") == 1, told.err
        return told.err.strip()

    return call


def test_volte_alone_opens_the_playroom(tmp_path: Path) -> None:
    async def story(address: str) -> None:
        page = await request(address, "GET", "/")
        assert page.status == 200
        assert (await request(address, "GET", "/healthz")).body == b"ok\n"
        player = await Player.come(address)
        await player.join(await player.open_table())
        await player.prefer(bot_pace=0, trick_pace=0)
        assert (await player.do(Start())).ok
        await player.play()
        await player.leave()

    with Process("", tmp_path, XDG_DATA_HOME=str(tmp_path / "data")) as process:
        run(story(process.address))
        assert process.stop() == 0
    assert process.output == [
        f"The playroom is open: {process.address}/",
        "Ctrl-C closes it; nothing is lost.",
        "The playroom is closed. Everything is kept.",
    ]
    assert (tmp_path / "data" / "volte" / "playroom.sqlite").exists()


def test_others_in_the_house_are_told_an_address_that_works(tmp_path: Path) -> None:
    async def story(address: str) -> None:
        await Guest.come(address)

    with Process(f"sqlite:///{tmp_path / 'p.sqlite'}", tmp_path, VOLTE_HOST="0.0.0.0") as process:
        port = process.address.rpartition(":")[2]
        assert process.stop() == 0
    assert process.output[0] == f"The playroom is open: http://localhost:{port}/"
    house = re.fullmatch(r"Others in your house come in here: (http://.+:\d+/)", process.output[1])
    assert house is not None


def test_a_port_that_is_taken(refused: Callable[..., str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        told = refused("--port", str(port))
    assert told == f"Port {port} is taken: name another one with --port, or 0 for any."


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--port", "99999"], "A port is a number from 0 to 65,535, and not 99999."),
        (["--host", "nowhere.invalid"], "This machine has no address nowhere.invalid"),
        (["--host", "203.0.113.77"], "This machine has no address 203.0.113.77"),
        (["--origin", "volte.example"], "“volte.example” is no origin"),
        (["--database", "mysql://x"], "mysql"),
        (["--database", "sqlite:////dev/null/p.sqlite"], "/dev/null"),
        (["--port", "x"], "--port"),
        (["--sing"], "--sing"),
    ],
)
def test_one_sentence_says_what_to_do(
    refused: Callable[..., str], args: list[str], said: str
) -> None:
    told = refused("--port", "0", *args)
    assert said in told
    assert told.endswith(".")


def test_a_setting_of_the_environment_that_cannot_be(refused: Callable[..., str]) -> None:
    assert refused(VOLTE_GRACE="long") == "VOLTE_GRACE cannot be “long”."


def test_settings_come_from_the_environment_and_options_count_for_more() -> None:
    environ = {
        "VOLTE_PORT": "1234",
        "VOLTE_ORIGINS": "https://a.example, https://b.example:8443",
        "VOLTE_GRACE": "2.5",
        "VOLTE_DATABASE": "postgresql://x",
        "VOLTE_HOST": "",
    }
    settings = Settings.of(environ, port=5678, host=None)
    assert (settings.port, settings.host) == (5678, "127.0.0.1")
    assert settings.origins == ("https://a.example", "https://b.example:8443")
    assert settings.grace == 2.5
    assert settings.database_url == "postgresql://x"


@pytest.mark.parametrize(
    "environ",
    [
        {"VOLTE_PORT": "65536"},
        {"VOLTE_PORT": "-1"},
        {"VOLTE_GRACE": "nan"},
        {"VOLTE_GRACE": "0"},
        {"VOLTE_SOCKETS_PER_ADDRESS": "1.5"},
        {"VOLTE_ORIGINS": "https://a.example/path"},
        {"VOLTE_ORIGINS": "HTTPS://a.example"},
    ],
)
def test_settings_that_cannot_be(environ: dict[str, str]) -> None:
    with pytest.raises(SettingFault):
        Settings.of(environ)


@pytest.mark.parametrize(
    ("host", "own", "house"),
    [
        ("127.0.0.1", "http://127.0.0.1:8150/", ""),
        ("::1", "http://[::1]:8150/", ""),
        ("192.0.2.7", "http://192.0.2.7:8150/", "http://192.0.2.7:8150/"),
    ],
)
def test_addresses_as_they_are_told(host: str, own: str, house: str) -> None:
    assert addresses(host, 8150) == (own, house)


@pytest.mark.parametrize(
    ("known", "host", "passed_on"),
    [
        ("http://localhost:8150/", "0.0.0.0", f"http://{house_address()}:8150"),
        ("http://[::1]:8150/", "::", f"http://{house_address()}:8150"),
        ("http://localhost:8150/", "127.0.0.1", "http://localhost:8150"),
        ("https://volte.example/tables/1", "0.0.0.0", "https://volte.example"),
    ],
)
def test_a_link_for_friends_is_one_that_they_can_follow(
    known: str, host: str, passed_on: str
) -> None:
    assert named(URL(known), host) == passed_on


class Screen(StringIO):
    """A terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_a_code_for_telephones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ACCESSIBLE", raising=False)
    assert listening.qr_code("http://192.0.2.7:8150/") == ""
    monkeypatch.setattr(sys, "stdout", Screen())
    assert "█" in listening.qr_code("http://192.0.2.7:8150/")
    monkeypatch.setenv("ACCESSIBLE", "1")
    assert listening.qr_code("http://192.0.2.7:8150/") == ""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a screen")
def test_without_a_screen_no_browser_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not listening.can_open_browser()
    monkeypatch.setenv("DISPLAY", ":0")
    assert listening.can_open_browser()


def test_the_browser_is_opened_where_there_is_one(tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > "{opened}.part" && mv "{opened}.part" "{opened}"\n')
    browser.chmod(0o755)
    environ = environment(tmp_path) | {"DISPLAY": ":0", "BROWSER": str(browser)}
    environ |= {"VOLTE_PORT": "0", "VOLTE_DATABASE": f"sqlite:///{tmp_path / 'p.sqlite'}"}
    with subprocess.Popen(
        [sys.executable, "-m", "volte"], env=environ, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            said = process.stdout.readline()
            for _ in range(600):
                if opened.exists():
                    break
                time.sleep(0.1)
            assert said.rstrip().endswith(opened.read_text().strip())
        finally:
            process.terminate()
            process.stdout.read()
    assert process.returncode == 0
