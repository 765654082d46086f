"""Two matches with the same cards, of which the visitor may see both."""

from __future__ import annotations

from volte import game
from volte.game import MatchState
from volte.history.rows import MatchStore
from volte.store import MatchRow
from volte.table import decode_happening
from volte.web.disclosure import Disclosure
from volte.web.visit import Visit


async def match_before(visit: Visit, match: MatchState) -> MatchRow | None:
    """The match whose cards this one has dealt again."""
    if match.cards is None or not match.cards.match:
        return None
    row = await visit.room[MatchStore].match(match.cards.match)
    return row if row is not None and await _shown(visit, row) else None


async def match_after(visit: Visit, row: MatchRow) -> MatchRow | None:
    """The match that has dealt the cards of this one again: the next one at its table, or none."""
    store = visit.room[MatchStore]
    later = [each for each in await store.matches_at(row.table) if each.first > row.first]
    if not later:
        return None
    following = min(later, key=lambda each: each.first)
    if not await _shown(visit, following):
        return None
    (entry,) = await store.read(following.table, following.first - 1, following.first)
    started = decode_happening(entry.data)
    cards = started.cards if isinstance(started, game.MatchStarted) else None
    return following if cards is not None and cards.match == row.id else None


async def _shown(visit: Visit, row: MatchRow) -> bool:
    """Whether the visitor may see a match now."""
    disclosure = visit.room[Disclosure]
    return await disclosure.may_see(row, visit.who) and not await disclosure.withheld([row])
