"""The first page: "Play now", the open tables, and the person's own matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from starlette.responses import Response

from volte.bots import COMPANY, OFFERED, check_level, company_of
from volte.evenings.conducting import Evenings
from volte.evenings.disclosure import Outline, outlines, withheld
from volte.history.results import ADAPTING, suited_level
from volte.history.store import Results
from volte.names import isolated
from volte.rules import OPTIONS, PRESETS, RulesetFault, preset
from volte.say import N_, Words
from volte.say.levels import OFFERED_WORDS, introductions, level_called
from volte.say.measures import day_and_time
from volte.say.rulesheet.options import preset_title
from volte.store import OPEN, Listing, MatchRow
from volte.table.setup import Access, Watching
from volte.table.stored import SummarySeat, TableSummary, read_summary, seats_to_take
from volte.web.page import page
from volte.web.room import Room
from volte.web.visit import Visit

MOST_MATCHES: Final = 10
"""The person's matches on the first page, the latest first; another page has them all."""

STATES: Final = {
    "waiting": N_("waiting for players"),
    "playing": N_("playing"),
    "paused": N_("paused"),
}
"""States of a listed table, in words; a closed table is not listed."""


class LobbyRow(msgspec.Struct, frozen=True):
    """A table, in words; only its name and a way in for people who may know no more."""

    id: str
    name: str
    password: bool  # whether it has one
    rules: str
    players: str
    state: str
    links: tuple[str, ...]  # `join`, `watch` or `go_on`
    rated: bool = False


class LobbyMatch(msgspec.Struct, frozen=True):
    """A match of the person's own, in words."""

    id: str
    table: str
    where: str
    date: str
    over: bool


async def first_page(
    visit: Visit,
    status: int = 200,
    game: Game | None = None,
    name: str = "",
    wrong: Mapping[str, str] | None = None,
) -> Response:
    """The first page, with the fields of "Play now" as they were sent.

    Args:
        game: None for the person's last game, or the game that newcomers know.
        wrong: sentences about faults, by field.
    """
    room = visit.room
    words = visit.words
    person = visit.person
    listed = await room.lobby.listed()
    mine: dict[str, Listing] = {}  # tables of the person as host, or with their match
    matches: list[MatchRow] = []
    at: dict[str, Listing] = {}
    who = ""
    if person is not None:
        who = person.id
        matches = await room.store.matches_of(who, limit=MOST_MATCHES)
        at = await room.store.listings_at({match.table for match in matches})
        hosted = await room.store.listings(OPEN, host=who)
        played = await room.store.played_by(who)
        mine = {listing.table: listing for listing in (*hosted, *played)}
    own = await outlines(room.store, list(mine.values()), who)
    others = [listing for listing in listed if listing.table not in mine]
    game = game or last_played(matches, at) or Game.typed({}, words)
    suited = await suited_to(visit)
    presets = dict.fromkeys((game.preset, newcomers_preset(words), *PRESETS))
    return page(
        visit,
        "lobby.html",
        status,
        name=name,
        wrong=wrong or {},
        game=game,
        presets=[(each, preset_title(words, each), PRESETS[each].players) for each in presets],
        players=[(number, words.t(text)) for number, text in PLAYERS.items()],
        levels=[
            (STYLED, words.t("bots with character")),
            (ADAPTS, words.t("bots that adapt to me")),
            *((level, words.t(each.many)) for level, each in OFFERED_WORDS.items()),
        ],
        characters=introductions(words),
        suited=level_called(words, suited),
        mine=[row_of(words, each, own=True) for each in own],
        others=[row_of(words, each) for each in await outlines(room.store, others, who)],
        matches=await _played(room, words, matches, at),
    )


async def suited_to(visit: Visit) -> str:
    """The level of bots that suits the person, by their matches."""
    person = visit.person
    results = (
        await visit.room.store[Results].all_of(person.id, RECENT) if person is not None else ()
    )
    return suited_level(results)


def row_of(words: Words, outline: Outline, own: bool = False, invited: bool = False) -> LobbyRow:
    """A table in words. `own`: the person is its host or has a seat there."""
    listing, summary = outline.listing, outline.summary
    locked = listing.access == Access.PASSWORD
    if summary is None:
        links = ("join",) if outline.needs_password else ()
        return LobbyRow(listing.table, listing.name, locked, "", "", "", links)
    over = listing.state == "waiting" and summary.totals
    state = words.t(N_("the match is over") if over else STATES[listing.state])
    if summary.totals and summary.deal and listing.state != "waiting":
        state += ", " + words.t("deal {number}", number=summary.deal)
    return LobbyRow(
        listing.table,
        listing.name,
        locked,
        rules_told(words, summary),
        _players(words, summary),
        state,
        _links(listing, summary, own, invited),
        summary.rated,
    )


