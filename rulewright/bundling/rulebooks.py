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
TOLD = re.compile(
    r'<section id="([^"]+)"><h\d>([^<⟦]*)|<tr id="([^"]+)"><td>([^<⟦]*)|(<tr|</table>)|(</section>)|⟦([^⟧]+)⟧'
)
"""Sections and rows with ids, where they end, and marks of clauses."""
ROW = re.compile(r'<tr id="clause-[^"]+"><td>§([^<]+)<td>([^<\n]*)<td>(.*)')
SHORT_ROW = re.compile(r"<tr><td>§([^<]+)<td>([^<\n]*)$", re.M)
"""A row of the index of clauses, as it is read and as it is carried."""
HEADING = re.compile(r"§([^<]+)<td>([^<]+?)(?: \([a-z]+\))?(?:\. |<)")
"""The heading of a clause, in the index of all of them."""


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
    """A rulebook without ids in its index of clauses, and without what that says of where each is told."""
    told = told_in(text)

    def row(m: re.Match[str]) -> str:
        mark, says, places = m.groups()
        return f"<tr><td>§{mark}<td>{says}" if places == told.get(mark, "–") else m[0]

    return ROW.sub(row, text)


def with_index(short: str) -> str:
    """The same rulebook with these. `web/shell/local_rules.js` does it as well."""
    told = told_in(short)

    def row(m: re.Match[str]) -> str:
        mark, says = m.groups()
        id = NO_LETTER.sub("-", mark)
        return f'<tr id="clause-{id}"><td>§{mark}<td>{says}<td>{told.get(mark, "–")}'

    return SHORT_ROW.sub(row, short)


def told_in(text: str) -> dict[str, str]:
    """Links to the sections and rows that cite each clause, in order."""
    found: dict[str, dict[str, None]] = {}
    sections, row = [""], ""
    for section, title, id, name, row_end, section_end, marks in TOLD.findall(text):
        if section:
            sections.append(f'<a href="#{section}">{title.strip()}</a>')
        elif id:
            row = f'<a href="#{id}">{name.strip()}</a>'
        elif row_end:
            row = ""
        elif section_end:
            sections.pop()
        for mark in marks.split():
            found.setdefault(mark, {})[row or sections[-1]] = None
    return {mark: ", ".join(places) for mark, places in found.items()}


def headings(text: str) -> dict[str, str]:
    """The headings of the clauses that a rulebook, as it is carried, has in its index."""
    return {f"§{mark}": heading for mark, heading in HEADING.findall(text)}


def _short(m: re.Match[str]) -> str:
    marks = MARK.findall(m[1])
    return f"⟦{' '.join(marks)}⟧" if long(marks) == m[0] else m[0]


def long(marks: list[str]) -> str:
    """The marks of clauses as links to them."""
    links = [f'<a href="#clause-{NO_LETTER.sub("-", mark)}">§{mark}</a>' for mark in marks]
    return f'<small class="marks">{" ".join(links)}</small>'
