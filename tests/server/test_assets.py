"""The files of the pages: kept for good, compressed, joined, and never mixed with older ones."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import brotli
import httpx
import pytest
from kit.browsing import Visitor
from kit.sites import House, open_house

from volte.say import Words
from volte.say.catalogue import LANGUAGES
from volte.say.script import client_sentences
from volte.web import assets
from volte.web.assets import CODINGS, LASTING, ROOMS, SHEETS, modules_of, static, version

IN_A_PAGE = re.compile(r'"(/static/[^"#]+)')
UNPACK = {"": bytes, "br": brotli.decompress, "gzip": gzip.decompress}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house")) as open_one:
        yield open_one


@pytest.fixture
def visitor(house: House) -> Iterator[Visitor]:
    with Visitor(house.address) as somebody:
        yield somebody


def raw(
    visitor: Visitor, path: str, method: str = "GET", **headers: str
) -> tuple[httpx.Response, bytes]:
    """An answer, and its body as it came over the wire; `accept_encoding` is empty if not given."""
    sent = {"accept-encoding": ""} | {
        name.replace("_", "-"): each for name, each in headers.items()
    }
    with visitor.client.stream(method, path, headers=sent) as answer:
        return answer, b"".join(answer.iter_raw())


def test_all_that_pages_link_may_be_kept_for_good(visitor: Visitor) -> None:
    visitor.come_in()
    played = visitor.post("/play")
    pages = [
        visitor.get(path).answer.text for path in ("/", "/puzzle", "/learn/1", "/offline", "/score")
    ]
    linked = {each for text in (*pages, played.answer.text) for each in IN_A_PAGE.findall(text)}
    linked |= {icon["src"] for icon in visitor.client.get("/manifest.webmanifest").json()["icons"]}
    assert len(linked) > 20
    for address in linked:
        assert address.startswith(f"/static/{version()}-")
        answer, _ = raw(visitor, address)
        assert (answer.status_code, answer.headers["cache-control"]) == (200, LASTING), address


def test_under_the_digest_of_other_files_nothing_comes_but_the_way_to_those_of_now(
    visitor: Visitor,
) -> None:
    """So that a page which is older than the files finds out, and nobody keeps the mixture."""
    for digest in ("0" * 16, version().upper(), version()[:-1]):
        for name, status in (("table.js", 307), ("table.py", 404)):
            answer = visitor.client.get(f"/static/{digest}/{name}", follow_redirects=False)
            assert (answer.status_code, answer.headers["cache-control"]) == (status, "no-store")
            assert answer.headers.get("location") == (static(name) if status == 307 else None)


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("", ""),
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("GZIP;q=1.0, br;q=0.5", "gzip"),
        ("br;q=0, *", "gzip"),
        ("*", "br"),
        ("*;q=0", ""),
        ("identity", ""),
        ("identity;q=1, br;q=0.2", ""),
        ("br;q=0, gzip;q=0, identity;q=0", ""),
        ("deflate, ;;, br;q=lots", ""),
    ],
)
def test_a_file_comes_in_the_coding_that_is_liked_best(
    visitor: Visitor, accepted: str, coding: str
) -> None:
    answer, body = raw(visitor, static("table.js"), accept_encoding=accepted)
    assert answer.headers.get("content-encoding", "") == coding
    assert answer.headers["vary"] == "accept-encoding"
    assert int(answer.headers["content-length"]) == len(body)
    assert UNPACK[coding](body) == (ROOMS / "server/live/static/table.js").read_bytes()


def test_every_coding_has_a_tag_of_its_own(visitor: Visitor) -> None:
    address = static("table.js")
    tags = {
        raw(visitor, address, accept_encoding=each)[0].headers["etag"] for each in ("", *CODINGS)
    }
    assert len(tags) == 1 + len(CODINGS)
    tag = raw(visitor, address, accept_encoding="br")[0].headers["etag"]
    for known in (tag, f"W/{tag}", f'"another", {tag}', "*"):
        answer, body = raw(visitor, address, accept_encoding="br", if_none_match=known)
        assert (answer.status_code, body, answer.headers["etag"]) == (304, b"", tag)
    answer, _ = raw(visitor, address, accept_encoding="gzip", if_none_match=tag)
    assert answer.status_code == 200


def test_a_head_is_the_answer_without_its_body_and_a_range_is_the_whole(visitor: Visitor) -> None:
    address = static("table.js")
    answer, body = raw(visitor, address, accept_encoding="br")
    head, nothing = raw(visitor, address, "HEAD", accept_encoding="br")
    assert nothing == b""
    for name in ("content-length", "content-encoding", "etag", "cache-control", "vary"):
        assert head.headers[name] == answer.headers[name]
    part, whole = raw(visitor, address, accept_encoding="br", range="bytes=0-9")
    assert (part.status_code, whole, part.headers["accept-ranges"]) == (200, body, "none")


def test_pictures_that_are_compressed_already_are_not_compressed_again(visitor: Visitor) -> None:
    answer, body = raw(visitor, static("icon-180.png"), accept_encoding="br, gzip")
    assert "content-encoding" not in answer.headers
    assert body == (ROOMS / "web/static/icon-180.png").read_bytes()


def test_nothing_that_is_made_for_somebody_is_compressed(visitor: Visitor) -> None:
    """The length of what is compressed says what is in it (BREACH): tokens, invitations, codes."""
    visitor.come_in()
    table = visitor.post("/play").answer.url.path
    for path in ("/", table, f"{table}/rules", f"{table}/qr.svg", "/me", "/clubs", "/api/me"):
        answer, _ = raw(visitor, path, accept_encoding="gzip, deflate, br")
        assert answer.status_code == 200, path
        assert "content-encoding" not in answer.headers, path


def test_a_sheet_is_its_parts_one_after_the_other(visitor: Visitor) -> None:
    for name, parts in SHEETS.items():
        sources = [next(ROOMS.rglob(f"static/{part}.css")).read_bytes() for part in parts]
        assert raw(visitor, static(f"{name}.css"))[1] == b"\n".join(sources)
    visitor.come_in()
    linked = visitor.post("/play").all("link", rel="stylesheet")
    assert [found["href"] for found in linked] == [static("table-page.css", "en")]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sentences_of_scripts_come_with_them(visitor: Visitor, lang: str) -> None:
    _, body = raw(visitor, static("page.js", lang))
    written = re.search(r"const words = JSON\.parse\((.*)\);\n", body.decode())
    assert written is not None
    assert json.loads(json.loads(written[1])) == client_sentences(Words(lang))


def test_the_digest_is_another_one_for_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    caches = (assets.assets, assets.version)
    before = version()
    (files := tmp_path / "web/static").mkdir(parents=True)
    for path in ROOMS.rglob("static/*"):
        (files / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(assets, "ROOMS", tmp_path)
    digests = []
    for change in (b"", b"/* */"):
        with (files / "felt.css").open("ab") as file:
            file.write(change)
        for each in caches:
            each.cache_clear()
        digests.append(version())
    for each in caches:
        each.cache_clear()
    assert digests[0] == before != digests[1]


def test_a_browser_is_told_of_every_module_that_the_table_needs(visitor: Visitor) -> None:
    modules = modules_of("table.js")
    assert modules[0] == "table.js"
    assert len(set(modules)) == len(modules)
    visitor.come_in()
    page = visitor.post("/play")
    linked = [found["href"] for found in page.all("link", rel="modulepreload")]
    assert set(linked) == {static(name, "en") for name in modules}


def test_modules_are_found_wherever_they_are_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = {
        "one.js": 'import { a,\n b } from "./two.js";\nimport "./three.js";\nlet x = "./four.js";',
        "two.js": 'export { c } from "./three.js";\n',
        "three.js": 'import { a } from "./two.js";\n',
    }
    found = {name: assets.Asset(source.encode(), "") for name, source in sources.items()}
    monkeypatch.setattr(assets, "assets", lambda: found)
    modules_of.cache_clear()
    assert modules_of("one.js") == ("one.js", "two.js", "three.js")
    modules_of.cache_clear()