def rules_told(words: Words, summary: TableSummary) -> str:
    """Name the game of a table in a few words."""
    title = preset_title(words, summary.preset)
    changed = set(summary.changes) - {"players"}
    return words.t("{rules}, with changes", rules=title) if changed else title


def _players(words: Words, summary: TableSummary) -> str:
    """The players, with their totals, and the number of free seats."""
    names = ", ".join(_player(words, seat, summary.totals) for seat in summary.seats if seat.name)
    free = sum(not seat.name for seat in summary.seats)
    if not free:
        return names
    waiting = words.t("Free seats: {count}", count=free)
    return f"{names}. {waiting}" if names else waiting


def _player(words: Words, seat: SummarySeat, totals: bool) -> str:
    name = isolated(seat.name) if seat.person else words.t("{name} (bot)", name=seat.name)
    if not totals:
        return name
    return words.t("{name}: {points}", name=name, points=words.points(seat.total))


def _links(listing: Listing, summary: TableSummary, own: bool, invited: bool) -> tuple[str, ...]:
    if own:
        return ("go_on",)
    links = []
    if seats_to_take(listing, summary, invited):
        links.append("join")
    if summary.watching is not Watching.NOBODY and listing.state != "waiting":
        links.append("watch")
    return tuple(links)


async def _played(
    room: Room, words: Words, matches: Sequence[MatchRow], listings: Mapping[str, Listing]
) -> list[LobbyMatch]:
    waiting = await withheld(room[Evenings], matches)
    rows = []
    for match in matches:
        listing = listings.get(match.table)
        open_still = listing is not None and listing.state != "closed"
        rows.append(
            LobbyMatch(
                match.id,
                match.table if open_still else "",
                listing.name if listing is not None else "",
                day_and_time(words, match.begun),
                match.id not in waiting,
            )
        )
    return rows


STYLED: Final = "characters"
"""In place of a level: opponents with character, each with a style of its own."""

ADAPTS: Final = "adapts"
"""In place of a level: opponents of a level that suits the person's results."""

RECENT: Final = 50
"""The most matches from which a suitable level is found."""

PLAYERS: Final = {
    3: N_("three players"),
    4: N_("four players"),
    5: N_("five players"),
    6: N_("six players"),
    7: N_("seven players"),
    8: N_("eight players"),
    9: N_("nine players"),
    10: N_("ten players"),
}
"""Numbers of players at a table, in words."""


class Game(NamedTuple):
    """A table with bots, as "Play now" opens it."""

    preset: str
    players: int  # their number, the person included
    level: str = STYLED  # level of all the bots, or `STYLED`, or `ADAPTS`

    @property
    def made_for(self) -> tuple[int, ...]:
        """The numbers of players that its rules are made for, in order."""
        return tuple(sorted(PRESETS[self.preset].players))

    def bots(self, suited: str) -> tuple[str, ...]:
        """Levels or characters at the other seats; `suited` is the level that suits the person."""
        others = self.players - 1
        if self.level == ADAPTS:
            return company_of(suited, others)
        return COMPANY[:others] if self.level == STYLED else (self.level,) * others

    @classmethod
    def typed(cls, form: Mapping[str, Any], words: Words) -> Game:
        """The game that a form asks for; missing fields are as newcomers of a language know it.

        Raises `VolteError` for a preset, number or level that does not exist. It does not check
        whether the preset is made for that number of players.
        """
        chosen = preset(str(form.get("preset") or newcomers_preset(words)))
        sent = str(form.get("players") or chosen.players[0])
        level = str(form.get("level") or STYLED)
        players = next((number for number in PLAYERS if str(number) == sent), 0)
        if not players:
            values = OPTIONS["players"].values
            raise RulesetFault("no_such_value", option="players", value=sent, values=values)
        if level not in (STYLED, ADAPTS):
            check_level(level)
        return cls(chosen.name, players, level)


def newcomers_preset(words: Words) -> str:
    """The preset that newcomers who speak that language know."""
    # Translators: the name of a preset.
    return words.p("the preset that newcomers know", "microsoft")


def last_played(matches: Iterable[MatchRow], listings: Mapping[str, Listing]) -> Game | None:
    """The game of somebody's latest match that was played by a preset; None if there is none.

    Args:
        matches: the latest first.
        listings: the listings of their tables, by id.
    """
    for match in matches:
        listing = listings.get(match.table)
        if listing is None:
            continue
        summary = read_summary(listing)
        players = len(summary.seats)
        found = PRESETS.get(summary.preset)
        if found is None or players not in found.players or set(summary.changes) - {"players"}:
            continue
        levels = [seat.level for seat in summary.seats if seat.level]
        usual = next((level for level in levels if level in OFFERED), STYLED)
        adapted = any(levels == [*company_of(each, len(levels))] for each in ADAPTING)
        return Game(found.name, players, ADAPTS if adapted and levels else usual)
    return None
