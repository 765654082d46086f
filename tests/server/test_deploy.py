"""What lies in `deploy/` is about the program that there is."""

from __future__ import annotations

import itertools
import re
import shutil
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from server.harness import run, serving

from volte import cli
from volte.server.settings import FIELDS, Settings, chosen
from volte.server.systemd import tell_system
from volte.terminal import command

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def test_the_settings_file_has_every_setting_with_its_default(tmp_path: Path) -> None:
    text = (DEPLOY / "volte.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text) == {}
    said = re.sub(r"^#(?=\w+ = )", "", text, flags=re.MULTILINE)
    assert list(tomllib.loads(said)) == [line[1] for line in re.finditer(r"^#(\w+) = ", text, re.M)]
    assert tomllib.loads(said).keys() == FIELDS.keys()
    file = tmp_path / "volte.toml"
    file.write_text(said, encoding="utf-8")
    settings = chosen({}, config=str(file))
    assert settings.settings == Settings()
    assert set(settings.sources.values()) == {"file"}


def test_each_of_them_is_told_about() -> None:
    lines = (DEPLOY / "volte.toml").read_text(encoding="utf-8").splitlines()
    for before, line in itertools.pairwise(lines):
        if re.match(r"#\w+ = ", line):
            assert before.startswith("# "), line


def test_every_setting_stands_in_the_docs() -> None:
    page = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([a-z_]+)` \| ([^|]*) \|", page, re.MULTILINE))
    assert rows.keys() == FIELDS.keys()
    for name, told in rows.items():
        default = FIELDS[name].default
        if isinstance(default, bool):
            assert told == ("yes" if default else "no"), name
        elif isinstance(default, int | float):
            assert float(told) == default, name
        elif isinstance(default, tuple) and default:
            assert told.split() == list(default), name
        elif name in ("host", "log", "log_level"):
            assert told == default, name


def test_the_unit_is_one_that_systemd_takes(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd is not installed here")
    text = (DEPLOY / "volte.service").read_text(encoding="utf-8")
    (command,) = re.findall(r"^ExecStart=(\S+)", text, re.MULTILINE)
    unit = tmp_path / "volte.service"
    unit.write_text(text.replace(command, sys.executable), encoding="utf-8")
    judged = subprocess.run([program, "verify", "--man=no", unit], capture_output=True, text=True)
    assert "volte.service" not in judged.stderr, judged.stderr
    assert judged.returncode == 0, judged.stderr


@pytest.mark.parametrize(
    ("file", "pattern"),
    [
        ("volte.service", r"^ExecStart=\S+/volte (.*)$"),
        ("Containerfile", r'^CMD \["(serve.*)"\]$'),
    ],
)
def test_their_commands_are_ours(
    file: str,
    pattern: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With `--check`, which asks for all but the listening."""
    text = (DEPLOY / file).read_text(encoding="utf-8")
    (found,) = re.findall(pattern, text, re.MULTILINE)
    args = re.sub(r'[",]+ ?"?', " ", found).replace("/etc/volte", str(DEPLOY)).split()
    said = dict(re.findall(r"\b(VOLTE_[A-Z_]+)=([^\s…]+)\s", text))
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    assert command.run(cli.volte, [*args, "--lang", "en", "--check"]) == 0
    told = capsys.readouterr().out
    for name in said:
        setting = name.removeprefix("VOLTE_").lower()
        assert re.search(f"^{setting} = .* # the environment says so$", told, re.MULTILINE), name


def test_systemd_is_told_when_it_serves_and_when_it_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with serving(tmp_path):
            assert system.recv(100) == b"READY=1"
        assert system.recv(100) == b"STOPPING=1"

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as system:
        system.bind(str(tmp_path / "notify"))
        system.settimeout(60)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        run(story())


def test_nothing_is_told_where_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("", "/nowhere/at/all", "@volte-nowhere", "x", "@"):
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        tell_system("READY=1")
