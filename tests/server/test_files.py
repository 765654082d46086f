"""The files of the pages, and the application that they can be installed as."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from kit.browsing import Visitor
from kit.sites import House, open_house

from volte.say.catalogue import LANGUAGES
from volte.web.assets import ROOMS, static, version


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
    assert f'"{version()}-{LANGUAGES[0]}"' in answer.text
    assert '"VERSION"' not in answer.text


def test_the_worker_keeps_only_what_belongs_to_everybody(visitor: Visitor) -> None:
    source = (ROOMS / "web/static/worker.js").read_text(encoding="utf-8")
    kept = re.findall(r'"([\w.]+)"', re.findall(r"const FILES = \[(.*?)\]", source)[0])
    assert set(kept) <= {path.name for path in ROOMS.rglob("static/*")}
    assert all(f'"{static(name)}"' in visitor.client.get("/offline").text for name in kept)
    visitor.come_in()
    answer = visitor.client.get("/offline")
    assert "set-cookie" not in answer.headers
    assert "Zoé" not in answer.text
    assert "csrf" not in answer.text


def test_the_page_without_a_connection_speaks_every_language(visitor: Visitor) -> None:
    page = visitor.get("/offline")
    assert [found["lang"] for found in page.all("section")] == ["fr", "en"]
    assert len(page.all("h1")) == len(page.all("main")) == 1
    assert [found["src"] for found in page.all("script")] == [static("offline.js")]
