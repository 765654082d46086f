"""The rules of a table, as pages have them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from volte.say.rulesheet.sheet import Section


def sheet_in_html(sections: Sequence[Section]) -> str:
    """A rule sheet in HTML: a heading and a list for each section."""
    return "\n".join(
        f"<h3>{escape(title)}</h3>\n<ul>\n"
        + "".join(f"  <li>{escape(line.text)}</li>\n" for line in lines)
        + "</ul>"
        for title, lines in sections
    )
