"""A rulebook as it is carried in a file: shorter than it is read, and the same when it is read."""

from __future__ import annotations

import re

DRAWING = re.compile(r'<div class="drawing"><svg[^>]*aria-label="board [^>]*>.*?</svg></div>', re.S)
MARKS = re.compile(r'<small class="marks">((?:<a href="#clause-[^"]+">§[^<⟧ ]+</a> ?)+)</small>')
MARK = re.compile(r'<a href="#clause-[^"]+">§([^<]+)</a>')
NO_LETTER = re.compile(r"[\W_]+")
ENDS = re.compile(
    r"</t[dh]>(?=\s*(?:<t[dh][ >]|</tr>))|</tr>(?=\s*(?:<tr[ >]|</tbody>|</thead>))"
    r"|</thead>(?=\s*<tbody)|</tbody>(?=\s*</table>)|</li>(?=\s*(?:<li[ >]|</[uo]l>))"
    r"|</p>(?=\s*(?:<(?:p|ul|ol|div|section|h\d)[ >]|</(?:section|div|li)>))"
)
"""Ends of elements that HTML allows to be left out."""


def content(rulebook: str) -> str:
    """What is inside the main part of a rulebook's page, without the blanks between its lines.

    Pictures of boards are left out: the table shows the boards. The marks of clauses are written `⟦4.3 R1⟧`,
    of which `web/shell/local_rules.js` makes links again.
    """
    main = re.search(r"<main>(.*)</main>", rulebook, re.S)
    text = DRAWING.sub("", main[1] if main is not None else rulebook)
    if "⟦" not in text:
        text = MARKS.sub(_short, text)
    return ENDS.sub("", re.sub(r"\s*\n\s*", "\n", text)).strip()


def _short(m: re.Match[str]) -> str:
    marks = MARK.findall(m[1])
    return f"⟦{' '.join(marks)}⟧" if long(marks) == m[0] else m[0]


def long(marks: list[str]) -> str:
    """The marks of clauses as links to them."""
    links = [f'<a href="#clause-{NO_LETTER.sub("-", mark)}">§{mark}</a>' for mark in marks]
    return f'<small class="marks">{" ".join(links)}</small>'
