"""Sending of static files, which are the only answers that are compressed: where an answer holds
somebody's secret, its compressed length can give the secret away.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from functools import partial
from typing import Final

import brotli
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from volte.say.catalogue import TONGUES
from volte.web.assets import Asset, assets, static, version
from volte.web.visit import weights

CODINGS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "br": partial(brotli.compress, mode=brotli.MODE_TEXT),
    "gzip": partial(gzip.compress, mtime=0),
}
"""Compressors by content coding, the best first."""

LASTING: Final = "public, max-age=31536000, immutable"


def coding_for(asset: Asset, accepted: str) -> str:
    """The coding to send to whoever sends that `Accept-Encoding`; empty for none."""
    weight = weights(accepted) if asset.compressible else {}
    others = weight.get("*", 0.0)
    best = max(CODINGS, key=lambda coding: weight.get(coding, others))
    liked = weight.get(best, others)
    return best if liked > 0 and liked >= weight.get("identity", 0.0) else ""


async def coded(asset: Asset, coding: str) -> bytes:
    """The content in that coding; the work is done in a thread, once."""
    if not coding:
        return asset.content
    if coding not in asset.compressed:
        asset.compressed[coding] = await asyncio.to_thread(CODINGS[coding], asset.content)
    return asset.compressed[coding]


def routes() -> list[BaseRoute]:
    return [Route("/static/{path:path}", static_file)]


async def static_file(request: Request) -> Response:
    """Answer with a file that browsers may keep for good, `/static/1f0c-fr/web/static/page.js` say;
    redirect there if the address has another digest. Without a digest, browsers ask each time if
    the file has changed.

    So old and new files never come under one address: an outdated page notices it (`renew` in the
    scripts), and a page of a newer process works while all processes are being replaced.
    """
    path = request.path_params["path"]
    if path in assets():
        return await _sent(request, assets()[path], "no-cache")
    stamp, _, name = path.partition("/")
    digest, _, named = stamp.partition("-")
    lang = named if named in TONGUES else TONGUES[0]
    if name not in assets(lang):
        raise HTTPException(404)
    if digest == version():
        return await _sent(request, assets(lang)[name], LASTING)
    return RedirectResponse(static(name, lang), 307, {"cache-control": "no-store"})


async def _sent(request: Request, asset: Asset, keeping: str) -> Response:
    coding = coding_for(asset, ",".join(request.headers.getlist("accept-encoding")))
    tag = f'"{asset.digest}-{coding or "identity"}"'
    headers = {"cache-control": keeping, "etag": tag, "accept-ranges": "none"}
    if asset.compressible:
        headers["vary"] = "accept-encoding"
    known = [each.strip() for each in request.headers.get("if-none-match", "").split(",")]
    if not {tag, f"W/{tag}", "*"}.isdisjoint(known):
        return Response(status_code=304, headers=headers)
    if coding:
        headers["content-encoding"] = coding
    return Response(await coded(asset, coding), headers=headers, media_type=asset.kind)
