"""Hypothesis profiles, by VOLTE_TEST_PROFILE: `gate` for every change, `full` for the long run."""

import os

from hypothesis import settings

for name, max_examples in {"gate": 100, "full": 1000}.items():
    settings.register_profile(
        name, max_examples=max_examples, deadline=None, derandomize=False, print_blob=True
    )
settings.load_profile(os.environ.get("VOLTE_TEST_PROFILE", "gate"))
