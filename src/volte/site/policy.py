"""The security policy of an exported site, and files that make hosts send it as headers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from volte.web.security import HEADERS, POLICY
from volte.web.sending import LASTING

SITE_POLICY: Final = f"{POLICY}; script-src 'self' 'wasm-unsafe-eval'"
"""The policy of the server, and leave to compile WebAssembly: Python runs in it."""

IN_PAGES: Final = "; ".join(
    part for part in SITE_POLICY.split("; ") if not part.startswith("frame-ancestors")
)
"""The policy as a page can give it to itself, whatever the host: who frames it is not held so, nor
what scripts of workers ask for."""

LASTING_FOLDERS: Final = ("runtime", "static")  # with digests in their addresses

MISSING: Final = "404.html"
"""The page for addresses at which there is nothing, under the name by which most hosts know it."""

ASKED_ANEW: Final = "no-cache"  # of all other files: is it still the newest?

TYPES: Final = {
    "css": "text/css",
    "html": "text/html",
    "js": "text/javascript",
    "json": "application/json",
    "mjs": "text/javascript",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain",
    "wasm": "application/wasm",
    "webmanifest": "application/manifest+json",
}
"""Media types of all files of a site, by ending; not every host knows them."""

COMPRESSED: Final = tuple(sorted({*TYPES.values()} - {"image/png", "text/html"}))
"""Media types of what is worth compressing, besides pages."""


def for_hosts(base: str) -> dict[str, bytes]:
    """Files for hosts, by name: each makes one kind of host send the headers.

    Args:
        base: path of the site at its host.
    """
    headers = {
        "-".join(part.capitalize() for part in name.split("-")): value
        for name, value in (HEADERS | {"content-security-policy": SITE_POLICY}).items()
    }
    files = {
        "_headers": _netlify(base, headers),
        ".htaccess": _apache(base, headers),
        "nginx.conf": _nginx(base, headers),
    }
    return {name: text.encode() for name, text in files.items()}


def _netlify(base: str, headers: Mapping[str, str]) -> str:
    """For Netlify, Cloudflare Pages and others like them."""
    lines = [f"{base}/*", *(f"  {name}: {value}" for name, value in headers.items())]
    for folder in LASTING_FOLDERS:
        lines += [f"{base}/{folder}/*", f"  Cache-Control: {LASTING}"]
    return "\n".join(lines) + "\n"


def _apache(base: str, headers: Mapping[str, str]) -> str:
    lasting = "|".join(LASTING_FOLDERS)
    return "\n".join(
        [
            *(f"AddType {kind} .{ending}" for ending, kind in TYPES.items()),
            f"ErrorDocument 404 {base}/{MISSING}",
            "<IfModule mod_headers.c>",
            *(f'  Header always set {name} "{value}"' for name, value in headers.items()),
            f'  Header set Cache-Control "{ASKED_ANEW}"',
            f'  <If "%{{REQUEST_URI}} =~ m#^{base}/({lasting})/#">',
            f'    Header set Cache-Control "{LASTING}"',
            "  </If>",
            "</IfModule>",
            "",
        ]
    )


def _nginx(base: str, headers: Mapping[str, str]) -> str:
    """For a `server` block whose root holds the site at its path, by `include`."""
    adds = [f'add_header {name} "{value}" always;' for name, value in headers.items()]
    lasting = "|".join(LASTING_FOLDERS)
    types = " ".join(f"{kind} {ending};" for ending, kind in TYPES.items())
    return "\n".join(
        [
            f"location {base}/ {{",
            f"    types {{ {types} }}",
            f"    error_page 404 {base}/{MISSING};",
            "    charset utf-8;",
            "    gzip on;",
            f"    gzip_types {' '.join(COMPRESSED)};",
            *(f"    {line}" for line in adds),
            f'    add_header Cache-Control "{ASKED_ANEW}" always;',
            f"    location ~ ^{base}/({lasting})/ {{",
            *(f"        {line}" for line in adds),
            f'        add_header Cache-Control "{LASTING}" always;',
            "    }",
            "}",
            "",
        ]
    )
