"""Python for browsers: where its files come from, what they must be, and what is made of them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZipFile, ZipInfo

from volte.cards import VolteError
from volte.files import read_file
from volte.site.modules import Shipped
from volte.site.templates import template_modules

PYODIDE: Final = "314.0.7"
PLATFORM: Final = "pyemscripten_2026_0_wasm32"
MSGSPEC: Final = "0.23.0"

WHEEL: Final = f"msgspec-{MSGSPEC}-cp314-cp314-{PLATFORM}.whl"
PACKAGE: Final = "node_modules/pyodide"  # where npm puts it

PINNED: Final = {
    f"{PACKAGE}/pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    f"{PACKAGE}/pyodide.asm.mjs": (
        "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635"
    ),
    f"{PACKAGE}/pyodide.asm.wasm": (
        "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6"
    ),
    f"{PACKAGE}/python_stdlib.zip": (
        "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a"
    ),
    WHEEL: "1836f50ad87e7c56600b648a1b75c3bbcce62835cb1f489435fc5fee8d068831",
}
"""SHA-256 of each file that is read, by its path in the folder of the runtime."""

LIBRARY: Final = "python_stdlib.zip.txt"
PACKAGES: Final = "packages.zip.txt"
PAGES: Final = "pages.zip.txt"
"""Archives that are not deflated, under an ending that hosts compress as they send it: so they
come in half the size, and better compressed than they could be by themselves."""

COMPILED: Final = "_core.cpython-314-wasm32-emscripten.so"
"""The part of msgspec that is compiled; Python can begin with it before `PACKAGES` has come."""

UNCHANGED: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")

HERE: Final = Path(__file__).parent


class SiteFault(VolteError):
    """A site that cannot be exported."""


def commands(folder: str) -> str:
    """A command line that gets the runtime into a folder, by npm and pip."""
    place = quote(folder)
    return (
        f"npm install --prefix {place} --no-save --ignore-scripts pyodide@{PYODIDE}"
        f" && python3 -m pip download --dest {place} --no-deps --only-binary :all:"
        f" --platform {PLATFORM} --implementation cp --python-version 3.14 --abi cp314"
        f" msgspec=={MSGSPEC}"
    )


def checked(folder: Path) -> dict[str, bytes]:
    """Files of the runtime, by their names. Raises `SiteFault` if one is missing or another one."""
    found, install = {}, commands(str(folder))
    for path, digest in PINNED.items():
        try:
            content = read_file(folder / path)
        except OSError:
            raise SiteFault("runtime_missing", path=str(folder / path), install=install) from None
        if sha256(content).hexdigest() != digest:
            raise SiteFault("runtime_differs", path=str(folder / path), install=install)
        found[path.rpartition("/")[2]] = content
    return found


def made_of(folder: Path, table: Shipped, pages: Shipped) -> dict[str, bytes]:
    """Files with which a browser runs Volte, by their names: some of Pyodide's, unchanged, and
    archives of compiled modules, with `COMPILED` beside them.

    `LIBRARY` holds the standard library as far as a table uses it, `PACKAGES` Volte for a table and
    msgspec, `PAGES` all beside that pages use. The same files and sources give the same bytes.
    Raises `SiteFault`.
    """
    files = checked(folder)
    with ZipFile(BytesIO(files[WHEEL])) as wheel:
        packages = table.files | {
            name: wheel.read(name)
            for name in wheel.namelist()
            if name.startswith("msgspec/") and name.endswith((".py", COMPILED))
        }
    archives = _compiled(folder, packages, table, pages)
    compiled = {f"{COMPILED}.txt": packages[f"msgspec/{COMPILED}"]}
    return {name: files[name] for name in UNCHANGED} | compiled | archives


def _compiled(
    folder: Path, packages: Mapping[str, bytes], table: Shipped, pages: Shipped
) -> dict[str, bytes]:
    node = shutil.which("node")
    if node is None:
        raise SiteFault("no_node")
    with TemporaryDirectory() as temporary:
        room = Path(temporary)
        rest = pages.files | pages.installed | template_modules(pages.modules)
        parts = {"packages": (packages, table), "pages": (rest, pages)}
        for part, (files, of) in parts.items():
            with ZipFile(room / f"{part}.zip", "w") as archive:
                for name, content in files.items():
                    archive.writestr(ZipInfo(name), content)
            (room / f"{part}.txt").write_text("\n".join([*of.modules, *of.outside]))
        shutil.copy(HERE / "compiling.py", room)
        runtime = str((folder / PACKAGE).resolve())
        command = [node, str(HERE / "compile.mjs"), f"{runtime}/", temporary]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            why = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "")
            raise SiteFault("node_fails", why=why[:200])
        return {
            LIBRARY: (room / "python_stdlib.zip").read_bytes(),
            PACKAGES: (room / "packages.zip").read_bytes(),
            PAGES: (room / "pages.zip").read_bytes(),
        }
