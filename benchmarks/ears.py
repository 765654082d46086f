"""Words that a listener hears twice, by a simulated screen reader at several rates.

    python benchmarks/ears.py [--deals N] [--rates 150 200 …]

The listener waits until all has been spoken, and then plays; or cuts some of the sentences by a
key. The page knows the rate of the reader, or does not, or believes another.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT / "tests")

from kit.browser.players import ARGUMENTS, CHROMIUM  # noqa: E402
from kit.browser.reading import read  # noqa: E402
from kit.sites import open_playroom  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

RATES: Final = (150, 200, 300, 400, 600)
"""Words a minute."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=3)
    parser.add_argument("--rates", type=int, nargs="+", default=RATES)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        open_playroom(Path(folder)) as playroom,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS) as browser,
    ):
        page = browser.new_page()
        for lang in ("en", "fr"):
            for rate in given.rates:
                for name, setting, measures in (
                    ("right", rate, False),
                    ("not known", None, False),
                    ("measured", None, True),
                    ("half", max(80, rate // 2), False),
                    ("double", min(700, rate * 2), False),
                ):
                    cells = []
                    for cuts in (0.0, 0.3):
                        found = read(
                            page, playroom.address, lang, given.deals,
                            rate=rate, setting=setting, cuts=cuts, measures=measures,
                        )  # fmt: skip
                        cells.append(
                            f"again {found['again']:3}/{found['said']:3} "
                            f"({100 * found['wordsAgain'] / found['words']:4.1f} % of words)"
                            f" cut {found['cut']:3} lost {found['lost']:3}"
                        )
                    print(f"{lang} {rate:3} {name:9} | {cells[0]} | {cells[1]}", flush=True)


if __name__ == "__main__":
    main()
