"""The door: what does not fit is refused here, by name, before compiled code sees it."""

from __future__ import annotations

from collections.abc import Sequence

from volte.kernel.layout import Records
from volte.kernel.policy import Policy
from volte.kernel.table import KernelFault
from volte.rules import Ruleset


def check_range(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise KernelFault("kernel_range", name=name, value=value, least=least, most=most)


def check_policies(rules: Ruleset, policies: Sequence[Policy]) -> None:
    if policies and len(policies) != rules.players:
        raise KernelFault("kernel_policies", given=len(policies), players=rules.players)


def check_deals(rules: Ruleset, deals: Records) -> None:
    """Raises `KernelFault` for the first row that is no position of this ruleset."""
