"""Languages in which tests are run.

The gate knows the two that people speak; what a country says otherwise is tested there in the
catalogues, in the choice of a language and in what it falls back to, and everywhere else in full.
"""

from __future__ import annotations

from typing import Final

from kit.strategies import in_full

from volte.say.catalogue import LANGUAGES, TONGUES

COUNTRIES: Final = tuple(lang for lang in LANGUAGES if lang not in TONGUES)
EVERY: Final = [*TONGUES, *in_full(*COUNTRIES)]
"""Every language, for `parametrize`: those of a country in full only."""
