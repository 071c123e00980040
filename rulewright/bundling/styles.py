"""The style sheets of the page as one."""

from __future__ import annotations

import re

from rulewright.bundling.scripts import part

STYLESHEET = re.compile(r'<link rel="stylesheet" href="/web/(style/[\w/]+\.css)">\n?')
COMMENT = re.compile(r"/\*.*?\*/", re.S)
BLANK = re.compile(r"\s*([{};,])\s*|\s+")


def style() -> str:
    """The style sheets that the page of the server names, in its order, without comments and blanks."""
    texts = "\n".join(part(name) for name in STYLESHEET.findall(part("index.html")))
    return BLANK.sub(lambda m: m[1] or " ", COMMENT.sub("", texts)).replace(";}", "}").strip()
