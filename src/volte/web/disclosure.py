"""May this be known now? Answers where one person has a room alone, and others build on."""

from __future__ import annotations

from collections.abc import Collection

from volte.store.rows import MatchRow


class Disclosure:
    """Answers what may be shown of a match: everything, once it is over."""

    async def withheld(self, matches: Collection[MatchRow]) -> dict[str, str]:
        """Ids of the matches whose outcome nobody may know yet, with the reasons."""
        return {row.id: "match_goes_on" for row in matches if row.ended is None or not row.last}

    async def may_see(self, row: MatchRow, person: str) -> bool:
        """Whether somebody may look at a match once it is no longer withheld."""
        return True
