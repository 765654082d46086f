"""Compile the catalogues of `volte.say` (.po) to the form that gettext reads (.mo).

Hatchling runs the hook for every wheel, editable ones too; `python hatch_build.py` does it by hand.
"""

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CATALOGUES = "src/volte/say/locale/*/LC_MESSAGES/volte.po"
# Babel would put the time of the build into every .mo; a constant keeps wheels reproducible.
UNDATED = datetime(2026, 1, 1, tzinfo=UTC)


def compile_catalogues(root: Path) -> None:
    """Write a .mo beside each .po below `root`; a faulty sentence raises ValueError."""
    for po in sorted(root.glob(CATALOGUES)):
        with po.open("rb") as source:
            catalogue = read_po(source, locale=po.parts[-3], abort_invalid=True)
        for message, errors in catalogue.check():
            raise ValueError(f"{po}:{message.lineno}: {errors[0]}")
        catalogue.creation_date = UNDATED
        compiled = BytesIO()
        write_mo(compiled, catalogue)
        po.with_suffix(".mo").write_bytes(compiled.getvalue())


class CatalogueHook(BuildHookInterface[Any]):
    """Hatchling's call before it gathers the files of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        compile_catalogues(Path(self.root))


if __name__ == "__main__":
    compile_catalogues(Path(__file__).parent)
