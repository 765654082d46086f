"""The refereed table: it wraps the lawful deal, adds acts of its own, and rules on them (I1–I9).

`decide`, `evolve`, `visible`, `to_act` and `legal_actions` serve every match, refereed or not:
whoever plays takes them from here.
"""

from volte.cards.public import in_sentences
from volte.referee.actions import (
    Accept,
    Action,
    ClaimRevoke,
    Cut,
    DealByHand,
    DeclareMisdeal,
    Misdeal,
    MixTricks,
    Object,
    RefereedSeatAction,
    SeatAction,
    TakeBack,
    TurnDown,
)
from volte.referee.decide import decide
from volte.referee.engine import ENGINE, choice_follows, legal_actions, to_act, visible
from volte.referee.events import (
    Accepted,
    DealCut,
    Event,
    HandsShort,
    Laid,
    Misdealt,
    Objected,
    Reckoned,
    RefereedEvent,
    RestTaken,
    RevokeClaimed,
    TakenBack,
    TricksMixed,
)
from volte.referee.evolve import evolve, replay
from volte.referee.rulings import shown_revokes, stopped
from volte.referee.state import Breach, RefereedDeal, RefereedMatch

__all__ = [
    "ENGINE",
    "Accept",
    "Accepted",
    "Action",
    "Breach",
    "ClaimRevoke",
    "Cut",
    "DealByHand",
    "DealCut",
    "DeclareMisdeal",
    "Event",
    "HandsShort",
    "Laid",
    "Misdeal",
    "Misdealt",
    "MixTricks",
    "Object",
    "Objected",
    "Reckoned",
    "RefereedDeal",
    "RefereedEvent",
    "RefereedMatch",
    "RefereedSeatAction",
    "RestTaken",
    "RevokeClaimed",
    "SeatAction",
    "TakeBack",
    "TakenBack",
    "TricksMixed",
    "TurnDown",
    "choice_follows",
    "decide",
    "evolve",
    "legal_actions",
    "replay",
    "shown_revokes",
    "stopped",
    "to_act",
    "visible",
]

in_sentences(__name__)
