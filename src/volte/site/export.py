"""Exporting the site: its files, and the folder into which they go."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from volte import __version__
from volte.files import read_file
from volte.say import Words
from volte.say.catalogue import LANGUAGES, TONGUES
from volte.server.pages import app_manifest
from volte.site import modules
from volte.site.licences import texts
from volte.site.modules import Shipped
from volte.site.pages import rendered
from volte.site.policy import IN_PAGES, for_hosts
from volte.site.runtime import HERE, PAGES, SiteFault, made_of
from volte.web.assets import assets, static
from volte.web.settings import BASE_PATH, ORIGIN

LIST: Final = "volte-site.json"
"""The list of all other files of an export, by which it is known again."""

PLAYROOM: Final = re.compile(rf"{ORIGIN.pattern}(/[\w.~-]+)*/?", re.ASCII)
"""Addresses that playrooms may have."""

LONGEST: Final = 200  # characters of such an address

Files = Mapping[str, bytes]  # contents by path below the folder


class Exported(msgspec.Struct, frozen=True):
    """The list of an export: the version of Volte, and the SHA-256 of each file by its path."""

    volte: str
    files: dict[str, str]


class Runtime(NamedTuple):
    """The folder of the runtime: its address, and the bytes of each file in it.

    Attributes:
        files: which a table loads.
        pages: which pages that Python makes load, beside.
    """

    at: str
    files: dict[str, int]
    pages: dict[str, int]


def digest(files: Files) -> str:
    """Digest of some files and their names, for an address."""
    lines = sorted(f"{name} {sha256(content).hexdigest()}" for name, content in files.items())
    return sha256("\n".join(lines).encode()).hexdigest()[:16]


def site_files(base: str, runtime: Path, playroom: str = "") -> dict[str, bytes]:
    """All files of a site at that path of its host, by their paths below the folder.

    Raises `SiteFault` for an address that cannot be one, and if the runtime in that folder is not
    the right one.

    Args:
        playroom: address at which people play together; empty if none is known.
    """
    if not BASE_PATH.fullmatch(base):
        raise SiteFault("bad_base_path", text=base)
    if playroom and (len(playroom) > LONGEST or not PLAYROOM.fullmatch(playroom)):
        raise SiteFault("bad_playroom", text=playroom[:LONGEST], most=LONGEST)
    table = Shipped()
    loaded = made_of(runtime, table, Shipped(modules.PAGES, modules.PURE, table))
    room = f"runtime/{digest(loaded)}"
    files = {f"{room}/{name}": content for name, content in loaded.items()}
    for lang in TONGUES:
        for name, asset in assets(lang).items():
            files[static(name, lang).removeprefix("/")] = asset.content
    for lang in LANGUAGES:
        manifest = app_manifest(Words(lang), base, f"{base}/{lang}/")
        files[f"{lang}/manifest.webmanifest"] = json.dumps(manifest, ensure_ascii=False).encode()
    sizes = {name: len(content) for name, content in loaded.items()}
    pages = {PAGES: sizes.pop(PAGES)}
    runs = Runtime(f"{base}/{room}/", sizes, pages)
    files |= rendered(base, {"data-runtime": json.dumps(runs._asdict())}, IN_PAGES, playroom)
    files |= texts()
    files["worker.js"] = service_worker(files)
    files |= for_hosts(base)
    digests = {path: sha256(content).hexdigest() for path, content in sorted(files.items())}
    return files | {LIST: msgspec.json.format(msgspec.json.encode(Exported(__version__, digests)))}


def service_worker(files: Files) -> bytes:
    """The service worker for those files, each by its address below the site."""
    listed = {
        path.removesuffix("index.html"): sha256(content).hexdigest()
        for path, content in sorted(files.items())
    }
    source = (HERE / "worker.js").read_text("utf-8")
    source = source.replace('"VERSION"', f'"{digest(files)}"')
    return source.replace('"FILES"', json.dumps(json.dumps(listed))).encode()


def export(folder: Path, files: Files) -> None:
    """Put the files into a new folder, or an earlier export, which is replaced whole.

    Raises `SiteFault`, and leaves what is there alone, if the folder holds anything else, or if the
    files cannot be written.
    """
    folder = Path(os.path.realpath(folder))
    part, old = (folder.with_name(f".{folder.name}.{name}") for name in ("part", "old"))
    _check_own(folder)
    try:
        for left in (part, old):
            if left.exists():
                _check_own(left, whole=False)
                shutil.rmtree(left)
        part.mkdir(parents=True)
        try:
            (part / LIST).write_bytes(files[LIST])
            for path, content in files.items():
                place = part / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
            if folder.exists():
                folder.rename(old)
            part.rename(folder)
        except BaseException:
            if old.exists() and not folder.exists():
                old.rename(folder)
            with suppress(OSError):
                shutil.rmtree(part)
            raise
        if old.exists():
            shutil.rmtree(old)
    except (OSError, ValueError) as error:  # also a NUL in its name
        why = getattr(error, "strerror", None) or str(error)
        raise SiteFault("file_not_written", path=str(folder), why=why) from None


def _check_own(folder: Path, *, whole: bool = True) -> None:
    """Raise `SiteFault` unless a folder is new, empty, or an export and nothing besides.

    Args:
        whole: whether its files are looked at, and not only for the list of an export.
    """
    try:
        if not os.path.lexists(folder) or not any(folder.iterdir()):
            return
        listed = msgspec.json.decode(read_file(folder / LIST), type=Exported).files
        found = (path for path in folder.rglob("*") if whole and not path.is_dir())
        strange = {path.relative_to(folder).as_posix() for path in found} - {*listed, LIST}
    except (OSError, ValueError, msgspec.MsgspecError):
        raise SiteFault("site_foreign", path=str(folder)) from None
    if strange:
        raise SiteFault("site_mixed", path=str(folder), file=min(strange))
