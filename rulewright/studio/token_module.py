"""The patterns of tokens as a module of the page, from the table that all highlighters are made from."""

from __future__ import annotations

import json

from dsl.workspace.token_patterns import patterns, soft_keywords

TOKENS = "tokens.js"
"""The name of the module."""


def token_module() -> bytes:
    """`CONTEXTS`: the patterns of each context in which a line is read, those that count first in front.

    Each has a regular expression, the class of each of its groups, and the context that it opens.
    """
    contexts = {
        context: [
            {"regex": pattern.regex, "classes": list(pattern.classes), "opens": pattern.opens}
            for pattern in patterns(context)
        ]
        for context in soft_keywords()
    }
    return f"export const CONTEXTS = {json.dumps(contexts, separators=(',', ':'))};\n".encode()
