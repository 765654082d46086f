"""Templates of pages as Jinja compiles them; a browser would take long over each."""

from __future__ import annotations

from collections.abc import Collection

from jinja2 import ModuleLoader

from volte.site.modules import SOURCE
from volte.web.assets import ROOMS
from volte.web.page import COMPILED, TEMPLATES


def template_modules(modules: Collection[str]) -> dict[str, bytes]:
    """Sources of the templates of the rooms of these modules, by their paths."""
    place, found = COMPILED.relative_to(SOURCE).as_posix(), dict[str, bytes]()
    for path in sorted(ROOMS.glob("*/templates/*.html")):
        if f"volte.{path.parts[-3]}" in modules:
            made = TEMPLATES.compile(path.read_text("utf-8"), path.name, None, True, True)
            found[f"{place}/{ModuleLoader.get_module_filename(path.name)}"] = made.encode()
    return found
