"""Door between Python and the script of its worker, for pages and for the file of matches."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from volte.solo.worker import SoloWorker

if TYPE_CHECKING:
    from volte.alone.pages import AlonePages


class PagesWorker:
    """The pages, as the script of their worker asks for them.

    Args:
        folder: into which its archive has been unpacked, beside that of the table.
        base: path of the pages in their language.
        static: path of the static files of that language, with a slash at its end.
        origin: of the site, `https://volte.example` say.
    """

    def __init__(self, solo: SoloWorker, folder: str, base: str, static: str, origin: str) -> None:
        complete(folder)
        self._room = solo.room
        scheme, _, host = origin.partition("://")
        self._paths = base, static, host, scheme

    @cached_property
    def _pages(self) -> AlonePages:
        from volte.alone.pages import AlonePages  # here, as they need the whole library
        from volte.alone.room import SitePaths

        return AlonePages(self._room, SitePaths(*self._paths))

    async def request(self, method: str, path: str, form: str) -> str:
        """Answer a request of the page, with the JSON object of a `SoloAnswer`.

        Args:
            form: a JSON object of the fields, each with a list of its texts.
        """
        fields = msgspec.json.decode(form, type=dict[str, list[str]])
        if path == "/kept":  # without pages: this has to be quick
            from volte.alone.taking import taken

            answer = await taken(self._room, method, fields)
        else:
            answer = await self._pages.respond(method, path, fields)
        return msgspec.json.encode(answer).decode()


def complete(folder: str) -> None:
    """Let packages of Python's own library have the modules in a folder, too: those that pages use
    and a table does not lie there."""
    invalidate_caches()
    modules = [module.relative_to(folder) for module in Path(folder).rglob("*.py*")]
    packages = {package for module in modules for package in module.parents[:-1]}
    regular = {module.parent for module in modules if module.stem == "__init__"}
    for package in sorted(packages - regular):
        import_module(".".join(package.parts)).__path__.append(f"{folder}/{package}")
