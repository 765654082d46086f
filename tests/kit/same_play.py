"""Plays every preset with fewest and most players, and prints the digest of each record."""

from hashlib import sha256
from itertools import cycle, islice

import volte
from volte.rules import PRESETS, make_ruleset

BOTS = ("casual", "beginner", "casual")

for name, preset in PRESETS.items():
    for players in sorted({min(preset.players), max(preset.players)}):
        rules = make_ruleset(name, {"players": players})
        match = volte.play(*islice(cycle(BOTS), players), rules=rules, seed=players, deals=2)
        print(name, players, sha256(match.record().encode()).hexdigest())
