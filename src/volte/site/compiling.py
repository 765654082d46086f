"""Compiles modules by the Python that will load them, in WebAssembly; `compile.mjs` runs it there.

Besides the modules given it takes those of the standard library, and of packages, that are loaded
along with them.
Docstrings, assertions and the columns of tracebacks are left out, which halves what is sent.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module, invalidate_caches
from itertools import accumulate
from pathlib import Path
from py_compile import PycInvalidationMode, compile
from tempfile import TemporaryDirectory
from zipfile import ZipFile, ZipInfo

LIBRARY = "/lib/python314.zip"

MORE = (
    "_strptime",
    "calendar",
    "concurrent.futures.thread",
    "csv",
    "difflib",
    "encodings.ascii",
    "encodings.idna",
    "encodings.latin_1",
    "encodings.utf_16",
    "pprint",
    "queue",
    "string.templatelib",
    "urllib.parse",
)
"""Modules that others import when they are first wanted, in some function."""

MORE_FOR_PAGES = ("encodings.unicode_escape", "jinja2.debug")
"""Modules that those of the pages import in some function."""

SOURCES = ("anyio/", "anyio/abc/")
"""Packages that read their own source, and so are not compiled themselves."""


def loaded(names: list[str]) -> set[str]:
    """Paths in the standard library of the modules that are loaded with those names."""
    for name in names:
        for part in accumulate(name.split("."), "{}.{}".format):
            with suppress(ImportError):  # a class or a function, or what only Windows has
                import_module(part)
    found = (f"{name.replace('.', '/')}" for name in [*sys.modules])
    return {path for each in found for path in (f"{each}.py", f"{each}/__init__.py")}


def compiled(source: bytes, path: str, room: Path) -> bytes:
    """The compiled module of a source; the path is what tracebacks show."""
    (room / "source").write_bytes(source)
    mode = PycInvalidationMode.UNCHECKED_HASH
    made = room / "compiled"
    compile(str(room / "source"), str(made), path, True, optimize=2, invalidation_mode=mode)
    return made.read_bytes()


def pack(files: dict[str, bytes], target: Path) -> None:
    """Write an archive of files, the sources among them compiled. Nothing is deflated: archives are
    compressed as they are sent, and better so. What is compiled to WebAssembly stays behind."""
    with TemporaryDirectory() as room, ZipFile(target, "w") as archive:
        for path, content in sorted(files.items()):
            if path.endswith(".so"):
                continue
            if path.endswith(".py") and path.removesuffix("__init__.py") not in SOURCES:
                path, content = f"{path}c", compiled(content, path, Path(room))
            archive.writestr(ZipInfo(path), content)


def unpacked(path: Path) -> dict[str, bytes]:
    """Contents of an archive by name; they are unpacked beside it, too."""
    with ZipFile(path) as archive:
        archive.extractall(path.parent)
        invalidate_caches()
        return {name: archive.read(name) for name in archive.namelist()}


def main(here: Path) -> None:
    """Compile the archives of a folder, each in its place, and the library that they use: as far as
    a table does into an archive of its own, the rest into that of the pages."""
    with ZipFile(LIBRARY) as archive:
        library = {name: archive.read(name) for name in archive.namelist()}
    packages = unpacked(here / "packages.zip")
    used = loaded([*(here / "packages.txt").read_text().split(), *MORE])
    pages = unpacked(here / "pages.zip")
    more = loaded([*(here / "pages.txt").read_text().split(), *MORE_FOR_PAGES])
    pack({name: library[name] for name in used & library.keys()}, here / "python_stdlib.zip")
    pack(packages, here / "packages.zip")
    wanted = {name: pages[name] for name in pages if name.startswith("volte/") or name in more}
    rest = {name: library[name] for name in (more - used) & library.keys()}
    pack(wanted | rest, here / "pages.zip")
