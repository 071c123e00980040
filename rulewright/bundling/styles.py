"""The style sheets of the page as one."""

from __future__ import annotations

import re

from rulewright.bundling.scripts import part

STYLESHEET = re.compile(r'<link rel="stylesheet" href="/web/(style/[\w/]+\.css)">\n?')
COMMENT = re.compile(r"/\*.*?\*/", re.S)
BLANK = re.compile(r"\s*([{};,])\s*|\s+")


COMPANION, SERVER = "style/companion.css", "style/server.css"
"""What not every page has a use for."""


def style(*, server: bool, companion: bool) -> str:
    """The style sheets that the page of the server names, in its order, without comments and blanks."""
    left_out = {SERVER: not server, COMPANION: not companion}
    names = [name for name in STYLESHEET.findall(part("index.html")) if not left_out.get(name, False)]
    texts = COMMENT.sub("", "\n".join(map(part, names)))
    return BLANK.sub(lambda m: m[1] or " ", texts).replace(";}", "}").strip()
