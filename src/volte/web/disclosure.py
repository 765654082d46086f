"""Disclosure of matches: whether anything of one may be shown yet, and to whom."""

from __future__ import annotations

from collections.abc import Collection

from volte.store.rows import MatchRow


class Disclosure:
    """Rule for a room of one person: everything of a match may be shown once it is over."""

    async def withheld(self, matches: Collection[MatchRow]) -> dict[str, str]:
        """Ids of the matches whose outcome nobody may know yet, with the reasons."""
        return {row.id: "match_goes_on" for row in matches if row.ended is None or not row.last}

    async def may_see(self, row: MatchRow, person: str) -> bool:
        """Whether somebody may look at a match once it is no longer withheld."""
        return True

    async def note_opened(self, row: MatchRow, person: str) -> None:
        """Note that a person is shown a match, if anybody wants to know who has seen its cards."""
