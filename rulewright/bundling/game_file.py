"""A game as one HTML file that needs nothing else: referee, table, rulebook and bots, without a network.

The parts are compressed together. A short script in the file unpacks one that unpacks
them and starts the page's own script.
The file is text in UTF-16, which holds bytes with hardly any loss; its first two bytes tell a browser so,
whatever a server or a computer says of it. The content security policy of the file allows these scripts,
by their hashes, and WebAssembly; nothing else may run, and nothing can be fetched.
"""

from __future__ import annotations

import base64
import codecs
import hashlib
import json
from collections.abc import Mapping
from html import escape
from typing import Any
from urllib.parse import quote

from interpreter.game import Game
from rulewright.bundling.descriptions import carried_description, carried_tables
from rulewright.bundling.messages import messages
from rulewright.bundling.payload import deflated, packed
from rulewright.bundling.rulebooks import content
from rulewright.bundling.scripts import COMPANION, LOADER, POLICY, SINGLE, part, script
from rulewright.bundling.styles import style
from rulewright.i18n.messages import FALLBACK, languages
from rulewright.presentation.description import describe
from rulewright.presentation.host_tables import host_tables

STARTER = (
    'const d=document,s=d.createElement("script"),b=[...loader.text].map('
    'c=>(c.charCodeAt()+32512).toString(2).slice(1)).join("").match(/.{8}/g);'
    'new Response(new Response(Uint8Array.from(b,x=>"0b"+x)).body'
    '.pipeThrough(new DecompressionStream("deflate-raw"))).text()'
    ".then(t=>{s.text=t;d.head.append(s)})"
)
"""What unpacks the loader, which is ASCII, and runs it. An element with an id is a name of the window."""
SAFE = "/:= '"


def one_file(
    game: Game,
    rulebook: str,
    language: str = FALLBACK,
    *,
    companion: bool = False,
    policy: Mapping[str, Any] | None = None,
) -> bytes:
    """The file of a game. `rulebook` is its rulebook as HTML, `language` that of labels and messages.

    With `companion` it also follows a physical table. With a `policy`, as `learn.page_policy` gives it, that
    one plays, too.
    """
    code = script(POLICY if policy is not None else COMPANION if companion else SINGLE)
    words = ["file", *["companion"] * companion, *["policy"] * (policy is not None)]
    module, tables = host_tables(game, observes=policy is not None, companion=companion)
    book = content(rulebook)
    description = carried_description(describe(game), (language, FALLBACK))
    data: dict[str, Any] = {
        "messages": {x: messages(x, *words) for x in languages() if x in (language, FALLBACK)},
        "rulebooks": {language: book},
        "icon": f"data:image/svg+xml,{quote(part('icon.svg'), safe=SAFE)}",
        "games": [{"description": description, "tables": carried_tables(tables, description)}],
    }
    if policy is not None:
        data["games"][0]["tables"]["policy"] = policy
        data["companion"] = companion
    text = packed(
        {
            "data": json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(),
            "style": style(server=False, companion=companion).encode(),
            "script": code.encode(),
            "module 0": module,
        }
    )
    return codecs.BOM_UTF16_LE + page(str(description["title"]), language, code, text).encode("utf-16-le")


def page(title: str, language: str, code: str, text: str) -> str:
    """The HTML around what is packed."""
    loader = script(LOADER).strip()
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src {hash_of(STARTER)} {hash_of(loader)} {hash_of(code)} 'wasm-unsafe-eval'",
            "worker-src blob:",
            "style-src 'unsafe-inline'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    return f"""<!doctype html>
<html lang={escape(language)}>
<meta http-equiv=Content-Security-Policy content="{policy}">
<title>{escape(title)}</title>
<meta name=viewport content="width=device-width">
<meta name=color-scheme content="light dark">
<div id=page></div>
<noscript>Needs JavaScript.</noscript>
<script type=packed id=packed>{text}</script>
<script type=packed id=loader>{deflated(loader)}</script>
<script>{STARTER}</script>
"""


def hash_of(code: str) -> str:
    """The source of a script in a content security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'"
