"""scripts/house.py: what it counts in a small checkout, and the drawing in docs/architecture.md."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]

FILES: Final = {
    "src/volte/__init__.py": "",
    "src/volte/low/__init__.py": "",
    "src/volte/low/one.py": """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from volte.low import two
        class Card: ...
        class Pack: ...
    """,
    "src/volte/low/two.py": '''
        """Told, in a docstring, is no name."""
        import json
        def cards_told(told_by): return _count(told_by)
        def _count(told_by):
            """So many."""
            from volte.low.one import Card
            return json._private(told_by), _kept
        _kept = 1
        """What is kept."""
    ''',
    "src/volte/high.py": """
        import volte.low.one
        class Card: ...
        class Pack: ...
        class _Hidden: ...
    """,
    "tests/double_names.txt": "# May stay\nPack 2\n\n# Still double\nCard 2\n",
    "tests/test_low.py": "a = 1\nb = 2\n",
    "docs/rules.md": "made\n",
    "docs/table.md": "two words\n",
}


def house(*arguments: str | Path) -> str:
    """The output of scripts/house.py."""
    command = [sys.executable, str(ROOT / "scripts" / "house.py"), *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text).lstrip())
    return tmp_path


def test_what_is_counted(checkout: Path) -> None:
    (table,) = json.loads(house(checkout, "--json"))
    assert table["circles of modules"] == [1, ["volte.low.one volte.low.two"]]
    assert table["circles of packages"] == [0, []]
    assert table["public class names used twice"] == [1, ["Card: high.py low/one.py"]]
    assert table["the same, allowed"] == [1, ["Pack"]]
    assert table["private imports"] == [1, ["low/two.py:7: json._private"]]
    assert table["'told' in names"] == [5, []]
    assert table["'kept' in names"] == [2, []]
    assert table["helpers used once, of at most two statements"] == [1, ["low/two.py:4: _count"]]
    assert table["docstrings under 28 characters"] == [
        2,
        ["low/two.py:9: What is kept.", "low/two.py:4: So many."],
    ]
    assert table["docstrings that begin with a pronoun"] == [1, ["low/two.py:9: What is kept."]]
    assert table["prose: README, docs and the like, lines"] == [1, []]
    assert table["tests: Python of tests, lines"] == [2, []]


def test_two_checkouts_stand_side_by_side(checkout: Path) -> None:
    line = house(checkout, checkout).splitlines()[1]
    assert line.split() == ["tests:", "Python", "of", "tests,", "lines", "2", "2"]


def test_the_drawing_has_every_package_above_what_it_imports(checkout: Path) -> None:
    assert house(checkout, "--drawing") == "```text\n  high ▶ low\n───────\n  low\n```\n"


def test_this_house_is_as_it_is_drawn_and_docstrings_begin_with_the_noun_or_the_verb() -> None:
    """Both of one reading of the modules."""
    script = runpy.run_path(str(ROOT / "scripts" / "house.py"))
    modules = script["modules_of"](ROOT)
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert script["drawing"](modules) in page, "run scripts/docs"
    assert [each for module in modules.values() for each in script["riddles"](module)] == []
