"""The files of the pages: kept for good, compressed, and never mixed with older ones."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from pathlib import Path
from posixpath import dirname, normpath

import brotli
import httpx
import pytest
from kit.browsing import Visitor
from kit.spoken import EVERY

from volte.say import Words
from volte.say.catalogue import TONGUES
from volte.web import assets, sending
from volte.web.joined import JOINED

IN_A_PAGE = re.compile(r'"(/static/[^"#]+)')
UNPACK = {"": bytes, "br": brotli.decompress, "gzip": gzip.decompress}


def raw(
    visitor: Visitor, path: str, method: str = "GET", **headers: str
) -> tuple[httpx.Response, bytes]:
    """An answer, and its body as it came over the wire; `accept_encoding` is empty if not given."""
    sent = {"accept-encoding": ""} | {
        name.replace("_", "-"): each for name, each in headers.items()
    }
    with visitor.client.stream(method, path, headers=sent) as answer:
        return answer, b"".join(answer.iter_raw())


def test_one_module_knows_where_a_browser_keeps_things() -> None:
    """That module is ready for a browser that stores nothing; so are two that come before all
    others, and one that comes alone."""
    scripts = {each.name: each.read_bytes() for each in assets.ROOMS.rglob("static/*.js")}
    assert {
        name for name, text in scripts.items() if b"alStorage" in text or b"onStorage" in text
    } == {"storage.js", "early.js", "languages.js", "by_keys.js"}


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
        assert address.startswith(f"/static/{assets.version()}-")
        answer, _ = raw(visitor, address)
        assert (answer.status_code, answer.headers["cache-control"]) == (200, sending.LASTING), (
            address
        )


def test_under_the_digest_of_other_files_nothing_comes_but_the_way_to_those_of_now(
    visitor: Visitor,
) -> None:
    """So that a page which is older than the files finds out, and nobody keeps the mixture."""
    for digest in ("0" * 16, assets.version().upper(), assets.version()[:-1]):
        for name, status in (("web/static/page.js", 307), ("web/page.py", 404)):
            answer = visitor.client.get(f"/static/{digest}/{name}", follow_redirects=False)
            assert (answer.status_code, answer.headers["cache-control"]) == (status, "no-store")
            assert answer.headers.get("location") == (
                assets.static(name) if status == 307 else None
            )


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
    answer, body = raw(
        visitor, assets.static("server/live/static/connection.js"), accept_encoding=accepted
    )
    assert answer.headers.get("content-encoding", "") == coding
    assert answer.headers["vary"] == "accept-encoding"
    assert int(answer.headers["content-length"]) == len(body)
    assert UNPACK[coding](body) == (assets.ROOMS / "server/live/static/connection.js").read_bytes()


def test_every_coding_has_a_tag_of_its_own(visitor: Visitor) -> None:
    address = assets.static("server/live/static/table.js")
    codings = ("", *sending.CODINGS)
    tags = {raw(visitor, address, accept_encoding=each)[0].headers["etag"] for each in codings}
    assert len(tags) == len(codings)
    tag = raw(visitor, address, accept_encoding="br")[0].headers["etag"]
    for known in (tag, f"W/{tag}", f'"another", {tag}', "*"):
        answer, body = raw(visitor, address, accept_encoding="br", if_none_match=known)
        assert (answer.status_code, body, answer.headers["etag"]) == (304, b"", tag)
    answer, _ = raw(visitor, address, accept_encoding="gzip", if_none_match=tag)
    assert answer.status_code == 200


def test_a_head_is_the_answer_without_its_body_and_a_range_is_the_whole(visitor: Visitor) -> None:
    address = assets.static("server/live/static/table.js")
    answer, body = raw(visitor, address, accept_encoding="br")
    head, nothing = raw(visitor, address, "HEAD", accept_encoding="br")
    assert nothing == b""
    for name in ("content-length", "content-encoding", "etag", "cache-control", "vary"):
        assert head.headers[name] == answer.headers[name]
    part, whole = raw(visitor, address, accept_encoding="br", range="bytes=0-9")
    assert (part.status_code, whole, part.headers["accept-ranges"]) == (200, body, "none")


def test_pictures_that_are_compressed_already_are_not_compressed_again(visitor: Visitor) -> None:
    answer, body = raw(
        visitor, assets.static("web/static/icon-180.png"), accept_encoding="br, gzip"
    )
    assert "content-encoding" not in answer.headers
    assert body == (assets.ROOMS / "web/static/icon-180.png").read_bytes()


def test_nothing_that_is_made_for_somebody_is_compressed(visitor: Visitor) -> None:
    """The length of what is compressed says what is in it (BREACH): tokens, invitations, codes."""
    visitor.come_in()
    table = visitor.post("/play").answer.url.path
    for path in ("/", table, f"{table}/rules", f"{table}/qr.svg", "/me", "/clubs", "/api/me"):
        answer, _ = raw(visitor, path, accept_encoding="gzip, deflate, br")
        assert answer.status_code == 200, path
        assert "content-encoding" not in answer.headers, path


def test_a_sheet_is_its_parts_one_after_the_other(visitor: Visitor) -> None:
    for name, parts in assets.SHEETS.items():
        sources = [(assets.ROOMS / part).read_bytes() for part in parts]
        assert raw(visitor, assets.static(name))[1] == b"\n".join(sources)
    visitor.come_in()
    linked = visitor.post("/play").all("link", rel="stylesheet")
    assert [found["href"] for found in linked] == [assets.static("table-page.css", "en")]


@pytest.mark.parametrize("lang", TONGUES)
def test_the_sentences_of_scripts_come_with_them(visitor: Visitor, lang: str) -> None:
    _, body = raw(visitor, assets.static("web/static/page.js", lang))
    written = re.search(r"const words = JSON\.parse\((.*)\);\n", body.decode())
    assert written is not None
    assert json.loads(json.loads(written[1])) == assets.client_sentences(Words(lang))


def test_what_a_country_says_otherwise_comes_with_the_page(visitor: Visitor) -> None:
    usual, own = (assets.client_sentences(Words(lang)) for lang in ("fr", "fr-CA"))
    (root,) = visitor.get("/?lang=fr-CA").all("html")
    assert usual | json.loads(root.get("data-words") or "{}") == own
    assert "data-words" not in visitor.get("/?lang=fr").all("html")[0]
    assert assets.static("web/static/page.js", "fr-CA") == assets.static("web/static/page.js", "fr")


def test_the_digest_is_another_one_for_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    caches = (assets.files, assets.assets, assets.version)
    before = assets.version()
    for path in assets.ROOMS.rglob("static"):
        shutil.copytree(path, tmp_path / path.relative_to(assets.ROOMS))
    monkeypatch.setattr(assets, "ROOMS", tmp_path)
    digests = []
    for change in (b"", b"/* */"):
        with (tmp_path / "web/static/felt.css").open("ab") as file:
            file.write(change)
        for each in caches:
            each.cache_clear()
        digests.append(assets.version())
    for each in caches:
        each.cache_clear()
    assert digests[0] == before != digests[1]


def test_a_browser_is_told_of_every_module_that_the_table_needs(visitor: Visitor) -> None:
    modules = assets.modules_of("server/live/static/table.js")
    assert modules[0] == "server/live/static/table.js"
    assert len(set(modules)) == len(modules)
    visitor.come_in()
    page = visitor.post("/play")
    linked = [found["href"] for found in page.all("link", rel="modulepreload")]
    assert set(linked) == {assets.static(name, "en") for name in modules}
    assert len(modules) <= 8  # with page, style, cards and help: 12 requests


def test_nobody_asks_for_a_module_that_comes_in_the_file_of_another() -> None:
    scripts = {
        name: each.content.decode()
        for name, each in assets.assets().items()
        if name.endswith(".js")
    }
    wanted = {
        normpath(f"{dirname(name)}/{address}")
        for name, text in scripts.items()
        for address in re.findall(r'(?:from |import\()"(\.\.?/[\w./-]+)"', text)
    }
    assert wanted <= scripts.keys()
    assert not wanted & {each for modules in JOINED.values() for each in modules}


def test_modules_are_found_wherever_they_are_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = {
        "a/one.js": 'import { a,\n b } from "../b/two.js";\nimport "./three.js";\nlet x = "./x";',
        "b/two.js": 'export { c } from "../a/three.js";\n',
        "a/three.js": 'import { a } from "../b/two.js";\n',
    }
    found = {name: assets.Asset(source.encode(), "") for name, source in sources.items()}
    monkeypatch.setattr(assets, "assets", lambda: found)
    assets.modules_of.cache_clear()
    assert assets.modules_of("a/one.js") == ("a/one.js", "b/two.js", "a/three.js")
    assets.modules_of.cache_clear()


# The installed application


@pytest.mark.parametrize("lang", EVERY)
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
    assert f'"{assets.version()}-{TONGUES[0]}"' in answer.text
    assert '"VERSION"' not in answer.text


def test_the_worker_keeps_only_what_belongs_to_everybody(visitor: Visitor) -> None:
    source = (assets.ROOMS / "web/static/worker.js").read_text(encoding="utf-8")
    kept = re.findall(r'"([\w.]+)"', re.findall(r"const FILES = \[(.*?)\]", source)[0])
    page = visitor.client.get("/offline").text
    assert all(f'"{assets.static(f"web/static/{name}")}"' in page for name in kept)
    visitor.come_in()
    answer = visitor.client.get("/offline")
    assert "set-cookie" not in answer.headers
    assert "Zoé" not in answer.text
    assert "csrf" not in answer.text


def test_the_page_without_a_connection_speaks_every_language(visitor: Visitor) -> None:
    page = visitor.get("/offline")
    assert [found["lang"] for found in page.all("section")] == ["fr", "en"]
    assert len(page.all("h1")) == len(page.all("main")) == 1
    assert [found["src"] for found in page.all("script")] == [
        assets.static("web/static/offline.js")
    ]


def test_scripts_have_one_door_to_the_playroom() -> None:
    """Where there is no server, others take its place at that door; these know about themselves."""
    scripts = {
        path.relative_to(assets.ROOMS).as_posix(): path.read_text()
        for path in assets.ROOMS.rglob("static/*.js")
    }
    assert {name for name, text in scripts.items() if re.search(r"(?<![#\w])fetch\(", text)} == {
        "server/live/static/connection.js",  # is the playroom there, while its line is silent?
        "solo/static/start.js",
        "solo/static/worker.js",
        "web/static/offline.js",
        "web/static/worker.js",
    }
