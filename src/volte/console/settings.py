"""`volte serve --check`: which settings count, and where each comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from volte.say import Words
from volte.say.language import N_


def tell_settings(lang: str, shown: Mapping[str, tuple[str, str]]) -> None:
    """One line of TOML for each; what it comes from as a comment.

    Args:
        shown: by name, the value and its source.
    """
    words = Words(lang)
    lines = {name: f"{name} = {value}" for name, (value, _) in shown.items()}
    width = min(max(map(len, lines.values())), WIDEST)
    for name, (_, source) in shown.items():
        print(f"{lines[name]:<{width}}  # {words.t(SOURCES[source])}")


WIDEST: Final = 48

SOURCES: Final = {
    "option": N_("an option says so"),
    "environment": N_("the environment says so"),
    "file": N_("the file says so"),
    "default": N_("nothing else is said"),
}
"""By where a setting comes from."""
