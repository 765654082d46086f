"""The files of the pages, and the application that they can be installed as."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from server.visiting import House, Visitor, open_house

from volte.server.files import modules_of, version
from volte.server.page import STATIC


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house")) as open_one:
        yield open_one


@pytest.fixture
def visitor(house: House) -> Iterator[Visitor]:
    with Visitor(house.address) as somebody:
        yield somebody


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_application_has_a_name_and_pictures(visitor: Visitor, lang: str) -> None:
    answer = visitor.client.get(f"/manifest.webmanifest?lang={lang}")
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest = json.loads(answer.text)
    assert (manifest["lang"], manifest["start_url"], manifest["scope"]) == (lang, "/", "/")
    assert {icon.get("purpose", "any") for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        assert visitor.client.get(icon["src"]).status_code == 200
    assert f'href="/manifest.webmanifest?lang={lang}"' in visitor.client.get(f"/?lang={lang}").text


def test_the_worker_is_another_one_for_other_files(visitor: Visitor) -> None:
    answer = visitor.client.get("/worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert f'"{version()}"' in answer.text
    assert '"VERSION"' not in answer.text


def test_the_worker_keeps_only_what_belongs_to_everybody(visitor: Visitor) -> None:
    kept = re.findall(r'"(/[\w./-]*)"', (STATIC / "worker.js").read_text(encoding="utf-8"))
    assert {path for path in kept if path not in ("/offline", "/static/")} <= {
        f"/static/{path.name}" for path in STATIC.iterdir()
    }
    visitor.come_in()
    answer = visitor.client.get("/offline")
    assert "set-cookie" not in answer.headers
    assert "Zoé" not in answer.text
    assert "csrf" not in answer.text


def test_the_page_without_a_connection_speaks_every_language(visitor: Visitor) -> None:
    page = visitor.get("/offline")
    assert [found["lang"] for found in page.all("section")] == ["fr", "en"]
    assert len(page.all("h1")) == len(page.all("main")) == 1
    assert [found["src"] for found in page.all("script")] == ["/static/offline.js"]


def test_a_browser_is_told_of_every_module_that_the_table_needs(visitor: Visitor) -> None:
    modules = modules_of("table.js")
    assert modules[0] == "table.js"
    assert len(set(modules)) == len(modules)
    visitor.come_in()
    page = visitor.post("/play")
    linked = [found["href"] for found in page.all("link", rel="modulepreload")]
    assert set(linked) == {f"/static/{name}" for name in modules}


def test_modules_are_found_wherever_they_are_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("volte.server.files.STATIC", tmp_path)
    (tmp_path / "one.js").write_text(
        'import { a,\n  b } from "./two.js";\nimport "./three.js";\nconst x = "./four.js";\n'
    )
    (tmp_path / "two.js").write_text('export { c } from "./three.js";\n')
    (tmp_path / "three.js").write_text('import { a } from "./two.js";\n')
    modules_of.cache_clear()
    assert modules_of("one.js") == ("one.js", "two.js", "three.js")
    modules_of.cache_clear()
