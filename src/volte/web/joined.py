"""Scripts that are sent in one file, so that a browser has fewer to ask for.

Each module that comes in another's file keeps its names to itself, but for those that it exports.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from posixpath import dirname, normpath, relpath
from typing import Final

JOINED: Final[Mapping[str, tuple[str, ...]]] = {
    "web/static/page.js": ("web/static/storage.js", "web/static/buttons.js"),
    "web/static/hand.js": ("web/static/fan.js", "web/static/keys.js"),
    "web/static/felt.js": ("web/static/scenes.js", "web/static/seats.js"),
    "news/static/news.js": ("news/static/outside.js",),
    "server/live/static/table.js": (
        *("server/live/static/acting.js", "server/live/static/arrival.js"),
        *("server/live/static/clock.js", "server/live/static/notices.js"),
        *("server/live/static/chosen.js", "server/live/static/playing.js"),
        *("server/live/static/questions.js", "server/live/static/talking.js"),
        *("server/live/static/title.js", "server/live/static/underway.js"),
    ),
}
"""Modules by the file in which they come, before its own; first those that the others import."""

_HOLDERS: Final = {module: name for name, modules in JOINED.items() for module in modules}

_ADDRESS: Final = re.compile(r'"(\.\.?/[\w./-]+\.js)"')
_IMPORT: Final = re.compile(r'^import (\{[^}]*\}) from "([^"]+)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:class|const|function) (\w+))", re.MULTILINE)


def joined(scripts: Mapping[str, str]) -> dict[str, str]:
    """The scripts as they are sent, by name; those that come in another file are left out."""
    return {name: _file(name, scripts) for name in scripts if name not in _HOLDERS}


def _file(name: str, scripts: Mapping[str, str]) -> str:
    spaces: dict[str, str] = {}  # the names under which whole modules are imported

    def taken(found: re.Match[str]) -> str:
        space = spaces.setdefault(found[2], f"$module{len(spaces)}")
        return f"const {found[1].replace(' as ', ': ')} = {space};\n"

    parts = []
    for module in JOINED.get(name, ()):
        text = _part(name, module, scripts[module])
        own = f"{{ {', '.join(_EXPORT.findall(text))} }}"
        body = _IMPORT.sub(taken, _EXPORT.sub("", text))
        parts.append(f"export const {own} = (() => {{\n{body}return {own};\n}})();\n")
    imports = [f'import * as {space} from "{address}";\n' for address, space in spaces.items()]
    return "".join((*imports, *parts, _part(name, name, scripts[name])))


def _part(name: str, module: str, text: str) -> str:
    """The text of a module in a file: it imports from the files in which others come, and nothing
    from its own."""
    here = f"./{name.rpartition('/')[2]}"
    text = _ADDRESS.sub(partial(_readdressed, name, module), text)
    return _IMPORT.sub(lambda found: "" if found[2] == here else found[0], text)


def _readdressed(name: str, module: str, found: re.Match[str]) -> str:
    wanted = normpath(f"{dirname(module)}/{found[1]}")
    address = relpath(_HOLDERS.get(wanted, wanted), dirname(name))
    return f'"{address}"' if address.startswith(".") else f'"./{address}"'
