"""An exported site is whole, plays without its neighbours' help, and harms none of them."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from kit import because
from kit.exporting import exported
from kit.filling import small_filesystem
from markupsafe import escape

from volte.say.catalogue import LANGUAGES
from volte.site.export import LIST, Exported, export, site_files
from volte.site.licences import COMPONENTS
from volte.site.policy import IN_PAGES, SITE_POLICY
from volte.site.runtime import SiteFault

BASE = "/games/volte"


@pytest.fixture(scope="module")
def site() -> Path:
    """A site that shares its host."""
    return exported(BASE)


def files_in(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def pages_of(files: dict[str, bytes]) -> dict[str, str]:
    """The pages among the files; what scripts put into a page is none."""
    texts = {path: text.decode() for path, text in files.items() if path.endswith(".html")}
    return {path: text for path, text in texts.items() if text.startswith("<!doctype html>")}


def test_every_file_is_listed_with_its_digest(site: Path) -> None:
    files = files_in(site)
    listed = msgspec.json.decode(files.pop(LIST), type=Exported).files
    assert listed == {path: sha256(content).hexdigest() for path, content in files.items()}


def test_the_worker_keeps_all_but_what_is_for_hosts(site: Path) -> None:
    files = files_in(site)
    listing = re.search(r'JSON\.parse\((".*")\)', files["worker.js"].decode())
    assert listing is not None
    kept = json.loads(json.loads(listing[1]))
    pages = {path.removesuffix("index.html"): path for path in files}
    left = {"worker.js", LIST, "_headers", ".htaccess", "nginx.conf"}
    assert kept.keys() == pages.keys() - left
    assert all(sha256(files[pages[path]]).hexdigest() == kept[path] for path in kept)


def test_a_page_loads_nothing_from_elsewhere_and_has_no_script_in_it(site: Path) -> None:
    policy = f'<meta http-equiv="Content-Security-Policy" content="{escape(IN_PAGES)}">'
    for path, text in pages_of(files_in(site)).items():
        assert policy in text, path
        assert not re.search(r'<(?!a )[^>]* (?:src|href|action)="(?:https?:)?//', text), path
        assert not re.search(r"<script(?![^>]* src=)|<style| style=| on[a-z]+=", text), path
        assert "noopener" not in text, path  # no playroom was named


@pytest.mark.parametrize(
    "address",
    [
        *("volte.example", "javascript:alert(1)", "https://Volte.example", "https://a b.example"),
        *("https://me@volte.example", "https://volte.example/?a", "https://volte.example/a/#b"),
        *(
            'https://volte.example/"',
            "https://volte.example/é",
            f"https://volte.example/{'a' * 200}",
        ),
    ],
)
def test_the_address_of_a_playroom_is_one(address: str, tmp_path: Path) -> None:
    with pytest.raises(SiteFault, check=because("bad_playroom")):
        site_files("", tmp_path, address)


def test_a_playroom_may_be_on_this_machine_and_below_a_path(tmp_path: Path) -> None:
    with pytest.raises(SiteFault, check=because("runtime_missing")):  # looked for afterwards
        site_files("", tmp_path, "http://127.0.0.1:8000/cards/")


def test_works_that_are_handed_on_are_named_with_their_licences(site: Path) -> None:
    files = files_in(site)
    for lang in LANGUAGES:
        page = files[f"{lang}/licences/index.html"].decode()
        for work in COMPONENTS:
            named = (work.name, work.version, work.holders, work.licence, work.source)
            assert all(each in page for each in named), work.name
            assert not work.text or f"licences/{work.text}" in files
    assert {"MPL-2.0", "PSF-2.0"} <= {work.licence for work in COMPONENTS}


def test_the_policy_lets_webassembly_in_and_nothing_else() -> None:
    directives = {part.split()[0]: part.split()[1:] for part in SITE_POLICY.split("; ")}
    assert directives["script-src"] == ["'self'", "'wasm-unsafe-eval'"]
    assert directives["default-src"] == ["'self'"]
    assert {each for name in directives for each in directives[name]} == {
        *("'self'", "'none'", "'wasm-unsafe-eval'")
    }


# The folder


FILES = {LIST: b'{"volte": "0", "files": {"a/here": "0"}}', "a/here": b"here"}


def test_an_earlier_export_is_replaced_whole(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    export(folder, FILES)
    newer = {LIST: b'{"volte": "1", "files": {"there": "0"}}', "there": b"there"}
    export(folder, newer)
    assert files_in(folder) == newer
    assert [*tmp_path.iterdir()] == [folder]


@pytest.mark.parametrize(
    ("path", "reason"), [("notes", "site_foreign"), ("site/notes", "site_mixed")]
)
def test_a_folder_with_anything_else_is_left_alone(path: str, reason: str, tmp_path: Path) -> None:
    export(tmp_path / "site", FILES)
    (tmp_path / path).write_text("mine")
    before = files_in(tmp_path)
    with pytest.raises(SiteFault, check=because(reason)):
        export((tmp_path / path).parent, FILES)
    assert files_in(tmp_path) == before


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SiteFault, check=because("site_foreign")):
        export(tmp_path / "file", FILES)


def test_a_full_disk_leaves_the_earlier_export(tmp_path: Path) -> None:
    with small_filesystem(tmp_path / "small", 65_536):
        folder = tmp_path / "small" / "site"
        export(folder, FILES)
        with pytest.raises(SiteFault, match="No space left"):
            export(folder, FILES | {"large": bytes(100_000)})
        assert files_in(tmp_path / "small") == {f"site/{path}": FILES[path] for path in FILES}
