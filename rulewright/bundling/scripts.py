"""The scripts of the page: each entry with all that it imports, as one.

`tools/minify.py` writes them to `web/minified` when a module has changed, with a seal of the modules they are
made of. Here they are only read, so that nobody who serves or exports a game needs node.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.messages import OutdatedScripts

PAGE, SINGLE, COMPANION = "main.js", "single.js", "single_companion.js"
"""The entries: the page of a server, that of a game in one file, and of one that follows a physical table."""
POLICY = "single_policy.js"
"""That of a game in one file in which a trained policy plays; a companion is in it, too."""
LOADER = "unpack.js"
"""What starts a page in one file. It imports nothing."""
FOLDER = "minified"
HEAD = re.compile(r"// Made of modules with the seal (\w+) by tools/minify\.py\. Do not edit\.\n")


@cache
def script(entry: str) -> str:
    """The script of an entry, without its head. Raises `DiagnosticError` if it was made of other modules."""
    if (outdated := outdated_script(entry)) is not None:
        raise DiagnosticError(outdated)
    return HEAD.sub("", part(f"{FOLDER}/{entry}"), count=1)


def outdated_script(entry: str = PAGE) -> OutdatedScripts | None:
    """What is wrong if the script of an entry was made of other modules than those that are there."""
    head = HEAD.match(part(f"{FOLDER}/{entry}"))
    made = head is not None and head[1] == seal()
    return None if made else OutdatedScripts(NOWHERE, f"{FOLDER}/{entry}")


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
