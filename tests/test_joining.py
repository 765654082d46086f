"""Files for people who want to join: forms, workflows and CITATION.cff fit the project."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

import volte

ROOT: Final = Path(__file__).parents[1]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
HOOKS: Final = ROOT / ".pre-commit-config.yaml"
CITATION: Final = ROOT / "CITATION.cff"
FORMS: Final = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
WORKFLOWS: Final = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PAGES: Final = (*ROOT.glob("CO*.md"), *(ROOT / ".github").glob("*.md"), ROOT / "docs/releasing.md")


def read(file: Path) -> Any:
    return yaml.safe_load(file.read_text("utf-8"))


def each(files: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("file", files, ids=[file.name for file in files])


@each([file for file in FORMS if file.name != "config.yml"])
def test_a_form_has_what_github_wants_of_it(file: Path) -> None:
    form = read(file)
    assert {"name", "description", "body"} <= form.keys()
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert all(field["attributes"]["label"] for field in fields)
    assert len({field["id"] for field in fields}) == len(fields)


@each(WORKFLOWS)
def test_a_workflow_says_what_it_may_and_of_which_version_its_actions_are(file: Path) -> None:
    workflow = read(file)
    assert {"permissions", "concurrency", "jobs"} <= workflow.keys()
    jobs = workflow["jobs"].values()
    used = [step["uses"] for job in jobs for step in job.get("steps", ()) if "uses" in step]
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@(v\d+|release/v\d+)", action) for action in used)


@each([*FORMS, *WORKFLOWS, HOOKS, *PAGES])
def test_files_that_are_named_exist(file: Path) -> None:
    text = file.read_text("utf-8")
    named = re.findall(r"(?<![\w/.])((?:docs|scripts|src|tests|\.github)/[\w./-]*\w)", text)
    assert [name for name in named if not (ROOT / name.replace("LANG", "fr")).exists()] == []


def test_hooks_are_suites_of_the_tests() -> None:
    suites = re.findall(r"^suite_(\w+)", (ROOT / "scripts/test").read_text("utf-8"), re.MULTILINE)
    (local,) = read(HOOKS)["repos"]
    assert local["repo"] == "local"
    assert {hook["entry"].removeprefix("scripts/test ") for hook in local["hooks"]} <= {*suites}


def test_all_pythons_that_are_promised_are_tested() -> None:
    classifier = re.compile(r"Programming Language :: Python :: (3\.\d+)")
    promised = [found[1] for each in PROJECT["classifiers"] if (found := classifier.match(each))]
    jobs = read(ROOT / ".github/workflows/tests.yml")["jobs"]
    assert jobs["installed"]["strategy"]["matrix"]["python"] == promised
    assert jobs["everything"]["container"]["image"].startswith(f"python:{promised[0]}-")


def test_the_version_is_the_same_everywhere() -> None:
    citation = read(CITATION)
    assert citation["version"] == PROJECT["version"] == volte.__version__
    assert citation["authors"] == PROJECT["authors"]
    assert {*PROJECT["keywords"]} <= {*citation["keywords"]}
