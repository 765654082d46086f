"""The panel for talking, which scripts of pages fetch and show."""

from __future__ import annotations

from starlette.responses import Response

from volte.say.texts.talk import PHRASES, REASONS
from volte.table import Talk
from volte.table.telling import SENTENCES
from volte.talk.service import LONGEST_SAYING
from volte.talk.session import LONGEST_NOTE
from volte.web.page import page
from volte.web.visit import Visit


def panel_page(visit: Visit, talk: Talk, *, at_table: bool = True) -> Response:
    """The panel for a place with that setting for talk."""
    words = visit.words
    return page(
        visit,
        "talk_panel.html",
        phrases=[(name, words.t(line)) for name, line in PHRASES.items()],
        reasons=[(name, words.t(line)) for name, line in REASONS.items()],
        talk=talk.value,
        at_table=at_table,
        longest_saying=LONGEST_SAYING,
        longest_note=LONGEST_NOTE,
        client={key: words.unfilled(text) for key, text in SENTENCES["panel"].items()},
    )
