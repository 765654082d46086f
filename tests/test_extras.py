"""A missing extra is reported with the command that installs it here."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest
from kit.sites import environment

from volte.extras import install_command, packages_of

ROOT = Path(__file__).parents[1]


def test_an_extra_is_its_packages_and_those_of_the_extras_in_it() -> None:
    assert packages_of("plot") == ["matplotlib>=3.10"]
    strong, env, everything = map(packages_of, ("strong", "env", "all"))
    assert {"gymnasium>=1.1", *strong} < set(env) < set(everything)
    assert packages_of("no such extra") == []


def test_the_page_says_what_each_extra_weighs() -> None:
    page = (ROOT / "docs/install.md").read_text(encoding="utf-8")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = re.findall(r"^\| `(\w+)` \| \+\d+ \| \+\d+ \|", page, re.MULTILINE)
    assert sorted(told) == sorted(extras["optional-dependencies"])


def test_by_pip() -> None:
    python, *rest = shlex.split(install_command("plot"))
    assert (python, rest) == (sys.executable, ["-m", "pip", "install", "matplotlib>=3.10"])


def test_by_pipx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pipx_metadata.json").touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert shlex.split(install_command("plot")) == ["pipx", "inject", "volte", "matplotlib>=3.10"]


def test_by_uv_where_there_is_no_pip(tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=False)
    python = str(tmp_path / "venv" / "bin" / "python")
    program = "from volte.extras import install_command; print(install_command('plot'))"
    done = subprocess.run(
        [python, "-c", program], env=environment(tmp_path), capture_output=True, text=True
    )
    assert shlex.split(done.stdout)[:5] == ["uv", "pip", "install", "--python", python], done.stderr
