"""Settings in a file, which count for less than the environment and options."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from volte import cli
from volte.console import command
from volte.say import Words
from volte.web.settings import FIELDS, SettingFault, Settings, chosen


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "volte.toml"
    path.write_text(
        '# our club\nport = 1234\ngrace = 2\norigins = ["https://a.example"]\naccess_log = true\n'
        'log = "json"\ndatabase = "postgresql://volte:sesame@db/volte"\n',
        encoding="utf-8",
    )
    return path


def refused(path: Path, text: str | bytes) -> str:
    """The sentence about a file with that text, without the file's folder."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(SettingFault) as caught:
        Settings.of({}, config=str(path))
    return Words("en").fault(caught.value).replace(f"{path.parent}/", "")


def test_an_option_counts_for_most_and_the_file_for_least(file: Path) -> None:
    environ = {"VOLTE_GRACE": "3", "VOLTE_PORT": "99"}
    settings, sources, _ = chosen(environ, config=str(file), port=8000, host=None)
    assert (settings.port, settings.grace, settings.host) == (8000, 3, "127.0.0.1")
    assert settings.origins == ("https://a.example",)
    assert settings.access_log
    named = ("port", "grace", "log", "host")
    assert [sources[name] for name in named] == ["option", "environment", "file", "default"]


def test_the_environment_can_name_the_file_and_an_option_another(file: Path) -> None:
    environ = {"VOLTE_CONFIG": str(file)}
    assert Settings.of(environ).port == 1234
    other = file.with_name("other.toml")
    other.write_text("port = 4321\n", encoding="utf-8")
    assert Settings.of(environ, config=str(other)).port == 4321


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "\nport = 1\nprot = 2\n",
            ("volte.toml, line 3: there is no setting prot; did you mean port?"),
        ),
        ('grace = "long"\n', "volte.toml, line 1: grace cannot be “long”."),
        ("a = 1\n", "volte.toml, line 1: there is no setting a; did"),
        ("\n\nport = 70000\n", "volte.toml, line 3: port cannot be “70000”."),
        ("port = true\n", "volte.toml, line 1: port cannot be “True”."),
        ("port = 1.5\n", "volte.toml, line 1: port cannot be “1.5”."),
        ("grace = nan\n", "volte.toml, line 1: grace cannot be “nan”."),
        ("origins = [1]\n", "volte.toml, line 1: origins cannot be “[1]”."),
        ('origins = ["volte.example"]\n', "volte.toml, line 1: origins cannot be"),
        ('log = "loud"\n', "volte.toml, line 1: log cannot be “loud”."),
        ("[port]\nx = 1\n", "volte.toml, line 1: port cannot be"),
        ('push_private_key = "hush"\n', "volte.toml, line 1: push_private_key cannot be “…”."),
        ("port =\n", "volte.toml is not valid TOML: line 1, column 7."),
        (b"\xff\xfe", "volte.toml is not valid TOML: "),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence_with_its_line(
    tmp_path: Path, text: str | bytes, said: str
) -> None:
    told = refused(tmp_path / "volte.toml", text)
    assert told.startswith(said)
    assert told.count(". ") == 0


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingFault) as caught:
        Settings.of({}, config=str(tmp_path / "none.toml"))
    assert Words("en").fault(caught.value).endswith("none.toml: No such file or directory.")


@pytest.mark.parametrize("value", [0, -1, "x", [], 10**10])
def test_every_number_has_to_make_sense(value: Any) -> None:
    for name, field in FIELDS.items():
        if field.type not in (int, float) or (value == 0 and field.default == 0) or name == "port":
            continue
        with pytest.raises((SettingFault, msgspec.ValidationError)):
            Settings.of({"VOLTE_" + name.upper(): str(value)})


# In the environment


def test_settings_come_from_the_environment_and_options_count_for_more() -> None:
    environ = {
        "VOLTE_PORT": "1234",
        "VOLTE_ORIGINS": "https://a.example, https://b.example:8443",
        "VOLTE_GRACE": "2.5",
        "VOLTE_DATABASE": "postgresql://x",
        "VOLTE_HOST": "",
    }
    settings = Settings.of(environ, port=5678, host=None)
    assert (settings.port, settings.host) == (5678, "127.0.0.1")
    assert settings.origins == ("https://a.example", "https://b.example:8443")
    assert settings.grace == 2.5
    assert settings.database_url == "postgresql://x"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("PORT", value) for value in ("65536", "-1")),
        *(("GRACE", value) for value in ("nan", "0")),
        ("SOCKETS_PER_ADDRESS", "1.5"),
        *(("ORIGINS", value) for value in ("https://a.example/path", "HTTPS://a.example")),
        *(("BASE_PATH", path) for path in ("games", "/games/", "/ga mes", "//x", "/a/../b", "/é")),
        *(("PUSH_PRIVATE_KEY", key) for key in ("hush", "A" * 44, "é" * 43)),
        *(
            ("PUSH_CONTACT", text)
            for text in ("anne", "anne@volte.example", "http://volte.example")
        ),
        *(("NODE", name) for name in ("A", "a/b", "..", "ä", "a" * 33)),
    ],
)
def test_settings_that_cannot_be(name: str, value: str) -> None:
    with pytest.raises(SettingFault):
        Settings.of({f"VOLTE_{name}": value})


