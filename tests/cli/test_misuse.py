"""Whatever is asked wrongly is answered in one sentence, in the right language."""

from pathlib import Path

import pytest
from cli.command import Command

MISUSES = [
    "foo",
    "--foo",
    "play --foo",
    "play --lang de",
    "play --lang",
    "play --rules nothing",
    "play --rules nothing.toml",
    "play --set x",
    "play --set x=1",
    "play --set queen_discard=maybe",
    "play --players 9",
    "play --players many",
    "play --rules coeurs --set pass_count=4 --set players=x",
    "play --width 3",
    "play --width wide",
    "play --verbosity loud",
    "play --plain=2",
    "play --seats me,me,casual,casual",
    "play --seats me,casual,casual,zorro",
    "play --players 4 --seats me,casual",
    "play --name  ",
    "play --resume --rules salon",
    "play extra",
    "rules --clauses",
    "rules --toml",
    "rules --rules salon --players 7",
    "replay",
    "replay one two",
    "replay one --by card",
    "check",
    "verify",
]
FAILURES = ["check nofile", "replay nofile", "verify nofile", "play --resume", "play --resume no"]


@pytest.mark.parametrize("line", MISUSES)
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_misuse_is_one_sentence_and_status_2(line: str, lang: str, volte: Command) -> None:
    told = volte("--lang", lang, *line.split(" "))
    assert told.status == 2
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert told.err.rstrip().endswith((".", "!")) or "TOML" in told.err


@pytest.mark.parametrize("line", FAILURES)
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_failure_is_one_sentence_and_status_1(line: str, lang: str, volte: Command) -> None:
    told = volte("--lang", lang, *line.split())
    assert told.status == 1
    assert told.out == ""
    assert told.err.count("\n") == 1


def test_the_same_in_french(volte: Command) -> None:
    assert volte("play", "--foo", "--lang", "fr").err == (
        "Il n’y a pas d’option --foo\u00a0; «\u00a0volte play --help\u00a0» les montre toutes.\n"
    )
    assert volte("--lang=fr", "nix").err.startswith("Il n’y a pas de commande «\u00a0nix\u00a0»")


def test_the_language_of_the_system_is_the_usual_one(
    volte: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert volte("nix").err.startswith("There is no command “nix”")
    monkeypatch.setenv("LC_ALL", "fr_CA.UTF-8")
    assert volte("nix").err.startswith("Il n’y a pas")


def test_files_that_are_no_records(volte: Command, folder: Path) -> None:
    bad = folder / "bad.volte"
    for content in (b"", b"hello\n", b"\xff\xfe\x00", b"Volte record 1\nRules: nothing\n"):
        bad.write_bytes(content)
        for name in ("check", "replay", "verify"):
            told = volte(name, str(bad))
            assert told.status == 1
            assert told.err.count("\n") == 1
    assert volte("check", str(folder)).status == 1
