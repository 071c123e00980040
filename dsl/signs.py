"""Signs for what games are about, as outlines that a look names: `sign grain`.

An outline fills a square of 256 units and is drawn in the colour of the text beside it. Most are from
Phosphor Icons, under the MIT licence; those in `OWN` are ours. Characters that are named by themselves are
from Noto Sans CJK, under the SIL Open Font License: not every device has a font that draws them.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from dsl.pictures import NAMESPACE, data_url

OWN = frozenset(
    (
        "badger",
        "bee",
        "brick",
        "chariot",
        "fox",
        "hen",
        "owl",
        "reed",
        "ring",
        "sheaf",
        "ship",
        "stone",
        "times",
    )
)
WORD = "sign "
"""What stands before the name of a sign, in place of a text or the name of a file."""


@cache
def outlines() -> dict[str, str]:
    """The path of each sign by its name."""
    paths: dict[str, str] = json.loads(Path(__file__).with_name("signs.json").read_text(encoding="utf-8"))
    return paths


@cache
def sign_url(name: str, colour: str = "") -> str:
    """A sign as a `data:` URL, in a colour if one is given. Raises `KeyError`."""
    fill = f' fill="{colour}"' if colour else ""
    path = f'<path d="{outlines()[name]}"{fill}/>'
    return data_url(f'<svg xmlns="{NAMESPACE}" viewBox="0 0 256 256">{path}</svg>'.encode())


def in_colour(url: str, colour: str) -> str:
    """A sign in a colour, by its URL; any other picture as it is."""
    name = _names().get(url)
    return url if name is None else sign_url(name, colour)


@cache
def _names() -> dict[str, str]:
    return {sign_url(name): name for name in outlines()}
