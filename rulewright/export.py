"""A game as one HTML file that needs nothing else: referee, table, rulebook and bots, without a network.

The parts are compressed together. A short script in the file unpacks them and starts the page's own script.
The content security policy of the file allows these two scripts, by their hashes, and WebAssembly; nothing
else may run, and nothing can be fetched.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any
from urllib.parse import quote

from interpreter.game import Game
from rulewright.bundling.modules import Bundler
from rulewright.bundling.payload import packed
from rulewright.bundling.tokens import minified
from rulewright.presentation.description import describe
from rulewright.presentation.host_tables import host_tables

ENTRY = "single.js"
FALLBACK = "en"
"""The language of the page in which every message exists."""
STYLESHEET = re.compile(r'<link rel="stylesheet" href="/web/(style/[\w/]+\.css)">')
FINISHED = ("preact.js", "hooks.js", "htm.js", "signals.js", "signals-core.js")
"""Vendored modules that are published without comments and blanks."""
CSS_COMMENT = re.compile(r"/\*.*?\*/", re.S)
CSS_BLANK = re.compile(r"\s*([{};,])\s*|\s+")


def one_file(game: Game, rulebook: str, language: str = FALLBACK, entry: str = ENTRY) -> bytes:
    """The file of a game. `rulebook` is its rulebook as HTML, `language` that of labels and messages."""
    script = bundle(entry)
    module, tables = host_tables(game)
    description = in_languages(describe(game), (language, FALLBACK))
    data = {
        "messages": messages((language, FALLBACK)),
        "rulebooks": {language: content(rulebook)},
        "games": [{"description": description, "tables": tables}],
    }
    text = packed(
        {
            "script": script.encode(),
            "style": style().encode(),
            "data": json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(),
            "module 0": module,
        }
    )
    return page(str(description["title"]), language, script, text).encode()


def page(title: str, language: str, script: str, text: str) -> str:
    """The HTML around what is packed."""
    loader = minified(part("unpack.js"))
    icon = quote(part("icon.svg"))
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src {hash_of(loader)} {hash_of(script)} 'wasm-unsafe-eval'",
            "worker-src blob:",
            "style-src 'unsafe-inline'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    return f"""<!doctype html>
<html lang="{escape(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:image/svg+xml,{icon}">
</head>
<body>
<div id="page"></div>
<noscript><p>This page needs JavaScript.</p></noscript>
<script type="text/plain" id="packed">{text}</script>
<script>{loader}</script>
</body>
</html>
"""


def hash_of(script: str) -> str:
    """The source of a script in a content security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


# ---- the parts


@cache
def bundle(entry: str = ENTRY) -> str:
    """The page's modules from an entry on, as one script."""
    texts = {path: item.read_text(encoding="utf-8") for path, item in _walk(_web()) if path.endswith(".js")}
    return Bundler(texts, frozenset(f"vendor/{name}" for name in FINISHED)).script(entry)


def style() -> str:
    """The style sheets that the page of the server names, in its order."""
    texts = "\n".join(part(name) for name in STYLESHEET.findall(part("index.html")))
    return CSS_BLANK.sub(lambda m: m[1] or " ", CSS_COMMENT.sub("", texts)).strip()


def messages(languages: tuple[str, ...]) -> dict[str, list[str]]:
    """The messages of the page by language: the texts of the files."""
    found: dict[str, list[str]] = {}
    for path, item in _walk(_web().joinpath("locales")):
        language = path.partition("/")[0]
        if language in languages and path.endswith(".ftl"):
            lines = item.read_text(encoding="utf-8").splitlines()
            found.setdefault(language, []).append(
                "\n".join(x for x in lines if x and not x.startswith("#")) + "\n"
            )
    return found


def content(rulebook: str) -> str:
    """What is inside the main part of a rulebook's page, without the blanks between its lines."""
    main = re.search(r"<main>(.*)</main>", rulebook, re.S)
    return re.sub(r"\s*\n\s*", "\n", main[1] if main is not None else rulebook).strip()


def in_languages(description: Mapping[str, Any], languages: tuple[str, ...]) -> dict[str, Any]:
    """A description with the labels of some languages only; of its first one, if it has none of them."""
    kept = [x for x in description["languages"] if x in languages] or description["languages"][:1]
    return {
        **description,
        "languages": kept,
        **{part: {x: t for x, t in description[part].items() if x in kept} for part in ("labels", "helps")},
    }


def part(name: str) -> str:
    """The text of a file of the page."""
    return _web().joinpath(*name.split("/")).read_text(encoding="utf-8")


def _web() -> Traversable:
    return files("rulewright").joinpath("web")


def _walk(folder: Traversable, before: str = "") -> list[tuple[str, Traversable]]:
    """The files of a folder and of those in it, with their paths, sorted."""
    found: list[tuple[str, Traversable]] = []
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        path = before + item.name
        found += _walk(item, f"{path}/") if item.is_dir() else [(path, item)]
    return found
