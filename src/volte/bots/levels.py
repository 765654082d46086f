"""Bots by level, the simple ones (beginner, random, scripted), and those that packages add.

Packages add them by the entry point group `volte.bots` (docs/your-bot.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from threading import Thread
from typing import TYPE_CHECKING, Final

from msgspec.structs import asdict

from volte.bots.casual import Casual
from volte.bots.characters import CHARACTERS, make_character
from volte.bots.odds import Weights
from volte.bots.protocol import Bot, Clock, asked, chosen_moon, draws_of
from volte.bots.rough import RoughSearch
from volte.cards import Card, VolteError
from volte.cards.public import explain
from volte.extras import STRONG, strong_installed
from volte.fair import read_seed
from volte.game import Pass, Phase, Play, SeatAction
from volte.names import meant
from volte.rules import Direction, Kitty, Ruleset
from volte.view import View

if TYPE_CHECKING:
    from volte.kernel import Policy


NAMES: Final = (
    *("Alice", "Bruno", "Chloé", "David", "Emma"),
    *("Félix", "Gaëlle", "Hugo", "Inès", "Jules"),
)
"""Names of bots, enough for a table of any size."""


class SimpleBot:
    """A bot that looks at nothing but its cards; it counts its moon as all bots do (W7)."""

    def choose(self, view: View, clock: Clock) -> SeatAction:
        try:
            moon = chosen_moon(view)
            if moon is not None:
                return moon
            if view.state.phase is Phase.PASSING:
                return Pass(view.seat, tuple(self._passed(view)))
            return Play(view.seat, self._played(view))
        except Exception as error:
            explain(error, SimpleBot.choose, self, view, clock)
            asked(view)
            raise

    def _passed(self, view: View) -> Sequence[Card]:
        """Return the cards of the hand to pass."""
        raise NotImplementedError

    def _played(self, view: View) -> Card:
        """Return the legal card to play."""
        raise NotImplementedError


class Drifter(SimpleBot):
    """Plays any legal card, each as likely: the mark that every level must beat."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = read_seed(seed)

    def _passed(self, view: View) -> Sequence[Card]:
        hand = list(view.hand)
        draws_of(self._seed, view).shuffle(hand)
        return hand[: view.deal.pass_size]

    def _played(self, view: View) -> Card:
        return draws_of(self._seed, view).choice(tuple(view.legal))


class Beginner(SimpleBot):
    """Legal and a little foolish.

    Ducks when it can and throws its highest cards away, but counts nothing: it forgets the queen,
    guards no suit, sees no moon coming, and plays any card at all one time in `SLIP`.
    """

    SLIP = 6

    def __init__(self, seed: int = 0) -> None:
        self._seed = read_seed(seed)

    def _passed(self, view: View) -> Sequence[Card]:
        return sorted(view.hand, key=_height)[-view.deal.pass_size :]

    def _played(self, view: View) -> Card:
        draws, deal, legal = draws_of(self._seed, view), view.deal, sorted(view.legal, key=_height)
        if not draws.below(self.SLIP):
            return draws.choice(legal)
        if deal.led is None:
            return legal[0]
        if legal[0].suit is not deal.led:
            return legal[-1]
        best = max(card.rank or 0 for card in deal.trick if card.suit is deal.led)
        under = [card for card in legal if (card.rank or 0) < best]
        return under[-1] if under else legal[0]


def _height(card: Card) -> tuple[int, int]:
    """Rank before suit, jokers lowest."""
    return card.rank or 0, card.index


