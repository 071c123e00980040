"""Rules on pages, with a colour for each class of tokens."""

from __future__ import annotations

from html import escape

from dsl.workspace.token_patterns import classified

PLAIN = ("name", "punctuation")
"""The classes that have the colour of the text."""


def coloured(line: str, start: int = 0, end: int | None = None, linked: bool = False) -> str:
    """A part of a line of rules as HTML. Tokens are those of the whole line.

    `linked`: whether clause marks lead to the place that is called like them.
    """
    stop = len(line) if end is None else end
    parts, at = [], start
    for first, last, kind in classified(line):
        first, last = max(first, start), min(last, stop)
        if first >= last or kind in PLAIN:
            continue
        text = escape(line[first:last])
        tag = f'a href="#{text}"' if linked and kind == "clause" else "span"
        parts += [escape(line[at:first]), f'<{tag} class="t-{kind}">{text}</{tag.split()[0]}>']
        at = last
    return "".join(parts) + escape(line[at:stop])
