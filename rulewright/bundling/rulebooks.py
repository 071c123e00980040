"""A rulebook as it is carried in a file: shorter than it is read, and the same when it is read."""

from __future__ import annotations

import re

DRAWING = re.compile(r'<div class="drawing[^"]*"><svg.*?</svg>\s*</div>', re.S)
MARKS = re.compile(r'<small class="marks">((?:<a href="#clause-[^"]+">§[^<⟧ ]+</a> ?)+)</small>')
MARK = re.compile(r'<a href="#clause-[^"]+">§([^<]+)</a>')
NO_LETTER = re.compile(r"[\W_]+")
ENDS = re.compile(
    r"</t[dh]>(?=\s*(?:<t[dh][ >]|</tr>))|</tr>(?=\s*(?:<tr[ >]|</tbody>|</thead>))"
    r"|</thead>(?=\s*<tbody)|</tbody>(?=\s*</table>)|</li>(?=\s*(?:<li[ >]|</[uo]l>))"
    r"|</p>(?=\s*(?:<(?:p|ul|ol|div|section|h\d)[ >]|</(?:section|div|li)>))"
)
"""Ends of elements that HTML allows to be left out."""
ROW = re.compile(r'<tr id="clause-[^"\n]+"><td>(?:<a id="clause-[^"\n]+"></a>)*(§[^\n]*?)<td>')
SHORT_ROW = re.compile(r"<tr><td>(§[^\n]*?)<td>")
"""A row of the index of clauses, as it is read and as it is carried."""
MARK_IN_ROW = re.compile(r"(?:^|; )§([^ :;<]+)")


def content(rulebook: str) -> str:
    """What is inside the main part of a rulebook's page, without the blanks between its lines.

    Pictures are left out: the table shows the boards, and the text tells the course of the game. The marks
    of clauses are written `⟦4.3 R1⟧`, of which `web/shell/local_rules.js` makes links again.
    """
    main = re.search(r"<main>(.*)</main>", rulebook, re.S)
    text = DRAWING.sub("", main[1] if main is not None else rulebook)
    if "⟦" not in text:
        text = MARKS.sub(_short, text)
    text = ENDS.sub("", re.sub(r"\s*\n\s*", "\n", text)).strip()
    short = without_index(text)
    return short if with_index(short) == text else text


def without_index(text: str) -> str:
    """A rulebook without ids in its index of clauses."""
    return ROW.sub(lambda m: short if with_index(short := f"<tr><td>{m[1]}<td>") == m[0] else m[0], text)


def with_index(short: str) -> str:
    """The same rulebook with these. `web/shell/local_rules.js` does it as well."""
    return SHORT_ROW.sub(_row, short)


def _row(m: re.Match[str]) -> str:
    first, *more = (f'id="clause-{NO_LETTER.sub("-", mark)}"' for mark in MARK_IN_ROW.findall(m[1]))
    return f"<tr {first}><td>{''.join(f'<a {id}></a>' for id in more)}{m[1]}<td>"


def _short(m: re.Match[str]) -> str:
    marks = MARK.findall(m[1])
    return f"⟦{' '.join(marks)}⟧" if long(marks) == m[0] else m[0]


def long(marks: list[str]) -> str:
    """The marks of clauses as links to them."""
    links = [f'<a href="#clause-{NO_LETTER.sub("-", mark)}">§{mark}</a>' for mark in marks]
    return f'<small class="marks">{" ".join(links)}</small>'
