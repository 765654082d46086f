"""What kind of device somebody comes from: as little of it as they need to know it again."""

from __future__ import annotations

from typing import Final

from volte.say import Words

PROGRAM: Final = "volte"
"""The client in a terminal."""

BROWSERS: Final = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "Chrome": "Chrome",
    "Chromium": "Chromium",
    "CriOS": "Chrome",
    "Safari": "Safari",
}
"""By what they say of themselves; many say the names of others after their own."""

SYSTEMS: Final = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


def agent_of(said: str) -> str:
    """The kind of browser and system: a name of each list, or nothing.

    >>> agent_of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox/Linux'
    >>> agent_of("curl/8"), agent_of("volte/1.0")
    ('', 'volte')
    """
    if said.startswith("volte/"):
        return PROGRAM
    browser, system = _first(BROWSERS, said), _first(SYSTEMS, said)
    return f"{browser}/{system}" if browser or system else ""


def agent_told(words: Words, agent: str) -> str:
    """In plain words."""
    browser, _, system = agent.partition("/")
    if agent == PROGRAM:
        return words.t("Volte in a terminal")
    if browser and system:
        return words.t("{browser} on {system}", browser=browser, system=system)
    return browser or system or words.t("A device that does not say what it is")


def _first(names: dict[str, str], said: str) -> str:
    return next((name for mark, name in names.items() if mark in said), "")
