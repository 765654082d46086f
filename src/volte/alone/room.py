"""The room of a browser as pages find it."""

from __future__ import annotations

from typing import Any, NamedTuple

from volte.alone.matches import KeptResults, NoLuck
from volte.alone.places import SiteFacts, there
from volte.alone.sheets import KeptSheets
from volte.history.rows import MatchLuck, MatchResults, MatchStore
from volte.say import Words
from volte.scorekeeper.web.sheets import Sheets
from volte.solo.room import NEWCOMERS, SoloRoom
from volte.store import Person
from volte.web.disclosure import Disclosure
from volte.web.page_room import PageRoom
from volte.web.work import WorkQueue


class SitePaths(NamedTuple):
    """Paths of a site in one language, as browsers find them."""

    base: str  # of its pages, `/volte/fr` say
    static: str  # of its static files, `/volte/static/1f0c-fr/` say
    host: str = ""  # with its port, for addresses to give to others
    scheme: str = "https"


class Boundless:
    """Limits on one's own browser: none."""

    async def spend(self, what: str, who: str, **also: str) -> None:
        """Does nothing: nobody else waits for this browser."""


class AloneRoom(PageRoom):
    """The room of the person of a browser."""

    def __init__(self, solo: SoloRoom, paths: SitePaths) -> None:
        self._paths = paths
        self._services = {}
        self.base_path = paths.base
        self.origins = ()
        self.host = ""
        self.limits = Boundless()
        self.work = WorkQueue("work", 1)
        self.add(solo)
        self.add(KeptSheets(solo.store), Sheets)
        self.add(solo.store)
        self.add(solo.store, MatchStore)
        self.add(KeptResults(solo.store), MatchResults)
        self.add(NoLuck(), MatchLuck)
        self.add(Disclosure())
        self.add(solo.lobby.thinking)

    def called(self, person: Person) -> str:
        return "" if person.name in NEWCOMERS else person.name

    def facts(self, words: Words) -> dict[str, Any]:
        """Names for the templates of all pages, beside those that they have at a server."""
        return {
            "alone": SiteFacts(self._paths.base.rpartition("/")[0], {}, "", ()),
            "there": there,
            "static": lambda name: f"{self._paths.static}{name}",
            "modules_of": lambda name: (name,),  # the others are there, or come by themselves
        }
