"""Hosts send an exported site with its policy, once they have the file that is for them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep

import httpx
import pytest
from kit.exporting import exported
from kit.ports import free_port
from kit.proxies import NGINX, listens, program

from volte.site.policy import MISSING, SITE_POLICY, TYPES, for_hosts
from volte.web.security import HEADERS
from volte.web.sending import LASTING

BASE = "/games/volte"
PATHS = (
    "worker.js",
    "en/manifest.webmanifest",
    "runtime/*/pyodide.mjs",
    "static/*-fr/web/static/icon.svg",
)


@contextmanager
def nginx(room: Path, site: Path) -> Iterator[str]:
    """Run nginx with a site at its path below the root; give the address."""
    (room / "root/games").mkdir(parents=True)
    (room / "root/games/volte").symlink_to(site)
    port = free_port()
    inside = f"listen 127.0.0.1:{port}; root {room}/root; include {site}/nginx.conf;"
    (room / "volte.conf").write_text(f"server {{ {inside} }}")
    user = "user root;\n" if os.geteuid() == 0 else ""
    (room / "nginx.conf").write_text(user + NGINX)
    command = [program("nginx"), "-p", str(room), "-c", "nginx.conf", "-e", "stderr"]
    running = subprocess.Popen(command, cwd=room, stderr=subprocess.PIPE)
    try:
        while not listens(port, https=False):
            assert running.poll() is None, running.communicate()[1].decode()
            sleep(0.02)
        yield f"http://127.0.0.1:{port}{BASE}"
    finally:
        running.terminate()
        running.communicate()


def test_nginx_sends_the_policy_and_keeps_for_good_what_has_a_digest(tmp_path: Path) -> None:
    site = exported(BASE)
    found = [next(site.glob(path)).relative_to(site) for path in PATHS]
    with nginx(tmp_path, site) as address:
        for path in found:
            sent = httpx.get(f"{address}/{path}", headers={"accept-encoding": "gzip"})
            assert sent.headers["content-type"].split(";")[0] == TYPES[path.suffix[1:]]
            assert sent.headers["content-encoding"] == "gzip"
            assert sent.headers["content-security-policy"] == SITE_POLICY
            assert HEADERS.keys() <= sent.headers.keys()
            lasting = path.parts[0] in ("runtime", "static")
            assert sent.headers["cache-control"] == (LASTING if lasting else "no-cache")
        nothing = httpx.get(f"{address}/fr/nothing/here")
        assert (nothing.status_code, nothing.content) == (404, (site / MISSING).read_bytes())
        assert nothing.headers["content-security-policy"] == SITE_POLICY


@pytest.mark.parametrize("name", for_hosts(BASE))
def test_the_file_for_a_host_has_every_header_and_the_path(name: str) -> None:
    text = for_hosts(BASE)[name].decode()
    for header, value in (HEADERS | {"content-security-policy": SITE_POLICY}).items():
        assert header in text.lower()
        assert value in text
    assert f"{BASE}/" in text
    assert "unsafe-eval" not in text.replace("wasm-unsafe-eval", "")
