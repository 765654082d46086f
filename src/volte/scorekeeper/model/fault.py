"""What cannot be put on a sheet, or not be read from one."""

from __future__ import annotations

from volte.cards import Fault


class SheetFault(Fault):
    """Why an act is refused, or a file cannot be used; nothing has changed, nothing is lost."""
