"""What an environment refuses."""

from __future__ import annotations

from volte.cards import Fault


class EnvFault(Fault):
    """Something a learner's program asked for that cannot be; nothing has changed."""
