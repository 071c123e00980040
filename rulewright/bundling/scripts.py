"""The scripts of the page: each entry with all that it imports, as one.

`tools/minify.py` has written them, short, to `web/minified`, with a seal of the modules they were made of. If
the modules have changed since, their seal is another; then they are put together here, which is longer.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from rulewright.bundling.modules import Bundler
from rulewright.bundling.tokens import minified

PAGE, SINGLE, COMPANION = "main.js", "single.js", "single_companion.js"
"""The entries: the page of a server, that of a game in one file, and of one that follows a physical table."""
POLICY = "single_policy.js"
"""That of a game in one file in which a trained policy plays; a companion is in it, too."""
LOADER = "unpack.js"
"""What starts a page in one file. It imports nothing."""
FOLDER = "minified"
FINISHED = ("preact.js", "hooks.js", "htm.js")
"""Vendored modules that are published without comments and blanks."""
HEAD = re.compile(r"// Made of modules with the seal (\w+) by tools/minify\.py\. Do not edit\.\n")


@cache
def script(entry: str) -> str:
    """The script of an entry: the one that was minified, if it was made of these modules."""
    return written(entry) or put_together(entry)


def written(entry: str) -> str | None:
    """The minified script of an entry, without its head; none if it was made of other modules."""
    item = web().joinpath(FOLDER, entry)
    text = item.read_text(encoding="utf-8") if item.is_file() else ""
    head = HEAD.match(text)
    return text[head.end() :] if head is not None and head[1] == seal() else None


def put_together(entry: str) -> str:
    """The script of an entry from its modules, without comments and blanks."""
    if entry == LOADER:
        return minified(part(entry))
    return Bundler(modules(), frozenset(f"vendor/{name}" for name in FINISHED)).script(entry)


def seal() -> str:
    """A hash of all modules of the page."""
    whole = hashlib.blake2b(digest_size=16)
    for path, text in modules().items():
        whole.update(f"{path} {len(text)}\n{text}".encode())
    return whole.hexdigest()


def modules() -> dict[str, str]:
    """The texts of all modules of the page, by path."""
    return {
        path: item.read_text(encoding="utf-8")
        for path, item in walk(web())
        if path.endswith(".js") and not path.startswith(f"{FOLDER}/")
    }


# ---- files of the page


def part(name: str) -> str:
    """The text of a file of the page."""
    return web().joinpath(*name.split("/")).read_text(encoding="utf-8")


def web() -> Traversable:
    """The folder of the page."""
    return files("rulewright").joinpath("web")


def walk(folder: Traversable, before: str = "") -> list[tuple[str, Traversable]]:
    """The files of a folder and of those in it, with their paths, sorted."""
    found: list[tuple[str, Traversable]] = []
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        path = before + item.name
        found += walk(item, f"{path}/") if item.is_dir() else [(path, item)]
    return found
