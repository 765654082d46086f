"""Pictures of addresses as QR codes, for the camera of a telephone."""

from __future__ import annotations

import io
from typing import Final

import segno
from starlette.responses import Response

from volte.web.refused import Refused
from volte.web.visit import Visit

MODULES: Final = 4  # pixels of a module (a square) of a QR code


async def picture_of(visit: Visit, address: str, **headers: str) -> Response:
    """Response with the QR code of an address, as SVG. Raises `Refused` if it is too long."""

    def drawn() -> bytes:
        file = io.BytesIO()
        code = segno.make(address, error="m", micro=False)
        code.save(file, kind="svg", scale=MODULES, light="#fff", svgclass=None, lineclass=None)
        return file.getvalue()

    try:
        picture = await visit.room.work.do(visit.whose, drawn)
    except segno.DataOverflowError:  # somebody has made up a name of thousands of letters for us
        raise Refused(400, "wrong_form") from None
    return Response(picture, media_type="image/svg+xml", headers=headers)
