"""Compiles modules by the Python that will load them, in WebAssembly; `compile.mjs` runs it there.

Besides the modules given it takes those of the standard library that are loaded along with them.
Docstrings, assertions and the columns of tracebacks are left out, which halves what is sent.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
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


def loaded(names: list[str]) -> set[str]:
    """Paths in the standard library of the modules that are loaded with those names."""
    for name in [*names, *MORE]:
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
    compressed as they are sent, and better so."""
    with TemporaryDirectory() as room, ZipFile(target, "w") as archive:
        for path, content in sorted(files.items()):
            if path.endswith(".py"):
                path, content = f"{path}c", compiled(content, path, Path(room))
            archive.writestr(ZipInfo(path), content)


def main(packages: Path, names: list[str], library: Path) -> None:
    """Compile the archive of packages, in its place, and the library for them into another."""
    with ZipFile(packages) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with ZipFile(LIBRARY) as archive:
        used = loaded(names).intersection(archive.namelist())
        pack({name: archive.read(name) for name in used}, library)
    pack(files, packages)
