"""The front: a match, its rules, bots and advice in a few lines each. `import volte` has it all.

Nothing is judged here. A `Match` is a `Driver` whose seats nobody owns; the four functions of the
engine say what is legal, decide, fold and redact. A name imported as itself is public; it is also
listed in `volte.__all__`, so that `import volte` loads nothing.
"""

from volte.bots import Bot as Bot
from volte.bots import Clock as Clock
from volte.cards import Card as Card
from volte.cards import CardSet as CardSet
from volte.cards import VolteError as VolteError
from volte.cards.public import in_sentences as _in_sentences
from volte.front.advice import Advice as Advice
from volte.front.advice import hint as hint
from volte.front.error import IllegalMove as IllegalMove
from volte.front.match import Match as Match
from volte.front.match import presets as presets
from volte.front.match import read as read
from volte.front.match import ruleset as ruleset
from volte.front.playing import play as play
from volte.game import ChooseMoon as ChooseMoon
from volte.game import Claim as Claim
from volte.game import Pass as Pass
from volte.game import Play as Play
from volte.game import Player as Player
from volte.rules import Ruleset as Ruleset
from volte.view import View as View

_in_sentences(__name__)
