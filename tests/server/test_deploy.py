"""The files in `deploy/` fit the program: its settings, commands, services and proxies."""

from __future__ import annotations

import itertools
import re
import shutil
import socket
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from kit.sites import SiteWith

from volte import cli
from volte.console import command
from volte.server.run.listening import tell_system
from volte.web.settings import FIELDS, Settings, chosen

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


@pytest.mark.parametrize("name", ["volte.service", "volte@.service"])
def test_the_units_are_such_as_systemd_takes(name: str, tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd is not installed here")
    text = (DEPLOY / name).read_text(encoding="utf-8")
    (command,) = re.findall(r"^ExecStart=(\S+)", text, re.MULTILINE)
    unit = tmp_path / name
    unit.write_text(text.replace(command, f'"{sys.executable}"'), encoding="utf-8")
    judged = subprocess.run([program, "verify", "--man=no", unit], capture_output=True, text=True)
    assert not re.search(r"volte(@\w*)?\.service", judged.stderr), judged.stderr
    assert judged.returncode == 0, judged.stderr


def test_one_of_several_nodes_is_hardened_like_a_single_server() -> None:
    one, several = [
        set((DEPLOY / name).read_text(encoding="utf-8").splitlines())
        for name in ("volte.service", "volte@.service")
    ]
    different = {line.partition("=")[0] for line in one ^ several if not line.startswith("#")}
    assert different == {
        *("Description", "ExecStart", "EnvironmentFile"),
        *("Environment", "StateDirectory", "CacheDirectory"),
    }


@pytest.mark.parametrize(
    ("file", "pattern"),
    [
        ("volte.service", r"^ExecStart=\S+/volte (.*)$"),
        ("volte@.service", r"^ExecStart=\S+/volte (.*)$"),
        ("Containerfile", r'^CMD \["(serve.*)"\]$'),
    ],
)
def test_their_commands_are_ours(
    file: str, pattern: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With `--check`, which asks for all but the listening."""
    text = (DEPLOY / file).read_text(encoding="utf-8")
    (found,) = re.findall(pattern, text, re.MULTILINE)
    args = re.sub(r'[",]+ ?"?', " ", found).split()
    said = dict(re.findall(r"\b(VOLTE_[A-Z_]+)=([^\s…]+)\s", text))
    args = [arg.replace("%i", "a").replace("/etc/volte", str(DEPLOY)) for arg in args]
    is_understood(args, said, monkeypatch, capsys)


def is_understood(
    args: list[str],
    environ: Mapping[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A command of ours, each of whose variables is a setting; and which node it is to be."""
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert command.run(cli.volte, [*args, "--lang", "en", "--check"]) == 0
    told = capsys.readouterr().out
    for name in environ:
        setting = name.removeprefix("VOLTE_").lower()
        assert re.search(f"^{setting} = .* # from the environment$", told, re.MULTILINE), name
    if "--node" in args:
        assert re.search(r'^node = "[ab]" ', told, re.MULTILINE)


def test_the_services_of_compose_fit_together(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = {"SITE": "volte.example", "POSTGRES_PASSWORD": "melon"}
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    filled = re.sub(r"\$\{(\w+)(?::[-?][^}]*)?\}", lambda found: said[found[1]], text)
    compose = pytest.importorskip("yaml").safe_load(filled)
    services = compose["services"]
    proxy, database = services["proxy"], services["database"]

    image = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    in_image = dict(re.findall(r"\b(VOLTE_[A-Z_]+)=(\S+)", image))
    port = FIELDS["port"].default
    assert f"EXPOSE {port}\n" in image
    nodes = services.keys() - {"proxy", "database"}
    for name in sorted(nodes):
        node = services[name]
        build = DEPLOY / node["build"]["context"] / node["build"]["dockerfile"]
        assert build.resolve() == DEPLOY / "Containerfile"
        assert node["command"][-2:] == ["--node", name]
        environ = in_image | {key: str(value) for key, value in node["environment"].items()}
        is_understood(node["command"], environ, monkeypatch, capsys)
        assert proxy["environment"][f"NODE_{name.upper()}"] == f"{name}:{port}"
        assert environ["VOLTE_ORIGINS"] == f"https://{proxy['environment']['SITE']}"
        assert set(node["depends_on"]) == {"database"}
        url = urlsplit(environ["VOLTE_DATABASE"])
        assert url.hostname == "database"
        assert database["environment"] == {
            "POSTGRES_USER": url.username,
            "POSTGRES_PASSWORD": url.password,
            "POSTGRES_DB": url.path.removeprefix("/"),
        }
        address = proxy["networks"]["default"]["ipv4_address"]
        assert environ["VOLTE_FORWARDED_FROM"] == address
        (network,) = compose["networks"]["default"]["ipam"]["config"]
        assert ip_address(address) in ip_network(network["subnet"])

    caddyfile = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    assert set(re.findall(r"\{\$(\w+):", caddyfile)) == set(proxy["environment"])
    assert len(nodes) == len(set(re.findall(r"\{\$(NODE_\w+):", caddyfile)))
    for service in services.values():
        for mount in service.get("volumes", []):
            source = mount.split(":")[0]
            there = (DEPLOY / source).exists() if "/" in source else source in compose["volumes"]
            assert there, mount


def test_both_proxies_name_the_nodes_at_the_ports_that_the_guide_gives() -> None:
    caddy, nginx, guide = [
        (DEPLOY / name).read_text(encoding="utf-8")
        for name in ("Caddyfile", "nginx.conf", "README.md")
    ]
    given = re.findall(r"VOLTE_PORT=(\d+) .*/etc/volte/node-([a-z]+)", guide)
    assert given
    for text in (caddy, nginx):
        named = re.findall(r"/node/([a-z]+)/[^\d]*127\.0\.0\.1:(\d+)", text)
        assert named == [(name, port) for port, name in given]
        assert set(re.findall(r"127\.0\.0\.1:(\d+)", text)) == {port for port, _ in given}


async def test_systemd_is_told_when_it_serves_and_when_it_stops(
    site_with: SiteWith, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as system:
        system.bind(str(tmp_path / "notify"))
        system.settimeout(60)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        site = await site_with()
        assert system.recv(100) == b"READY=1"
        await site.stop()
        assert system.recv(100) == b"STOPPING=1"


def test_nothing_is_told_where_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("", "/nowhere/at/all", "@volte-nowhere", "x", "@"):
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        tell_system("READY=1")
