"""Men that people know by their outline: drawn by us, within 18 units around the middle of a place."""

from __future__ import annotations

from dsl import rules as r

Figure = tuple[str, str]
"""The outline of a man, and the lines within it, as paths of SVG."""
FIGURES: dict[str, Figure] = {
    "pawn": (
        "M0-13a5.5 5.5 0 0 1 3.4 9.8C6.5-1.5 8 1.5 8 4.5 8 6 7.2 7.4 6 8.4 8.8 9.6 10 12 10 15H-10"
        "C-10 12-8.8 9.6-6 8.4-7.2 7.4-8 6-8 4.5-8 1.5-6.5-1.5-3.4-3.2A5.5 5.5 0 0 1 0-13Z",
        "",
    ),
    "knight": (
        "M-4-15L-1.5-11.5C6-11.5 11.5-5 11.5 5V15H-8.5C-8.5 9-2 6.5-1 .5-3.5 3.5-7 2.5-8.5 5.5L-11.5 4.5"
        "-13.5 1.5-8.5-7.5-7.5-11.5-5-11Z",
        "M-5.6-5.6l.9-.4M2.5-8C6.5-4.5 8 2 8 11",
    ),
    "bishop": (
        "M0-15.5a2.4 2.4 0 0 1 1.5 4.3C6.5-8 8.5-4 8.5-.5 8.5 2.5 6.5 5 4.5 6.5L5.5 9.5C9 9.7 12 11 13 15"
        "H-13C-12 11-9 9.7-5.5 9.5L-4.5 6.5C-6.5 5-8.5 2.5-8.5-.5-8.5-4-6.5-8-1.5-11.2"
        "A2.4 2.4 0 0 1 0-15.5Z",
        "M0-7V.5M-3.5-3.5H3.5M-4.5 6.5H4.5",
    ),
    "rook": (
        "M-11-13H-6.5V-9.5H-2.5V-13H2.5V-9.5H6.5V-13H11V-6L7.5-3V6L10.5 10V15H-10.5V10L-7.5 6V-3L-11-6Z",
        "M-7.5-3H7.5M-7.5 6H7.5",
    ),
    "queen": (
        "M-13.2-7.4a2 2 0 1 1 1.6 0L-8.2 1-6.9-10.4a2 2 0 1 1 1.4 0L-2.2 0-.7-11.7a2 2 0 1 1 1.4 0"
        "L2.2 0 5.5-10.4a2 2 0 1 1 1.4 0L8.2 1 11.6-7.4a2 2 0 1 1 1.6 0L9.5 8C10.5 10 11 12 11 15H-11"
        "C-11 12-10.5 10-9.5 8Z",
        "M-9.5 8C-4 6.2 4 6.2 9.5 8M-10.6 11.5C-4 9.8 4 9.8 10.6 11.5",
    ),
    "king": (
        "M-1.2-16H1.2V-13.5H3.7V-11.1H1.2V-8.3C2.6-7.8 3.7-6.4 3.9-4.6 7.5-7 14-6.3 14-.5"
        " 14 3.3 11 5.6 10 8L10.5 15H-10.5L-10 8C-11 5.6-14 3.3-14-.5-14-6.3-7.5-7-3.9-4.6"
        "-3.7-6.4-2.6-7.8-1.2-8.3V-11.1H-3.7V-13.5H-1.2Z",
        "M0-5V6M-10 8C-4 6 4 6 10 8M-10.3 11.5C-4 9.6 4 9.6 10.3 11.5",
    ),
}
FEWEST = 2


def figures_of(component: r.Component) -> dict[str, Figure]:
    """The figure of each class, if each has one by a word of its name: `A_king` is a king."""
    named = {name: [word for word in name.split("_") if word in FIGURES] for name in component.classes}
    if component.die is not None or not all(len(words) == 1 for words in named.values()):
        return {}
    kinds = {words[0] for words in named.values()}
    return {name: FIGURES[words[0]] for name, words in named.items()} if len(kinds) >= FEWEST else {}
