"""Addresses as pictures, for the camera of a telephone."""

from __future__ import annotations

import io
from typing import Final

import segno
from starlette.responses import Response

from volte.web.refused import Refused

MODULES: Final = 4
"""Pixels of a module of the picture."""


def picture_of(address: str, **headers: str) -> Response:
    """The address as an SVG. Raises `Refused` for one that fits into no picture."""
    drawn = io.BytesIO()
    try:
        code = segno.make(address, error="m", micro=False)
    except segno.DataOverflowError:  # somebody has made up a name of thousands of letters for us
        raise Refused(400, "wrong_form") from None
    code.save(drawn, kind="svg", scale=MODULES, light="#fff", svgclass=None, lineclass=None)
    return Response(drawn.getvalue(), media_type="image/svg+xml", headers=headers)
