"""Pictures for `--plot`: the file, the style, the colours."""

from __future__ import annotations

import logging
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from volte.console.files import try_file, write
from volte.console.terminal import Misuse
from volte.extras import missing

if TYPE_CHECKING:
    from matplotlib.figure import Figure


ENDINGS: Final = (".png", ".svg")

COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
"""Okabe and Ito's colours, which people with any colour vision can tell apart."""
MARKERS: Final = "osD^vP*"

WIDTH: Final = 10.0
"""Width of a picture, in inches."""

STYLE: Final[Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "grid.color": "#DDDDDD",
    "hatch.linewidth": 0.6,
    "text.parse_math": False,
    "svg.fonttype": "none",  # text stays text, which can be read aloud and searched
    "svg.hashsalt": "volte",
}


class Plot:
    """A picture to be drawn into a file, in place of what is there.

    Raises `Misuse` for another ending, `VolteError` `needs_extra` where matplotlib is missing, and
    `TerminalFault` where the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        if path.suffix.lower() not in ENDINGS:
            raise Misuse("plot_ending", path=path)
        logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it would log its caches
        try:
            import matplotlib.figure  # noqa: F401
        except ImportError:
            raise missing("plot") from None
        try_file(path)
        self._path = path

    def save(self, draw: Callable[[], Figure], title: str) -> None:
        """Write the picture that `draw` makes. Raises `TerminalFault`."""
        from matplotlib import rc_context, rcdefaults, rcParams

        with rc_context():
            rcdefaults()  # not the settings of this user
            rcParams.update(STYLE)
            draw().savefig(
                content := BytesIO(),
                format=self._path.suffix[1:].lower(),
                dpi=150,
                metadata={"Title": title} | self._undated,
            )
        write(self._path, content.getvalue())

    @property
    def _undated(self) -> dict[str, None]:
        """Metadata that leave out the date, so that the same numbers make the same file."""
        return {"Date": None} if self._path.suffix.lower() == ".svg" else {"Software": None}
