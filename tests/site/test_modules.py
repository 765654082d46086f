"""Modules that an exported site hands on are found by their imports."""

from __future__ import annotations

import re
import sys

import pytest
from jinja2 import ModuleLoader

from volte.site.modules import PAGES, PURE, THERE, Shipped, Sources
from volte.site.templates import template_modules

LITTLE = {
    "volte.__init__": "",
    "volte.a.__init__": "from volte.a import one",
    "volte.a.one": """
from typing import TYPE_CHECKING
from . import two
if TYPE_CHECKING:
    import volte.types
def later():
    from volte.b.three import f
    import volte.strange
""",
    "volte.a.two": "import msgspec",
    "volte.b.__init__": "",
    "volte.b.three": "from ..a.one import later",
    "volte.b.four": "",
    "volte.types": "",
    "volte.strange": "import volte.needs_numpy",
    "volte.needs_numpy": "import numpy",
}
SOURCES = Sources({f"{name.replace('.', '/')}.py": source for name, source in LITTLE.items()})


@pytest.fixture(scope="module")
def of_table() -> Shipped:
    """Files for a table."""
    return Shipped()


@pytest.fixture(scope="module")
def rest(of_table: Shipped) -> Shipped:
    """Files for pages, beside those for a table."""
    return Shipped(PAGES, PURE, of_table)


def test_a_module_comes_with_what_it_imports_at_once_or_later() -> None:
    packages = ["volte", "volte.a", "volte.b"]
    modules = ["volte.a.one", "volte.a.two", "volte.b.three"]
    assert SOURCES.closure("volte.a") == sorted([*packages, *modules])


def test_a_module_that_wants_a_package_which_is_not_there_stays_behind() -> None:
    assert [name for name in SOURCES.paths if SOURCES.strange(name)] == [
        "volte.strange",
        "volte.needs_numpy",
    ]


def test_what_is_handed_on_needs_the_standard_library_and_msgspec_alone(of_table: Shipped) -> None:
    first = {name for module in of_table.modules for name in of_table.sources.imports(module).first}
    packages = {name.partition(".")[0] for name in first} - sys.stdlib_module_names
    assert packages <= {"volte", "msgspec", "js", "pyodide", "pyodide_js"} <= THERE


def test_what_makes_pages_comes_by_itself_with_the_packages_that_it_needs(
    of_table: Shipped, rest: Shipped
) -> None:
    """Nothing is handed on twice, and no package without need."""
    assert rest.modules
    assert not {*rest.modules} & {*of_table.modules}
    assert not rest.files.keys() & of_table.files.keys()
    first = {name for module in rest.modules for name in rest.sources.imports(module).first}
    named = {name.partition(".")[0] for name in first} - THERE
    assert named == {*PURE} - {"anyio", "python_multipart"}  # which Starlette needs


def test_templates_come_with_those_that_they_name(rest: Shipped) -> None:
    made = template_modules(rest.modules)
    texts = b"".join(made.values()).decode()
    named = {*re.findall(r"get_template\('([^']+)'", texts)}
    assert "base.html" in named
    assert {f"{ModuleLoader.get_template_key(name)}.py" for name in named} <= {
        path.rpartition("/")[2] for path in made
    }
