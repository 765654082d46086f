"""Addresses of a site without a server, and the facts that its pages need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from volte.rules import PRESETS

SECTIONS: Final = ("clerk", "deals", "learn", "matches", "puzzle", "score")
"""First parts of the paths that are answered in the browser."""

TEXTS: Final = ("", "accessibility", "fair", "help", "history", "licences", "rules", "table")
"""Paths of the pages that are files and depend on nobody, beside those of each game's rules."""

TODAY: Final = "deals/today"
"""Path of the deal of the day, whose secret only a server can keep."""


class SiteFacts(NamedTuple):
    """Facts about a page of a site without a server, for the templates."""

    base: str  # path of the whole site
    attributes: Mapping[str, str]  # of the root element
    policy: str  # for a `<meta>`; empty where hosts send it as a header
    elsewhere: Sequence[tuple[str, str, str]]  # other languages: code, own name, address
    playroom: str = ""  # address at which people play together; empty if none is known


def there(address: str) -> bool:
    """Whether the site has a page at that address, a path below its language with its query.

    >>> [there(each) for each in ("/learn/3", "/rules/microsoft/", "/clubs", "/deals/today?next=/")]
    [True, True, False, False]
    """
    path = address.partition("?")[0].strip("/")
    first, _, rest = path.partition("/")
    rules = first == "rules" and rest.partition("/")[0] in PRESETS
    return path in TEXTS or (first in SECTIONS and path != TODAY) or rules
