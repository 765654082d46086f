"""Extras: packages that only some people need, and the line that installs them."""

from __future__ import annotations

import re
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from volte.cards import VolteError

_LINE: Final = re.compile(
    r"(?P<package>[\w.-]+)(?:\[(?P<extras>[\w,]+)])?(?P<versions>[^;]*)(?:;(?P<marker>.*))?"
)


STRONG: Final = "strong"  # the extra with which bots search in compiled code


@cache
def strong_installed() -> bool:
    """Whether NumPy and Numba are there; without them bots search in plain Python."""
    return all(find_spec(name) is not None for name in ("numba", "numpy"))


def missing(extra: str) -> VolteError:
    """The fault of a request that needs an extra which is not installed."""
    return VolteError("needs_extra", extra=extra, install=install_command(extra))


def install_command(extra: str) -> str:
    """The line that adds an extra to this installation, for a shell.

    It names the packages themselves, so that it works whatever Volte was installed from: a clone,
    a wheel or an index; by pip, pipx or uv.
    """
    packages = packages_of(extra)
    if (Path(sys.prefix) / "pipx_metadata.json").exists():
        command = ["pipx", "inject", "volte"]
    elif find_spec("pip") is not None:
        command = [sys.executable, "-m", "pip", "install"]
    else:
        command = ["uv", "pip", "install", "--python", sys.executable]
    import shlex
    import subprocess

    join = subprocess.list2cmdline if sys.platform == "win32" else shlex.join
    return join([*command, *packages])


def packages_of(extra: str) -> list[str]:
    """The packages of an extra, with their versions, as the installed Volte asks for them."""
    from importlib.metadata import PackageNotFoundError, requires  # here, as they take a while

    try:
        lines = requires("volte") or []
    except PackageNotFoundError:  # run from a folder, and never installed
        return []
    found: list[str] = []
    for line in lines:
        read = _LINE.fullmatch(line)
        marker = (read and read["marker"]) or ""
        if not read or not re.search(rf"extra == ['\"]{extra}['\"]", marker):
            continue
        if "sys_platform != 'win32'" in marker.replace('"', "'") and sys.platform == "win32":
            continue
        if read["package"] == "volte":
            found += [each for other in read["extras"].split(",") for each in packages_of(other)]
        else:
            found.append(read["package"] + read["versions"].strip())
    return list(dict.fromkeys(found))
