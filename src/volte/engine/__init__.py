"""The engine protocol: Volte for outside programs, and outside programs for Volte."""

from volte.lab.engine.fault import EngineFault
from volte.lab.engine.language import PROTOCOL
from volte.lab.engine.outside import Forfeit, Outside
from volte.lab.engine.serving import serve
from volte.lab.engine.session import Session, Settings

__all__ = [
    "PROTOCOL",
    "EngineFault",
    "Forfeit",
    "Outside",
    "Session",
    "Settings",
    "serve",
]
