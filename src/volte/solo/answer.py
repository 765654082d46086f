"""Answers of a browser to the requests of its pages."""

from __future__ import annotations

import msgspec


class SoloAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer to a request of a page."""

    status: int
    type: str
    body: str
    base64: bool = False  # whether the body is base64 of bytes that are no text
    location: str = ""  # where a redirect leads, as links of the site have it
    filename: str = ""  # under which a download is saved
