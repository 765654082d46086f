"""A path that a comment, a page or a test names is there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAMED = re.compile(
    r"(?:(?<![\w./{}%<-])(?:[\w.-]+/)+|(?<=`))[\w-]+\.(?:py|js|css|ini|md|toml|txt)\b"
    r"(?![\w/*{(]|` as it stands at)"
)
PLACEHOLDER = re.compile("[A-Z]{2}")  # say/locale/LANG
MADE_UP = ("test_assets.py", "test_house.py")


def test_a_path_that_a_comment_or_a_page_names_is_there() -> None:
    """A file may be named by its last parts."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True)
    files = [Path(line) for line in listed.stdout.decode().splitlines()]
    there = {"/".join(file.parts[at:]) for file in files for at in range(len(file.parts))}
    there |= {f"static/{path}" for path in there}  # addresses
    lost = [
        f"{file}: {path}"
        for file in files
        if file.suffix in {".py", ".js", ".css", ".html", ".md", ".txt", ".toml", ".ini"}
        and file.name not in MADE_UP
        for path in NAMED.findall((ROOT / file).read_text("utf-8"))
        if path.lstrip("./") not in there and not PLACEHOLDER.search(path)
    ]
    assert lost == []
