"""Somebody by ear at a site without a server, and what their browser has kept before."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from kit.exporting import exported
from kit.hosting import Host
from kit.orca.ear import Ear
from kit.solo import SlowKeeper

from volte.alone.places import SECTIONS
from volte.solo.kept import KeptStore

Keep: TypeAlias = Callable[[KeptStore], Coroutine[Any, Any, Any]]

FILLING: Final = Path(__file__).parents[2] / "page/alone_matches.js"
"""Script that keeps texts in a browser."""
FILL: Final = """<!doctype html><title>…</title><h1>…</h1><script>
({script}).keep("volte /", {texts}).then(() => location.replace(location.hash.slice(1)));
</script>"""


class Lone:
    """Somebody at a site, who has no browser yet.

    Args:
        entry: address of a page that leads to the address in its fragment, if there is one.
    """

    def __init__(self, address: str, lang: str, entry: str = "") -> None:
        self._home = f"{address}/{lang}"
        self._entry = f"{address}{entry}#" if entry else ""

    def open(self, ear: Ear, path: str, what: str = "") -> None:
        """Open a page, by its path at a server, and listen to it.

        Of a page that the worker makes what is heard while Python is loaded is not recorded: then
        the reader goes to its top, where it is on a fresh page.
        """
        section, _, deeper = path[1:].partition("/")
        if section not in SECTIONS:
            ear.open(f"{self._entry}{self._home}{path}/", what or path)
            return
        at = f"?at={quote(path)}" if deeper else ""
        ear.open(f"{self._entry}{self._home}/{section}/{at}")
        ear.top(what or path)


@contextmanager
def lone(lang: str, folder: Path, keep: Keep | None = None) -> Iterator[Lone]:
    """Somebody at a site, in whose browser is kept what `keep` puts into its store."""
    over: dict[str, Path] = {}
    entry = ""
    if keep:
        entry = "/fill.html"
        over[entry] = folder / "fill.html"
        script = FILLING.read_text(encoding="utf-8").partition("*/")[2].strip().rstrip(";")
        page = FILL.format(script=script, texts=json.dumps(_kept(keep)))
        over[entry].write_text(page, encoding="utf-8")
    with Host({"": exported(), **over}) as host:
        yield Lone(host.address, lang, entry)


def _kept(keep: Keep) -> dict[str, str]:
    keeper = SlowKeeper()
    asyncio.run(keep(KeptStore(keeper)))
    return keeper.all
