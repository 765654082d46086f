"""The language that `--lang` and the system name, and terminals without all characters."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from kit import Volte, environment


@pytest.mark.parametrize(
    "lang", ["fr", "fr-CA", "FR", "fr_CA.UTF-8", "fr-Latn-CH", "French_Canada"]
)
def test_a_language_may_come_with_its_region_and_in_capitals(lang: str, volte: Volte) -> None:
    assert volte("play", "--lang", lang, "--name", "").err.startswith(
        "Un nom doit tenir sur une ligne et avoir de 1 à 40"
    )
    assert volte(f"--lang={lang}", "--help").out == volte("--lang", "fr", "--help").out


@pytest.mark.parametrize("named", ["fr_CA.UTF-8", "FR", "fr-BE", "French_Canada.1252"])
def test_the_system_names_a_language_in_its_own_way(
    named: str, volte: Volte, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert volte("nix").err.startswith("There is no command “nix”")
    monkeypatch.setenv("LC_ALL", named)
    assert volte("play", "--name", "").err.startswith(
        "Un nom doit tenir sur une ligne et avoir de 1 à 40"
    )


def said(encoding: str, folder: Path, *args: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "volte", *args, "--lang", "fr"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(folder) | {"PYTHONIOENCODING": encoding},
        timeout=60,
    )
    return (done.stdout + done.stderr).decode(encoding)


@pytest.mark.parametrize("encoding", ["ascii", pytest.param("latin-1", marks=pytest.mark.full)])
def test_hearts_are_readable_at_a_terminal_that_has_not_every_character(
    encoding: str, folder: Path
) -> None:
    rules = said(encoding, folder, "rules", "--rules", "coeurs")
    assert "coeur" in rules
    assert "c?ur" not in rules
    assert ("mêmes" if encoding == "latin-1" else "memes") in rules
    assert "?" not in rules.replace(" ?", "")
    misused = said(encoding, folder, "rules", "cœurs")
    assert "coeurs" in misused
    assert "Traceback" not in misused
    shown = said(encoding, folder, "play", "--help")
    assert "?" not in shown
