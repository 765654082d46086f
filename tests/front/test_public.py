"""The public names of `import volte`: listed in tests/public.txt, light, a page of help each.

VOLTE_REMAKE_GOLDENS=1 writes the list anew.
"""

from __future__ import annotations

import inspect
import os
import pydoc
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest
from kit.front import PROMISED

import volte
from volte import front

ROOT: Final = Path(__file__).parents[2]
LIST: Final = ROOT / "tests" / "public.txt"

PAGE: Final = 350
"""Lines of help that somebody may be asked to read."""


def public() -> Iterator[str]:
    """Every public name and how it is called, a line each."""
    for name in volte.__all__:
        found = getattr(volte, name)
        yield f"{name}{called(found)}"
        if inspect.isclass(found):
            yield from members(found)


def members(kind: type[Any]) -> Iterator[str]:
    ours = [each for each in kind.__mro__ if each.__module__.partition(".")[0] == "volte"]
    for member in sorted({name for each in ours for name in vars(each) if name[0] != "_"}):
        found = inspect.getattr_static(kind, member)
        read_only = isinstance(found, property | cached_property)
        yield f"{kind.__name__}.{member}{'' if read_only else called(getattr(kind, member))}"


def called(found: Any) -> str:
    """The arguments of a callable, without types that a library spells its own way."""
    if not callable(found) or getattr(found, "_is_protocol", False):
        return ""
    try:
        return str(inspect.signature(found))
    except ValueError:
        return ""


def test_what_is_public_is_listed() -> None:
    text = "".join(f"{line}\n" for line in public())
    if os.environ.get("VOLTE_REMAKE_GOLDENS"):
        LIST.write_text(text, encoding="utf-8", newline="\n")
    known = LIST.read_text(encoding="utf-8")
    assert text == known, "VOLTE_REMAKE_GOLDENS=1 pytest tests/front/test_public.py writes it down"


def test_the_door_and_the_front_have_the_same_names() -> None:
    offered = {name for name, found in vars(front).items() if not inspect.ismodule(found)}
    assert volte.__all__ == sorted(name for name in offered if name[0] != "_")
    assert {*volte.__all__} <= {*dir(volte)}
    for name in volte.__all__:
        assert getattr(volte, name) is getattr(front, name)


def test_what_is_not_there_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'volte' has no attribute 'Mtach'"):
        _ = volte.Mtach  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import volte; volte.__version__", ("volte.", "typing")),
        ("import volte; volte.Match(seed=1)", ("numpy", "numba", "volte.kernel", "babel")),
        (
            "import volte; print(volte.play(*['casual'] * 4, deals=1).record())",
            ("numpy", "numba", "volte.kernel"),
        ),
        ("import volte.cli", ("volte.front",)),
    ],
)
def test_nothing_is_loaded_before_it_is_used(code: str, absent: tuple[str, ...]) -> None:
    script = f"import sys; before = {{*sys.modules}}; {code}; print(*sys.modules.keys() - before)"
    run = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, encoding="utf-8"
    )
    loaded = run.stdout.splitlines()[-1].split()
    assert [name for name in loaded if name.startswith(absent)] == []


@pytest.mark.parametrize("name", volte.__all__)
def test_help_is_a_page_and_begins_with_what_it_is(name: str) -> None:
    text = pydoc.plain(pydoc.render_doc(getattr(front, name)))
    assert text.count("\n") <= PAGE
    if inspect.isclass(getattr(volte, name)):
        assert (getattr(volte, name).__doc__ or "").strip()


# Promises of stability


def test_the_reference_has_every_package_that_the_pages_import_from() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").glob("*.py")]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for package in re.findall(r"^(?:>>> )?(?:from|import) (volte[\w.]*)", text, re.MULTILINE):
            assert package in PROMISED, (page.name, package)
        for dotted in re.findall(r"`(volte\.[\w.]+)`", text):
            assert any(f"{dotted}.".startswith(f"{each}.") for each in PROMISED), (
                page.name,
                dotted,
            )


def test_what_is_promised_is_one_list() -> None:
    """The promise of a version number leads to docs/api, which Sphinx reads by package."""
    assert "[what may be imported](api/index.md)" in (ROOT / "docs/releasing.md").read_text("utf-8")
    for package in PROMISED:
        names = import_module(package).__all__
        assert all(hasattr(import_module(package), name) for name in names)
