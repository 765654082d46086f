"""Files of the runtime are the very ones that are pinned, or nothing is exported."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit import because
from kit.exporting import ROOT, made, runtime

from volte.site.modules import Shipped
from volte.site.runtime import PINNED, SiteFault, checked, commands, made_of


@pytest.fixture(scope="module")
def little() -> Shipped:
    """Files of a few modules."""
    return Shipped("volte.names")


def copied(folder: Path) -> Path:
    """A folder with links to the files of the runtime."""
    for path in PINNED:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).symlink_to(runtime() / path)
    return folder


def test_a_missing_file_is_named_with_the_commands_that_get_it(tmp_path: Path) -> None:
    with pytest.raises(SiteFault, match="is missing") as missing:
        checked(tmp_path)
    assert str(missing.value).endswith(commands(str(tmp_path)))


def test_the_page_about_it_has_the_same_commands() -> None:
    page = (ROOT / "docs/browser.md").read_text("utf-8")
    assert all(f"\n    {command}\n" in page for command in commands("runtime").split(" && "))


@pytest.mark.parametrize("path", PINNED)
def test_a_forged_file_is_refused(path: str, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    whole = (folder / path).read_bytes()
    (folder / path).unlink()
    (folder / path).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(SiteFault, match=path) as forged:
        checked(folder)
    assert forged.value.reason == "runtime_differs"


def test_without_node_a_sentence_says_what_to_install(
    tmp_path: Path, little: Shipped, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SiteFault, check=because("no_node")):
        made_of(folder, little, little)


def test_a_runtime_that_does_not_start_is_told_in_one_line(
    tmp_path: Path, little: Shipped, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(tmp_path)
    node = tmp_path / "node"
    node.write_text("#!/bin/sh\necho this Node.js is too old >&2\nexit 1\n")
    node.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(SiteFault, match=r"this Node\.js is too old"):
        made_of(folder, little, little)


@pytest.mark.full
def test_the_same_sources_give_the_same_bytes() -> None:
    assert made("/here") == made("/here")
