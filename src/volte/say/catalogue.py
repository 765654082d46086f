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
LANGUAGES: Final = ("fr", "en")
"""The languages that Volte speaks."""


def N_(message: str) -> str:
    """Mark a sentence for the catalogue; `Language.t` translates it later."""
    return message


@lru_cache
def catalogue(lang: str) -> gettext.NullTranslations:
    """The translations of a language; compiled here where the .mo is missing or out of date."""
    if lang == "en":
        return gettext.NullTranslations()
    po = CATALOGUES / lang / "LC_MESSAGES" / "volte.po"
    mo = po.with_suffix(".mo")
    if po.exists() and not (mo.exists() and mo.stat().st_mtime >= po.stat().st_mtime):
        with suppress(ImportError):  # Babel is installed for developers alone
            from babel.messages.mofile import write_mo
            from babel.messages.pofile import read_po

            with po.open("rb") as source:
                write_mo(made := BytesIO(), read_po(source, locale=lang))
            made.seek(0)
            return gettext.GNUTranslations(made)
    with mo.open("rb") as compiled:
        return gettext.GNUTranslations(compiled)


def language_of(text: str) -> str | None:
    """The language that a text names, in any of its spellings; None if Volte does not speak it.

    >>> language_of("fr-CA"), language_of("fr_CA.UTF-8"), language_of("FR"), language_of("en;q=0.5")
    ('fr', 'fr', 'fr', 'en')
    """
    first = re.split("[-_.@;]", text.lower(), maxsplit=1)[0].strip()
    name = _OTHER_NAMES.get(first, first)
    return name if name in LANGUAGES else None


def system_language(environ: Mapping[str, str]) -> str:
    """The language that a system's settings ask for: the first they name that Volte speaks."""
    wanted = next((environ[name] for name in _VARIABLES if environ.get(name)), None)
    if wanted is None:
        wanted = locale.getlocale()[0] or ""
    named = [wanted]
    if wanted.partition(".")[0] not in ("C", "POSIX"):  # GNU: LANGUAGE counts for nothing there
        named = [*environ.get("LANGUAGE", "").split(":"), wanted]
    return next(filter(None, map(language_of, named)), "en")


_OTHER_NAMES: Final = {"fra": "fr", "fre": "fr", "french": "fr", "eng": "en", "english": "en"}
"""Names in ISO 639-2, and on Windows, as in French_Canada."""

_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