@pytest.mark.parametrize(
    ("name", "near"),
    [("DATABSE", "DATABASE"), ("DATABASE_URL", "DATABASE"), ("LOGLEVEL", "LOG_LEVEL")],
)
def test_a_variable_that_is_misspelt_is_refused(name: str, near: str) -> None:
    """Else a new, empty playroom would open."""
    with pytest.raises(SettingFault) as caught:
        Settings.of({f"VOLTE_{name}": "sqlite:////srv/p.sqlite"})
    said = f"There is no setting VOLTE_{name}; did you mean VOLTE_{near}?"
    assert Words("en").fault(caught.value) == said


def test_other_unknown_variables_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as those that Kubernetes makes for a service of that name."""
    environ = {"VOLTE_SERVICE_HOST": "10.0.0.1", "VOLTE_PASSION": "", "VOLTE_PORT": "0", "PATH": ""}
    assert chosen(environ).unknown == ("VOLTE_SERVICE_HOST",)
    monkeypatch.setenv("VOLTE_SERVICE_HOST", "10.0.0.1")
    database = ("--database", f"sqlite:///{tmp_path}")  # a folder
    for check in ((), ("--check",)):
        assert command.run(cli.volte, ["serve", "--lang", "en", *database, *check]) == (not check)
        told = capsys.readouterr().err.splitlines()
        assert told[0] == "There is no setting VOLTE_SERVICE_HOST, so this does nothing."


def test_whoever_asks_for_workers_is_told_what_there_is_instead(tmp_path: Path) -> None:
    file = tmp_path / "volte.toml"
    file.write_text("workers = 4\n")
    asking: tuple[tuple[dict[str, str], str | None, dict[str, Any]], ...] = (
        ({"VOLTE_WORKERS": "4"}, None, {}),
        ({}, str(file), {}),
        ({}, None, {"workers": "4"}),
    )
    for environ, config, options in asking:
        with pytest.raises(SettingFault) as caught:
            Settings.of(environ, config=config, **options)
        assert caught.value.reason == "no_workers"


# Precedence


def test_what_counts_is_told_with_where_it_comes_from(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOLTE_METRICS_TOKEN", "hush")
    monkeypatch.delenv("VOLTE_GRACE", raising=False)
    args = ["serve", "--lang", "en", "--config", str(file), "--port", "77", "--check"]
    assert command.run(cli.volte, args) == 0
    lines = capsys.readouterr().out.splitlines()
    told = {line.partition(" = ")[0]: line.partition(" = ")[2] for line in lines}
    assert told.keys() == FIELDS.keys()
    assert re.fullmatch("77 +# from an option", told["port"])
    assert re.fullmatch("2 +# from the file", told["grace"])
    assert re.fullmatch('"127.0.0.1" +# by default', told["host"])
    assert re.fullmatch('"…" +# from the environment', told["metrics_token"])
    assert told["database"].startswith('"postgresql://volte:…@db/volte"')
    assert not any(secret in "\n".join(lines) for secret in ("hush", "sesame"))


def test_one_command_makes_the_keys_for_messages_and_check_says_where_they_are_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "volte.toml"
    check = ["serve", "--lang", "en", "--config", str(file), "--check"]
    file.write_text(f'database = "sqlite:///{tmp_path / "p.sqlite"}"\n', encoding="utf-8")
    assert command.run(cli.volte, check) == 0
    assert "“volte push-keys” makes one." in capsys.readouterr().err
    assert command.run(cli.volte, ["push-keys"]) == 0
    made = capsys.readouterr().out
    with file.open("a", encoding="utf-8") as settings:
        settings.write(made)
    assert command.run(cli.volte, check) == 0
    told = capsys.readouterr()
    assert (told.err, 'push_private_key = "…"' in told.out) == ("", True)
    assert command.run(cli.volte, ["push-keys"]) == 0
    assert capsys.readouterr().out != made


def test_check_refuses_a_key_that_looks_like_one_and_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "volte.toml"
    settings = {"database": f"sqlite:///{tmp_path / 'p.sqlite'}", "push_private_key": "A" * 43}
    file.write_text("\n".join(f'{name} = "{text}"' for name, text in settings.items()), "utf-8")
    check = ["serve", "--lang", "en", "--config", str(file), "--check"]
    assert command.run(cli.volte, check) == 1
    assert "This is not a key for push notifications" in capsys.readouterr().err


def test_what_cannot_count_is_told_instead(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["serve", "--lang", "en", "--config", str(tmp_path / "none.toml"), "--check"]
    assert command.run(cli.volte, args) == 1
    assert capsys.readouterr().err.count("\n") == 1
