"""Caddy and nginx for tests: each started from nothing with the file of `deploy/`."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Final

import pytest
from kit.ports import free_port
from kit.sites import PATIENCE

ROOT: Final = Path(__file__).parents[2]
DEPLOY: Final = ROOT / "deploy"
UNPACKED: Final = ROOT / "build" / "proxies" / "usr"

CADDY: Final = Path(__file__).with_name("Caddyfile").read_text(encoding="utf-8")
"""Put before our file, so that Caddy changes nothing on this machine."""

NGINX: Final = Path(__file__).with_name("nginx.conf").read_text(encoding="utf-8")
"""Put around our file, in place of Debian's own."""


def program(kind: str) -> str:
    """The path of a proxy that scripts/setup has unpacked, or that is installed."""
    for folder in (UNPACKED / "bin", UNPACKED / "sbin"):
        if (folder / kind).exists():
            return str(folder / kind)
    found = shutil.which(kind)
    if found is None:
        pytest.skip(f"{kind} is not here; scripts/setup fetches it on Debian")
    return found


@contextmanager
def in_front(
    kind: str,
    folder: Path,
    nodes: Sequence[str],
    *,
    base: str = "",
    https: bool = False,
    sockets: bool = True,
) -> Iterator[str]:
    """Run a proxy in front of the nodes a and b; give its address, with the base path.

    Args:
        kind: caddy or nginx.
        folder: folder where the proxy may write.
        nodes: addresses of the nodes, `http://127.0.0.1:PORT`.
        base: the base path, set up as the comments of our file say.
        https: whether it has a certificate; else it speaks plain HTTP.
        sockets: whether nginx lets WebSockets through.
    """
    home = folder / kind
    home.mkdir()
    port = free_port()
    hosts = [address.removeprefix("http://") for address in nodes]
    given = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_DATA_HOME": str(home / "data")}
    if kind == "caddy":
        site = f"https://localhost:{port}" if https else f"http://127.0.0.1:{port}"
        given |= {"SITE": site, "NODE_A": hosts[0], "NODE_B": hosts[1]}
        (home / "Caddyfile").write_text(CADDY + caddyfile(base), encoding="utf-8")
        command = [program(kind), "run", "--config", "Caddyfile"]
    else:
        site = f"{'https://localhost' if https else 'http://127.0.0.1'}:{port}"
        ours = nginx_conf(hosts, port, base, https)
        if not sockets:
            ours = ours.replace("proxy_set_header Upgrade $http_upgrade;", "")
        (home / "volte.conf").write_text(ours, encoding="utf-8")
        user = "user root;\n" if os.geteuid() == 0 else ""
        (home / "nginx.conf").write_text(user + NGINX, encoding="utf-8")
        if https:
            make_certificate(home)
        command = [program(kind), "-p", str(home), "-c", "nginx.conf", "-e", "stderr"]
    log = home / "log"
    with log.open("wb") as output:
        running = subprocess.Popen(command, cwd=home, env=given, stdout=output, stderr=output)
    try:
        end = monotonic() + PATIENCE
        while not listens(port, https):
            assert running.poll() is None, log.read_text()
            assert monotonic() < end, log.read_text()
            sleep(0.02)
        yield site + base
    finally:
        running.terminate()
        running.wait(PATIENCE)


def caddyfile(base: str) -> str:
    """Our file as it is; for a base path, its comment takes the place of the line above it."""
    text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    if not base:
        return text
    at_the_root, comment = "\n\timport playroom\n", r"^\t#(redir .*|handle_path .*|\t.*|\})$"
    assert text.count(at_the_root) == 1
    under, count = re.subn(comment, r"\t\1", text.replace(at_the_root, "\n"), flags=re.MULTILINE)
    assert count == 4
    return under


def nginx_conf(hosts: Sequence[str], port: int, base: str, https: bool) -> str:
    """Our file with other addresses, and a certificate of the test's own or none."""
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    lines = {
        r"listen \[::\].*;": "",
        r"listen 80;": f"listen 127.0.0.1:{free_port()};",
        r"listen 443 ssl http2;": f"listen 127.0.0.1:{port}{' ssl http2' if https else ''};",
        r"ssl_certificate \S+;": "ssl_certificate certificate.pem;" if https else "",
        r"ssl_certificate_key \S+;": "ssl_certificate_key key.pem;" if https else "",
        r"127\.0\.0\.1:8151": hosts[0],
        r"127\.0\.0\.1:8152": hosts[1],
    }
    if base:
        lines |= {r"location ~ \^": f"location ~ ^{base}", r"location /": f"location {base}/"}
    for old, new in lines.items():
        text, count = re.subn(old, new, text)
        assert count, old
    return text


def make_certificate(folder: Path) -> None:
    """Make `certificate.pem` and `key.pem` for localhost."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed here")
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-nodes", "-subj", "/CN=localhost"),
            *("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-keyout", "key.pem", "-out", "certificate.pem"),
        ],
        cwd=folder,
        check=True,
        capture_output=True,
    )


def listens(port: int, https: bool) -> bool:
    """Whether the proxy answers; Caddy makes its certificate after it has begun to listen."""
    try:
        with socket.create_connection(("127.0.0.1", port)) as probe:
            if https:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
                context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
                context.wrap_socket(probe, server_hostname="localhost").close()
    except OSError:
        return False
    return True
