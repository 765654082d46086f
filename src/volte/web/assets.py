"""Static files, alike for everybody: scripts with their sentences, styles, pictures.

All are kept in memory. Their addresses carry a digest of all of them, so that a browser may keep
them for good and never mixes old ones with new. `volte.web.sending` sends them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from posixpath import normpath
from typing import Final

from markupsafe import Markup

from volte.say import Words
from volte.say.catalogue import TONGUES, tongue
from volte.say.deal import WAYS
from volte.say.keys import DIGITS, ON_PAGE, SEATS, Keys, keys_of
from volte.say.language import Language
from volte.say.levels import LEVEL_WORDS, STYLES
from volte.say.texts import table
from volte.say.verbosity import CHANGED
from volte.web.joined import joined

ROOMS: Final = Path(__file__).parents[1]  # each has the templates and files of its own pages

_EVERY: Final = ("web/static/volte.css", "web/static/parts.css")
_SITE: Final = (*_EVERY, "web/static/cards.css", "web/static/site.css")
_TABLE: Final = (
    *("web/static/table.css", "web/static/felt.css", "web/static/ending.css"),
    *("web/static/plates.css", "web/static/seats.css", "web/static/hand.css"),
    *("web/static/moments.css", "web/static/aside.css"),
)
SHEETS: Final[dict[str, tuple[str, ...]]] = {
    "bare-page.css": _EVERY,
    "site-page.css": _SITE,
    "first-page.css": (*_SITE, "web/static/first.css"),
    "table-page.css": (*_EVERY, "web/static/cards.css", *_TABLE),
    "puzzle-page.css": (*_SITE, *_TABLE, "lessons/static/puzzle.css"),
    "replay-page.css": (
        *(*_SITE, *_TABLE),
        *("web/static/hands.css", "web/static/scores.css", "history/static/replay.css"),
    ),
}
"""Style sheets that are sent joined, by name: the files, in this order."""

PAGE: Final = "web/static/page.js"
"""The script that carries the sentences of all."""

KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
"""Media types by the end of a name. Files with other endings are not served."""

_IMPORTED: Final = re.compile(r'^(?:import\b|export \{)[^;]*?"(\.\.?/[\w./-]+)"', re.MULTILINE)


@dataclass(frozen=True)
class Asset:
    """A file of the pages, as it is sent to browsers."""

    content: bytes
    kind: str
    compressed: dict[str, bytes] = field(default_factory=dict)  # by coding, as it is first wanted

    @cached_property
    def digest(self) -> str:
        return sha256(self.content).hexdigest()[:16]

    @property
    def compressible(self) -> bool:
        return self.kind != KINDS[".png"]


@cache
def assets(lang: str = TONGUES[0]) -> dict[str, Asset]:
    """Static files by name, their path from the rooms on, for pages in a language without its
    country: only `PAGE` depends on it. Pages bring what a country says otherwise (`own_sentences`).
    """
    sentences = json.dumps(client_sentences(Words(lang)), ensure_ascii=False)
    page = files()[PAGE].content.decode()
    text = page.replace('"SENTENCES"', json.dumps(sentences, ensure_ascii=False))
    return files() | {PAGE: Asset(text.encode(), KINDS[".js"])}


@cache
def files() -> dict[str, Asset]:
    """Static files by name; `PAGE` without its sentences."""
    found = {
        path.relative_to(ROOMS).as_posix(): Asset(path.read_bytes(), KINDS[path.suffix])
        for path in sorted(ROOMS.rglob("static/*"))
        if path.suffix in KINDS
    }
    for name, parts in SHEETS.items():
        sheet = b"\n".join(found[part].content for part in parts)
        found[name] = Asset(sheet, KINDS[".css"])
    scripts = {name: found.pop(name).content.decode() for name in [*found] if name.endswith(".js")}
    return found | {
        name: Asset(text.encode(), KINDS[".js"]) for name, text in joined(scripts).items()
    }


@cache
def version() -> str:
    """Digest of all static files in all languages."""
    every = [f"{name} {each.digest}" for lang in TONGUES for name, each in assets(lang).items()]
    return sha256("\n".join(every).encode()).hexdigest()[:16]


def static(name: str, lang: str = TONGUES[0], base: str = "") -> str:
    """The address of a file for pages in a language, good for as long as no file changes.

    Args:
        base: the base path of the playroom.
    """
    return f"{base}/static/{version()}-{tongue(lang)}/{name}"


def stylesheet(address: Callable[[str], str], name: str) -> Markup:
    """Link to a style sheet that names the files joined in it, for `linkStyle` in the scripts.

    Args:
        address: of a file, by its name.
    """
    link = Markup('<link rel="stylesheet" href="{}" data-parts="{}">')
    return link.format(address(name), " ".join(SHEETS.get(name, (name,))))


@cache
def modules_of(name: str) -> tuple[str, ...]:
    """A module and those it imports, so that a browser need not discover them one by one."""
    found = [name]
    for module in found:
        source = assets()[module].content.decode()
        paths = (normpath(f"{module}/../{each}") for each in _IMPORTED.findall(source))
        found += [each for each in dict.fromkeys(paths) if each not in found]
    return tuple(found)


KEYS: Final = {
    "questions": " ".join(key.label for key in keys_of(Keys.ASKING, own=True)),
    "reviews": " ".join(key.label for key in keys_of(Keys.HEARING, own=True)),
    "acts": " ".join(key.label for key in keys_of(Keys.ACTING)),
    "doubles": " ".join(
        f"{single.label}:{key.label}"
        for key in keys_of(*ON_PAGE, own=False)
        if (single := key.single) is not None
    ),
}
"""Names of the keys for the scripts; `doubles` names keys and their effects with Shift."""

CLIENT: Final = {
    **{f"ask_{key.label}": key.effect for key in keys_of(Keys.ASKING)},
    **{f"does_{key.label}": key.effect for key in keys_of(Keys.HEARING)},
    "does_digits": DIGITS,
    "does_seats": SEATS,
    **table("script")["script"],
    **{f"level_{name}": each.name for name, each in LEVEL_WORDS.items()},
    **{f"level_{name}": style for name, style in STYLES.items()},
    **{f"way_{direction}": way for direction, way in WAYS.items()},
    **{f"told_{verbosity}": sentence for verbosity, sentence in CHANGED.items()},
}
"""Sentences of the scripts, by the name that the scripts use."""


def client_sentences(words: Language) -> dict[str, str]:
    """The sentences of the scripts in a language, their placeholders left open."""
    return KEYS | {name: words.unfilled(message) for name, message in CLIENT.items()}


@cache
def own_sentences(lang: str) -> dict[str, str]:
    """The sentences of the scripts that a country says otherwise than its language; empty for a
    language without a country.
    """
    usual = client_sentences(Words(tongue(lang)))
    return {k: v for k, v in client_sentences(Words(lang)).items() if v != usual[k]}