class Puppet(SimpleBot):
    """Player in lessons, who plays cards in the order given, and passes the first of them."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self._cards = cards

    def _passed(self, view: View) -> Sequence[Card]:
        return [card for card in self._cards if card in view.hand][: view.deal.pass_size]

    def _played(self, view: View) -> Card:
        return next(card for card in self._cards if card in view.hand)


# The levels


def _searching(level: str, threads: int = 1) -> Callable[[int], Bot]:
    def make(seed: int) -> Bot:
        if not strong_installed():
            return RoughSearch(seed)
        from volte.bots.search import BY_LEVEL, Search  # here, as NumPy takes a while to come

        return Search(BY_LEVEL[level], seed, threads)

    return make


LEVELS: Final[dict[str, Callable[[int], Bot]]] = {
    "beginner": Beginner,
    "casual": lambda seed: Casual(seed=seed),
    "strong": _searching("strong"),
    "expert": _searching("expert"),
}
"""Levels, the weakest first, each with the function that makes its bot from a seed."""

OFFERED: Final = tuple(level for level in LEVELS if level != "expert" or strong_installed())
"""The levels that are offered to people here."""

MARKS: Final[dict[str, Callable[[int], Bot]]] = {
    "random": Drifter,
    "rough": RoughSearch,
    "flat": _searching("flat"),
    "flat-brief": _searching("flat-brief"),
    "strong-points": _searching("strong-points"),
    "expert-points": _searching("expert-points"),
    "expert-even": _searching("expert-even"),
    "expert-casual": _searching("expert-casual"),
}
"""Bots that the levels are measured against; not offered to people."""

SEARCHING: Final = frozenset(
    {"strong", "expert"}
    | MARKS.keys() - {"random"}
    | {key for key, each in CHARACTERS.items() if each.level == "strong"}
)
"""Levels slow enough to be worth a worker process."""

OF_EXTRA: Final = SEARCHING - {"strong", "rough"} - CHARACTERS.keys()
"""Levels that nobody can ask for without the extra `strong`; `rough` plays in their place."""

FOR_POINTS: Final = {"strong": "strong-points", "expert": "expert-points"}
"""Levels that play for the match, each with its variant for the points of single deals."""


def level_of(played: str) -> str:
    """Return the level of a character, or the level itself."""
    return CHARACTERS[played].level if played in CHARACTERS else played


def compiled(level: str, rules: Ruleset | None = None) -> Policy | None:
    """Return the compiled twin of a level, or of `random` play; None where there is none.

    Args:
        rules: of the table, if that matters; see `unknown_to_twin`.
    """
    from volte.kernel import RANDOM_POLICY, Policy

    if level == "casual" and rules is not None and unknown_to_twin(rules):
        return None
    twins = {"random": RANDOM_POLICY, "casual": Policy.casual(asdict(Weights()))}
    return twins.get(level)


def unknown_to_twin(rules: Ruleset) -> str:
    """Return the first option that the compiled twin of `casual` ignores; empty for none."""
    late_kitty = rules.kitty_size and rules.deck.kitty is not Kitty.FIRST_TRICK
    scatters = rules.passing.count and Direction.SCATTER in rules.passing.cycle
    unknown = {
        "packs": rules.deck.packs > 1,
        "partners": rules.sides.partners > 1,
        "kitty": late_kitty,
        "pass_cycle": scatters,
        "moon_needs_jack": rules.moon.needs_jack,
        "no_tricks": rules.points.no_tricks,
    }
    return next((option for option, is_so in unknown.items() if is_so), "")


def warm_up(levels: Iterable[str]) -> Thread | None:
    """Fetch the compiled code of the levels in the background; until then they play as `casual`.

    Returns None where they need none. Do not call this where choices have to be repeatable.
    """
    if SEARCHING.isdisjoint(levels) or not strong_installed():
        return None
    from volte.bots.search import CODE
    from volte.kernel import warm_up

    return warm_up(*CODE)


# Bots of packages, and bots by name

_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")


@cache
def installed() -> Mapping[str, EntryPoint]:
    """Return the entry points of packages' bots, by name, as they were at the first call.

    Names are 1 to 40 small letters, digits and hyphens. No package can replace a level of Volte.
    """
    return {
        each.name: each for each in entry_points(group="volte.bots") if _NAME.fullmatch(each.name)
    }


def installed_bot(name: str) -> Callable[[int], Bot] | None:
    """Return the function that makes a package's bot from a seed; None where no package has it.

    The function raises `VolteError` `bot_not_loaded` where the package is broken.
    """
    entry = installed().get(name)
    if entry is None:
        return None

    def make(seed: int) -> Bot:
        try:
            bot: Bot = entry.load()(seed)
            if not callable(getattr(bot, "choose", None)):
                raise TypeError(f"{entry.value} makes no bot: it has no method choose")
        except Exception as error:
            package = entry.dist.name if entry.dist is not None else entry.value
            why = f"{type(error).__name__}: {error}"
            raise VolteError("bot_not_loaded", name=name, package=package, why=why) from error
        return bot

    return make


def is_ours(level: str) -> bool:
    """Whether the name is a level or a character of Volte, whatever is installed here."""
    return level in LEVELS or level in CHARACTERS


def check_level(level: str, others: Container[str] = (), guests: Collection[str] = ()) -> None:
    """Check that a level or a character may be asked for.

    Args:
        others: names from `MARKS` that may be asked for as well.
        guests: names of bots from elsewhere that can be chosen here.

    Raises `VolteError` `no_such_level`, and `level_needs_extra` where the extra is missing.
    """
    if not (is_ours(level) or level in others or level in guests):
        raise VolteError("no_such_level", level=level, levels=(*OFFERED, *guests)).at("level")
    if level in OF_EXTRA and not strong_installed():
        raise VolteError("level_needs_extra", level=level, extra=STRONG).at("level")


def player_named(typed: str) -> str:
    """Return the name of the level, character, mark or package's bot that a person means.

    Accents, capitals, blanks and hyphens may differ. Raises `VolteError` `no_such_level`.

    >>> player_named("Chloé")
    'chloe'
    """
    known = (*MARKS, *LEVELS, *CHARACTERS, *installed())
    level = meant(typed, known)
    if level not in known:
        raise VolteError("no_such_level", level=typed, levels=known)
    return level


def make_bot(level: str, seed: int = 0, threads: int = 1) -> Bot:
    """Make a bot: of a level, a character, one of the `MARKS`, or of a package (`installed`).

    Without the extra, bots that search are `rough`.

    Args:
        seed: a 64-bit word without sign.
        threads: number of threads that share a search, for levels that search.

    Raises `VolteError` `no_such_level`, `not_a_seed` and `bot_not_loaded`.
    """
    if level in CHARACTERS:
        return make_character(level, read_seed(seed), threads)
    make = LEVELS.get(level) or MARKS.get(level) or installed_bot(level)
    if make is None:
        raise VolteError("no_such_level", level=level, levels=OFFERED)
    if threads > 1 and level in SEARCHING:
        make = _searching(level, threads)
    return make(read_seed(seed))
