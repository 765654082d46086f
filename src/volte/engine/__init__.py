"""The engine protocol: Volte for outside programs, and outside programs for Volte."""

from volte.engine.fault import EngineFault
from volte.engine.language import PROTOCOL
from volte.engine.outside import Forfeit, Outside
from volte.engine.serving import serve
from volte.engine.session import Session, Settings

__all__ = [
    "PROTOCOL",
    "EngineFault",
    "Forfeit",
    "Outside",
    "Session",
    "Settings",
    "serve",
]
