"""Requests of the pages of a browser, answered by its room."""

from __future__ import annotations

from volte.solo.room import SoloRoom


async def respond(
    room: SoloRoom, method: str, path: str, fields: dict[str, list[str]]
) -> tuple[int, str, str]:
    """Answer a request: the status, the content type, and the body.

    Args:
        path: from the slash on, with its query.
        fields: of the form that is sent, each with its values.
    """
    return 404, "text/plain; charset=utf-8", ""
