"""The style sheets of the page as one."""

from __future__ import annotations

import re
from itertools import count

from rulewright.bundling.scripts import modules, part

STYLESHEET = re.compile(r'<link rel="stylesheet" href="/web/(style/[\w/]+\.css)">\n?')
COMMENT = re.compile(r"/\*.*?\*/", re.S)
VARIABLE = re.compile(r"--[\w-]+")
BLANK = re.compile(r"\s*([{};,])\s*|(:)\s+|\s+")


COMPANION, SERVER = "style/companion.css", "style/server.css"
"""What not every page has a use for."""


def style(*, server: bool, companion: bool) -> str:
    """The style sheets that the page of the server names, in its order, without comments and blanks.

    Without a server, the variables that no module of the page names are short.
    """
    left_out = {SERVER: not server, COMPANION: not companion}
    names = [name for name in STYLESHEET.findall(part("index.html")) if not left_out.get(name, False)]
    texts = COMMENT.sub("", "\n".join(map(part, names)))
    found = BLANK.sub(lambda m: m[1] or m[2] or " ", texts).replace(";}", "}").strip()
    return found if server else short_variables(found, "".join(modules().values()))


def short_variables(text: str, named: str) -> str:
    """A style sheet whose variables have short names; not those named elsewhere, also by a beginning."""
    names = dict.fromkeys(VARIABLE.findall(text))
    kept = {name for name in names if name in named or re.search(rf"{name.rpartition('-')[0]}-\$", named)}
    numbers = (f"--{number:x}" for number in count(10))
    fresh = (name for name in numbers if name not in names)
    short = {name: name if name in kept else next(fresh) for name in names}
    return VARIABLE.sub(lambda m: short[m[0]], text)
