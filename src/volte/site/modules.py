"""Files of Volte that a browser needs to play, found by the imports that lead to them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator, Mapping, Set
from functools import cache, cached_property
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

SOURCE: Final = Path(__file__).parents[2]
"""The folder in which the package `volte` lies."""

ENTRY: Final = "volte.solo.worker"
"""The module that a browser loads; others come along as they are imported."""

PAGES: Final = "volte.alone.worker"
"""The module that makes pages, which a browser loads once one is wanted."""

PURE: Final = ("anyio", "jinja2", "markupsafe", "python_multipart", "starlette")
"""Packages of others that `PAGES` needs; only what is Python in them is handed on."""

DATA: Final = (".ini", ".json", ".md", ".mo", ".txt")
"""Endings of files that modules read."""

THERE: Final = frozenset(
    {*sys.stdlib_module_names, "js", "msgspec", "pyodide", "pyodide_js", "volte"}
)
"""Packages that can be imported in a browser."""


class Imports(NamedTuple):
    """Names that a module imports: as it is loaded, and later, in its functions."""

    first: frozenset[str]
    later: frozenset[str]


class Sources:
    """The modules of Volte, by name.

    Args:
        sources: their sources by path, `volte/cards/card.py`.
        there: packages that can be imported.
    """

    def __init__(self, sources: Mapping[str, str], there: Set[str] = THERE) -> None:
        self._there = there
        self.paths = {
            path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path
            for path in sources
        }
        self._sources = sources
        self._imports: dict[str, Imports] = {}
        self._strange: dict[str, bool] = {}

    def imports(self, module: str) -> Imports:
        """Names that a module imports, but for those that only types need."""
        if module not in self._imports:
            path = self.paths[module]
            package = module if path.endswith("/__init__.py") else module.rpartition(".")[0]
            self._imports[module] = _imports(self._sources[path], package)
        return self._imports[module]

    def strange(self, module: str) -> bool:
        """Whether a module cannot be loaded in a browser, since a package that it imports is not
        there."""
        if module not in self._strange:
            self._strange[module] = False  # meanwhile, as imports may go round in a circle
            names = self.imports(module).first
            self._strange[module] = any(
                name.partition(".")[0] not in self._there for name in names
            ) or any(self.strange(each) for name in names for each in self._within(name))
        return self._strange[module]

    def closure(self, root: str) -> list[str]:
        """The modules that a module imports, at once or later, and itself; without those that
        cannot be loaded in a browser."""
        found = dict.fromkeys(self._within(root))
        for module in (waiting := list(found)):
            for name in sorted(frozenset.union(*self.imports(module))):
                for each in self._within(name):
                    if each not in found and not self.strange(each):
                        found[each] = None
                        waiting.append(each)
        return sorted(found)

    def _within(self, name: str) -> Iterator[str]:
        """The modules that are loaded for a name: its packages, and what it is."""
        parts = accumulate(name.split("."), "{}.{}".format)
        return (part for part in parts if part in self.paths)


@cache  # a site has two archives of the same modules
def _imports(source: str, package: str) -> Imports:
    first, later = set[str](), set[str]()

    def look(node: ast.AST, names: set[str]) -> None:
        match node:
            case ast.Import():
                names.update(each.name for each in node.names)
            case ast.ImportFrom():
                above = package.split(".")[: package.count(".") + 2 - node.level]
                parts = [*(above if node.level else ()), *filter(None, [node.module])]
                names.update(".".join([*parts, each.name]) for each in node.names)
            case ast.If(test=ast.Name("TYPE_CHECKING")):
                for statement in node.orelse:
                    look(statement, names)
            case ast.expr():
                pass  # nothing is imported in the middle of a statement
            case _:
                functions = (ast.FunctionDef, ast.AsyncFunctionDef)
                for part in ast.iter_child_nodes(node):
                    look(part, later if isinstance(node, functions) else names)

    look(ast.parse(source), first)
    return Imports(frozenset(first), frozenset(later))


class Shipped:
    """Files of Volte for a browser: modules, and the data that they read.

    Args:
        packages: of others, which are handed on too.
        beside: files that are there already.
    """

    def __init__(
        self, entry: str = ENTRY, packages: Collection[str] = (), beside: Shipped | None = None
    ) -> None:
        self.packages = packages
        self._beside = beside
        paths = sorted((SOURCE / "volte").rglob("*.py"))
        self.sources = Sources(
            {path.relative_to(SOURCE).as_posix(): path.read_text("utf-8") for path in paths},
            THERE.union(packages),
        )
        known = () if beside is None else beside.modules
        self.modules: list[str] = [
            each for each in self.sources.closure(entry) if each not in known
        ]

    @cached_property
    def outside(self) -> list[str]:
        """Names that these modules import from elsewhere."""
        names = {
            name
            for module in self.modules
            for name in frozenset.union(*self.sources.imports(module))
        }
        return sorted(name for name in names if name.partition(".")[0] != "volte")

    @cached_property
    def files(self) -> dict[str, bytes]:
        """Contents by path, `volte/cards/card.py`."""
        modules = [SOURCE / self.sources.paths[module] for module in self.modules]
        packages = {path.parent for path in modules}
        data = [
            path
            for path in (SOURCE / "volte").rglob("*")
            if path.suffix in DATA and _package(path) in packages
        ]
        return {
            path.relative_to(SOURCE).as_posix(): path.read_bytes()
            for path in sorted([*modules, *data])
            if self._beside is None or path.relative_to(SOURCE).as_posix() not in self._beside.files
        }

    @cached_property
    def installed(self) -> dict[str, bytes]:
        """Sources of the packages of others by path, as they are installed."""
        found = {name: Path(str(import_module(name).__file__)).parent for name in self.packages}
        return {
            path.relative_to(folder.parent).as_posix(): path.read_bytes()
            for folder in found.values()
            for path in sorted(folder.rglob("*.py"))
        }


def _package(path: Path) -> Path:
    """The folder of the package to which a file of data belongs."""
    return next(folder for folder in path.parents if (folder / "__init__.py").exists())
