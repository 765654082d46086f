"""Modules that an exported site hands on are found by their imports."""

from __future__ import annotations

import sys

from volte.site.modules import THERE, Shipped, Sources

LITTLE = Sources(
    {
        "volte/__init__.py": "",
        "volte/a/__init__.py": "from volte.a import one\n",
        "volte/a/one.py": (
            "from typing import TYPE_CHECKING\n"
            "from . import two\n"
            "if TYPE_CHECKING:\n    import volte.types\n"
            "def later():\n    from volte.b.three import f\n    import volte.strange\n"
        ),
        "volte/a/two.py": "import msgspec\n",
        "volte/b/__init__.py": "",
        "volte/b/three.py": "from ..a.one import later\n",
        "volte/b/four.py": "",
        "volte/types.py": "",
        "volte/strange.py": "import volte.needs_numpy\n",
        "volte/needs_numpy.py": "import numpy\n",
    }
)


def test_a_module_comes_with_what_it_imports_at_once_or_later() -> None:
    packages = ["volte", "volte.a", "volte.b"]
    modules = ["volte.a.one", "volte.a.two", "volte.b.three"]
    assert LITTLE.closure("volte.a") == sorted([*packages, *modules])


def test_a_module_that_wants_a_package_which_is_not_there_stays_behind() -> None:
    assert [name for name in LITTLE.paths if LITTLE.strange(name)] == [
        "volte.strange",
        "volte.needs_numpy",
    ]


def test_what_is_handed_on_needs_the_standard_library_and_msgspec_alone() -> None:
    shipped = Shipped()
    first = {name for module in shipped.modules for name in shipped.sources.imports(module).first}
    packages = {name.partition(".")[0] for name in first} - sys.stdlib_module_names
    assert packages <= {"volte", "msgspec", "js", "pyodide", "pyodide_js"} <= THERE
