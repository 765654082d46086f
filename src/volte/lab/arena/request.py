"""The request for a simulation, and which engine can serve it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from volte.bots import compiled, player_named, unknown_to_twin
from volte.cards import VolteError
from volte.kernel import Policy, encode
from volte.kernel.encoding import check_range
from volte.rules import OPTIONS, Ruleset
from volte.say.rulesheet.options import typed_value

MOST_DEALS: Final = 2**40
MOST_MATCHES: Final = 2**32


class EngineKind(StrEnum):
    """The engine that plays; the results are the same."""

    AUTO = "auto"  # the kernel if it can
    KERNEL = "kernel"
    READABLE = "readable"


@dataclass(frozen=True)
class Request:
    """A simulation. Equal requests have equal results everywhere.

    Raises `VolteError` where it cannot be played.
    """

    rules: Ruleset  # the end of a match does not matter for lone deals
    seats: tuple[str, ...]  # the players, clockwise, as `volte.bots.player_named` reads them
    seed: int  # 0 to 2**64 - 1
    # number of deals or of matches; exactly one is given
    deals: int | None = None
    matches: int | None = None
    engine: EngineKind = EngineKind.AUTO

    def __post_init__(self) -> None:
        if (self.deals is None) is (self.matches is None):
            raise VolteError("deals_or_matches")
        if len(self.seats) != self.rules.players:
            raise VolteError("seats_differ", seats=len(self.seats), players=self.rules.players)
        object.__setattr__(self, "seats", tuple(map(player_named, self.seats)))
        check_range("seed", self.seed, 0, 2**64 - 1)
        if self.deals is not None:
            check_range("deals", self.deals, 1, MOST_DEALS)
        else:
            check_range("matches", self.games, 1, MOST_MATCHES)

    @property
    def games(self) -> int:
        """Number of deals, or of matches."""
        return self.deals or self.matches or 0

    @property
    def whole_matches(self) -> bool:
        return self.matches is not None

    def served_by(self, engine: EngineKind) -> Request:
        return replace(self, engine=engine)


def chosen_engine(request: Request) -> tuple[EngineKind, VolteError | None]:
    """`KERNEL` or `READABLE`, and why not the kernel, if it was not ruled out.

    Raises that `VolteError` if the kernel was asked for and cannot play: a `KernelFault` for the
    rules, and as `policy_of` for a player.
    """
    if request.engine is EngineKind.READABLE:
        return EngineKind.READABLE, None
    try:
        encode(request.rules)
        policies(request)
    except VolteError as fault:
        if request.engine is EngineKind.KERNEL:
            raise
        return EngineKind.READABLE, fault
    return EngineKind.KERNEL, None


def policies(request: Request) -> tuple[Policy, ...]:
    """The compiled players. Raises `VolteError` as `policy_of`."""
    return tuple(policy_of(level, request.rules) for level in request.seats)


def policy_of(level: str, rules: Ruleset, name: str = "") -> Policy:
    """The compiled player of a level; `name` stands for it in errors.

    Raises `VolteError` `no_compiled_twin` if the level has none, and `twin_knows_less` if the rules
    have an option that the level thinks of and its twin does not.
    """
    policy = compiled(level, rules)
    if policy is not None:
        return policy
    if compiled(level) is None:
        raise VolteError("no_compiled_twin", level=name or level)
    option = unknown_to_twin(rules)
    setting = f"{option}={typed_value(OPTIONS[option].get(rules))}"
    raise VolteError("twin_knows_less", level=name or level, setting=setting)
