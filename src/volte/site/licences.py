"""Licences of all that an exported site hands on."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

from volte import __version__
from volte.site.runtime import MSGSPEC, PYODIDE

LICENCES: Final = Path(__file__).with_name("licences")
UNICODE: Final = Path(__file__).parents[1] / "names" / "lookalikes-license.txt"


class Component(NamedTuple):
    """A work that is handed on, whole or in part."""

    name: str
    licence: str  # by its SPDX name
    holders: str  # of the copyright, as the work names them
    source: str  # where its source is; empty where nobody need say so
    text: str = ""  # name of the file with the licence; empty where none is asked for
    version: str = ""


COMPONENTS: Final = (
    Component(
        "Volte",
        "MIT",
        "© 2026 the Volte developers",
        "",
        "mit.txt",
        __version__,
    ),
    Component(
        "Unicode data in Volte",
        "Unicode-3.0",
        "© 1991–2026 Unicode, Inc.",
        "https://www.unicode.org/Public/",
        "unicode-3.0.txt",
    ),
    Component(
        "Pyodide",
        "MPL-2.0",
        "© the Pyodide contributors and Mozilla",
        f"https://github.com/pyodide/pyodide/tree/{PYODIDE}",
        "mpl-2.0.txt",
        PYODIDE,
    ),
    Component(
        "Python",
        "PSF-2.0",
        "© 2001 Python Software Foundation",
        "https://www.python.org/downloads/source/",
        "python.txt",
        "3.14.2",
    ),
    Component(
        "msgspec",
        "BSD-3-Clause",
        "© 2021 Jim Crist-Harif",
        "https://github.com/jcrist/msgspec",
        "bsd-3-clause.txt",
        MSGSPEC,
    ),
    Component(
        "Starlette",
        "BSD-3-Clause",
        "© 2018 Encode OSS Ltd",
        "https://github.com/Kludex/starlette",
        "bsd-3-clause.txt",
        version("starlette"),
    ),
    Component(
        "Jinja",
        "BSD-3-Clause",
        "© 2007 Pallets",
        "https://github.com/pallets/jinja",
        "bsd-3-clause.txt",
        version("jinja2"),
    ),
    Component(
        "MarkupSafe",
        "BSD-3-Clause",
        "© 2010 Pallets",
        "https://github.com/pallets/markupsafe",
        "bsd-3-clause.txt",
        version("markupsafe"),
    ),
    Component(
        "AnyIO",
        "MIT",
        "© 2018 Alex Grönholm",
        "https://github.com/agronholm/anyio",
        "mit.txt",
        version("anyio"),
    ),
    Component(
        "Python-Multipart",
        "Apache-2.0",
        "© 2012–2013 Andrew Dunham",
        "https://github.com/Kludex/python-multipart",
        "apache-2.0.txt",
        version("python-multipart"),
    ),
    Component("SQLite", "blessing", "in the public domain", "https://www.sqlite.org/src/"),
    Component(
        "zlib", "Zlib", "© 1995–2024 Jean-loup Gailly, Mark Adler", "https://zlib.net/", "zlib.txt"
    ),
    Component(
        "bzip2",
        "bzip2-1.0.6",
        "© 1996–2019 Julian R Seward",
        "https://sourceware.org/bzip2/",
        "bzip2.txt",
    ),
    Component(
        "liblzma", "0BSD", "© the authors of XZ Utils", "https://github.com/tukaani-project/xz"
    ),
    Component(
        "Zstandard",
        "BSD-3-Clause",
        "© Meta Platforms, Inc. and affiliates",
        "https://github.com/facebook/zstd",
        "bsd-3-clause.txt",
    ),
    Component(
        "libffi",
        "MIT",
        "© 1996–2024 Anthony Green, Red Hat, Inc. and others",
        "https://github.com/libffi/libffi",
        "mit.txt",
    ),
    Component(
        "Expat",
        "MIT",
        "© 1998–2000 Thai Open Source Software Center Ltd and Clark Cooper;"
        " © 2001–2025 Expat maintainers",
        "https://github.com/libexpat/libexpat",
        "mit.txt",
    ),
    Component(
        "libmpdec",
        "BSD-2-Clause",
        "© 2008–2020 Stefan Krah",
        "https://www.bytereef.org/mpdecimal/",
        "bsd-2-clause.txt",
    ),
    Component(
        "HACL*",
        "MIT",
        "© 2016–2023 INRIA, CMU and Microsoft Corporation",
        "https://github.com/hacl-star/hacl-star",
        "mit.txt",
    ),
    Component(
        "mimalloc",
        "MIT",
        "© 2018–2025 Microsoft Corporation, Daan Leijen",
        "https://github.com/microsoft/mimalloc",
        "mit.txt",
    ),
    Component(
        "Emscripten",
        "MIT",
        "© 2010–2014 Emscripten authors",
        "https://github.com/emscripten-core/emscripten",
        "mit.txt",
    ),
    Component(
        "musl", "MIT", "© 2005–2020 Rich Felker, et al.", "https://musl.libc.org/", "mit.txt"
    ),
    Component(
        "LLVM runtime libraries",
        "Apache-2.0 WITH LLVM-exception",
        "© the LLVM contributors",
        "https://github.com/llvm/llvm-project",
    ),
    Component(
        "ErrorStackParser and StackFrame",
        "MIT",
        "© 2017 Eric Wendelin and other contributors",
        "https://github.com/stacktracejs",
        "mit.txt",
    ),
)
"""Works in an export; those after Python-Multipart are in the files of Pyodide."""


def texts() -> dict[str, bytes]:
    """The texts of the licences, by their paths in the site."""
    files = {path.name: path.read_bytes() for path in sorted(LICENCES.iterdir())}
    files["unicode-3.0.txt"] = UNICODE.read_bytes()
    return {f"licences/{name}": text for name, text in files.items()}
