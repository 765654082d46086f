"""What a refereed table asks of a bot besides passing and playing; every bot is honest there."""

from __future__ import annotations

from collections.abc import Iterator

from volte.bots.choosing import chosen_moon
from volte.game import Phase
from volte.referee import ClaimRevoke, RefereedMatch, SeatAction, legal_actions, shown_revokes
from volte.view import View


def revokes_to_claim(view: View) -> Iterator[ClaimRevoke]:
    """The claims that what the seat has seen proves, and that nobody has won yet (I5, I6, I9)."""
    match = view.state
    if view.seat is None or not isinstance(match, RefereedMatch):
        return
    if match.phase is not Phase.PLAYING or not match.lying.tricks:
        return
    paid = {view.seat, *match.lying.offenders}
    for shown in shown_revokes(match.lying):
        if shown.seat not in paid:
            paid.add(shown.seat)
            yield ClaimRevoke(view.seat, shown.seat, shown.trick)


def in_order(view: View) -> SeatAction | None:
    """What else the seat is waited for: to turn down, cut or accept (I4, I6), to choose (W7)."""
    match = view.state
    if view.seat is None or not isinstance(match, RefereedMatch):
        return None
    over = match.phase is Phase.PLAYING and (match.reckoned is not None or match.lying.full)
    actions = legal_actions(match, view.seat) if over else ()
    return chosen_moon(view) or (actions[0] if actions else None)
