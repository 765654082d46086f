"""Catalogues of sentences, and the choice of a language: enough for the help of a command.

Nothing here imports the rest of Volte, so that help comes at once.
"""

from __future__ import annotations

import gettext
import locale
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Final

CATALOGUES: Final = Path(__file__).parent / "locale"
LANGUAGES: Final = ("fr", "fr-CA", "en")
"""The languages that Volte speaks. One with a country holds only what differs there."""


def chain(lang: str) -> tuple[str, ...]:
    """The languages whose sentences, words and formats hold in a language, its own first.

    >>> chain("fr-CA"), chain("en")
    (('fr-CA', 'fr'), ('en',))
    """
    parts = lang.split("-")
    return tuple("-".join(parts[:size]) for size in range(len(parts), 0, -1))


def tongue(lang: str) -> str:
    """A language without its country: people who speak "fr" and "fr-CA" understand each other."""
    return chain(lang)[-1]


TONGUES: Final = tuple(dict.fromkeys(map(tongue, LANGUAGES)))
"""The languages without countries."""


def folder(lang: str) -> Path:
    """The folder of a language's sentences and formats."""
    return CATALOGUES / lang.replace("-", "_")


def N_(message: str) -> str:
    """Mark a sentence for the catalogue; `Language.t` translates it later."""
    return message


@lru_cache
def catalogue(lang: str) -> gettext.NullTranslations:
    """The translations of a language, and those of its chain where it has none of its own."""
    if lang == "en":
        return gettext.NullTranslations()
    found = _compiled(lang)
    for other in chain(lang)[1:]:
        found.add_fallback(catalogue(other))
    return found


def _compiled(lang: str) -> gettext.NullTranslations:
    """The translations in one catalogue; compiled here where the .mo is missing or out of date."""
    po = folder(lang) / "LC_MESSAGES" / "volte.po"
    mo = po.with_suffix(".mo")
    if po.exists() and not (mo.exists() and mo.stat().st_mtime >= po.stat().st_mtime):
        with suppress(ImportError):  # Babel is installed for developers alone
            from babel.messages.mofile import write_mo
            from babel.messages.pofile import read_po

            with po.open("rb") as source:
                write_mo(made := BytesIO(), read_po(source, locale=folder(lang).name))
            made.seek(0)
            return gettext.GNUTranslations(made)
    with mo.open("rb") as compiled:
        return gettext.GNUTranslations(compiled)


def language_of(text: str) -> str | None:
    """The language that a text names, in any of its spellings; None if Volte does not speak it.

    >>> [language_of(text) for text in ("FR", "fr-BE", "fr_CA.UTF-8", "French_Canada", "en;q=0.5")]
    ['fr', 'fr', 'fr-CA', 'fr-CA', 'en']
    """
    first, *others = (part.strip() for part in re.split("[-_.@;]", text.lower()))
    name = _OTHER_NAMES.get(first, first)
    of_countries = (f"{name}-{_OTHER_NAMES.get(each, each)}" for each in others)
    return next((_BY_NAME[each] for each in (*of_countries, name) if each in _BY_NAME), None)


def system_language(environ: Mapping[str, str]) -> str:
    """The language that a system's settings ask for: the first they name that Volte speaks."""
    wanted = next((environ[name] for name in _VARIABLES if environ.get(name)), None)
    if wanted is None:
        wanted = locale.getlocale()[0] or ""
    named = [wanted]
    if wanted.partition(".")[0] not in ("C", "POSIX"):  # GNU: LANGUAGE counts for nothing there
        named = [*environ.get("LANGUAGE", "").split(":"), wanted]
    return next(filter(None, map(language_of, named)), "en")


_BY_NAME: Final = {lang.lower(): lang for lang in LANGUAGES}

_OTHER_NAMES: Final = {
    **dict.fromkeys(("fra", "fre", "french"), "fr"),
    **dict.fromkeys(("eng", "english"), "en"),
    "canada": "ca",
}
"""Names in ISO 639-2, and on Windows, as in French_Canada."""

_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
