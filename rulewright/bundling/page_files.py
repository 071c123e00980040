"""The page as it is sent: one script and one style sheet, under names that change with what is in them."""

from __future__ import annotations

import hashlib
import re
from functools import cache

from rulewright.bundling.scripts import PAGE, part, script
from rulewright.bundling.styles import STYLESHEET, style

INDEX = "index.html"
SENT = "sent/"
"""Below it are the files whose names have their hash. They never change, so nobody asks for them twice."""
MODULE = re.compile(r'<script type="module" src="/web/main\.js"></script>')


@cache
def page_files() -> dict[str, bytes]:
    """The page by path: its HTML, and the script and the style sheet that it names."""
    code, css = script(PAGE).encode(), style(server=True, companion=True).encode()
    script_path, style_path = f"{SENT}{_name(code)}.js", f"{SENT}{_name(css)}.css"
    text = STYLESHEET.sub("", part(INDEX))
    links = (
        f'<link rel="stylesheet" href="/web/{style_path}">\n'
        f'<script type="module" src="/web/{script_path}"></script>'
    )
    return {script_path: code, style_path: css, INDEX: MODULE.sub(links, text).encode()}


def _name(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=12).hexdigest()
