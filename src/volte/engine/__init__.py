"""The engine protocol: Volte for outside programs, and outside programs for Volte."""

from volte.cards.public import in_sentences
from volte.engine.language import PROTOCOL, EngineFault
from volte.engine.named import named_engines
from volte.engine.outside import Forfeit, Outside, is_lawful
from volte.engine.serving import serve
from volte.engine.session import EngineSession, EngineSettings

__all__ = [
    "PROTOCOL",
    "EngineFault",
    "EngineSession",
    "EngineSettings",
    "Forfeit",
    "Outside",
    "is_lawful",
    "named_engines",
    "serve",
]

in_sentences(__name__)
