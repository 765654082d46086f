"""`volte export-site`: a folder with which people play in their browsers, without a server."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from volte.say import Words
from volte.say.faults import shown_path
from volte.site.export import export, site_files


def export_site(lang: str, folder: Path, runtime: Path, base: str, playroom: str) -> int:
    """Export the site into a folder. Raises `SiteFault`."""
    words = Words(lang)
    files = site_files(base, runtime, playroom)
    export(folder, files)
    size = Fraction(sum(map(len, files.values())), 1_000_000)
    told = words.n(
        "{path} holds the site: {count} file, {size} MB.",
        "{path} holds the site: {count} files, {size} MB.",
        len(files),
        path=shown_path(str(folder)),
        size=size,
    )
    print(told)
    return 0
