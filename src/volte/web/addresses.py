"""What a server is called, by those on its machine and by others in the house."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final

from starlette.datastructures import URL

from volte.web.visit import Visit

ANYWHERE: Final = "192.0.2.1"
"""An address for documentation: nothing is sent there."""


def addresses(host: str, port: int, base: str = "") -> tuple[str, str]:
    """The address for this machine, and for others in the house; empty where they cannot come.

    Args:
        base: the base path of the playroom.
    """
    address = ipaddress.ip_address(host.partition("%")[0])
    if address.is_unspecified:
        return f"http://localhost:{port}{base}/", f"http://{house_address()}:{port}{base}/"
    shown = f"[{address}]" if address.version == 6 else str(address)
    own = f"http://{shown}:{port}{base}/"
    return own, "" if address.is_loopback else own


def house_address() -> str:
    """What the others in the house call this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((ANYWHERE, 9))
            address: str = probe.getsockname()[0]
        except OSError:
            return socket.gethostname()
    return address


def shared(visit: Visit) -> str:
    """How others can name the playroom that somebody asks, without a slash at the end."""
    settings = visit.room.settings
    return named(visit.url, settings.host) + settings.base_path


def named(url: URL, host: str) -> str:
    """How others can name the server that somebody knows by `url`.

    Args:
        host: at which the server listens. Where that is everywhere, the own machine's name for
            itself, which means another machine to everybody else, gives way.
    """
    if host in ("0.0.0.0", "::") and _names_itself(url.hostname or ""):
        port = f":{url.port}" if url.port else ""
        return f"{url.scheme}://{house_address()}{port}"
    return f"{url.scheme}://{url.netloc}"


def _names_itself(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
