"""Pictures of a ruleset as `data:` URLs, after a check that they do nothing but draw."""

from __future__ import annotations

import re
from base64 import b64encode
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree import ElementTree

LARGEST_PICTURE, MOST_OF_ALL = 200_000, 600_000
"""The limits of one picture and of all pictures of a ruleset, in bytes."""
MOST_ELEMENTS = 5_000
MOST_DRAWN = 20_000
"""Elements of an SVG file that are drawn, each as often as others refer to it."""
MOST_PIXELS = 4_000_000
DEEPEST = 100
"""How deep elements lie in each other, or use each other."""
PNG = b"\x89PNG\r\n\x1a\n"
SVG = "{http://www.w3.org/2000/svg}"
DRAWING = frozenset(
    re.findall(
        r"\w+",
        "svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan "
        "linearGradient radialGradient stop clipPath mask pattern marker",
    )
)
DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
HEADER = re.compile(rb"\x89PNG\r\n\x1a\n\0\0\0\rIHDR(.{4})(.{4})", re.DOTALL)
REFERENCE = re.compile(r"#([\w.:-]+)")
OWN = re.compile(r"#[\w.:-]+")
URL = re.compile(r"url\(", re.IGNORECASE)
OWN_URL = re.compile(r"\s*url\(\s*['\"]?#[\w.:-]+['\"]?\s*\)[\s\w#]*", re.IGNORECASE)


class NoPicture(ValueError):
    """A file cannot be shown; the text says why."""


def data_url(data: bytes) -> str:
    """A picture as a `data:` URL. Raises `NoPicture`."""
    if data.startswith(PNG):
        _check_png(data)
        return f"data:image/png;base64,{b64encode(data).decode()}"
    _check_svg(data)
    return f"data:image/svg+xml;base64,{b64encode(data).decode()}"


def _check_png(data: bytes) -> None:
    """Raises `NoPicture` for a small file that would be a huge picture in memory."""
    header = HEADER.match(data)
    if header is None:
        raise NoPicture("it is neither PNG nor SVG")
    width, height = (int.from_bytes(side, "big") for side in header.groups())
    if not 0 < width * height <= MOST_PIXELS:
        raise NoPicture(f"it has more than {MOST_PIXELS:,} pixels")


def _check_svg(data: bytes) -> None:
    """Raises `NoPicture` unless the bytes are an SVG file that only draws."""
    from xml.etree import ElementTree

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NoPicture("it is neither PNG nor SVG") from None
    if "<!" in re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL):
        raise NoPicture("it declares a document type, entities or raw text")
    if "<?" in DECLARATION.sub("", text, count=1):
        raise NoPicture("it has a processing instruction")
    try:
        root = ElementTree.fromstring(text)  # without a document type there are no entities to expand
    except (ElementTree.ParseError, ValueError):
        raise NoPicture("it is neither PNG nor SVG") from None
    if root.tag != f"{SVG}svg":
        raise NoPicture("it is neither PNG nor SVG")
    for number, element in enumerate(root.iter()):
        if number >= MOST_ELEMENTS:
            raise NoPicture(f"it has more than {MOST_ELEMENTS} elements")
        _check_element(element)
    _check_drawn(root)


def _check_drawn(root: ElementTree.Element) -> None:
    """Raises `NoPicture` if parts that are used by parts that are used make too much to draw."""
    named = {element.get("id", ""): element for element in root.iter()}
    if _drawn(root, named, {}, set()) > MOST_DRAWN:
        raise NoPicture(f"it draws more than {MOST_DRAWN:,} elements")


def _drawn(
    element: ElementTree.Element,
    named: dict[str, ElementTree.Element],
    known: dict[ElementTree.Element, int],
    open_: set[ElementTree.Element],
) -> int:
    """How many elements are drawn for one. Raises `NoPicture`."""
    if element in open_:
        raise NoPicture("a part of it uses itself")
    if len(open_) >= DEEPEST:
        raise NoPicture("its parts lie too deep in each other")
    if element not in known:
        open_.add(element)
        used = (named[id] for value in element.attrib.values() for id in _references(value) if id in named)
        inner = sum(_drawn(part, named, known, open_) for part in (*element, *used))
        known[element] = min(1 + inner, MOST_DRAWN + 1)
        open_.discard(element)
    return known[element]


def _references(value: str) -> list[str]:
    """The parts that an attribute refers to; `#` also begins a colour, which is the name of no part."""
    return REFERENCE.findall(value) if OWN.fullmatch(value.strip()) or URL.search(value) else []


def _check_element(element: ElementTree.Element) -> None:
    namespace, _, name = element.tag.rpartition("}")
    if f"{namespace}}}" != SVG or name not in DRAWING:
        raise NoPicture(f"it has an element `{_short(name)}`")
    for key, value in element.attrib.items():
        plain = key.rpartition("}")[2]
        if plain.lower().startswith("on") or plain == "style":
            raise NoPicture(f"it has an attribute `{_short(plain)}`")
        if plain == "href" and not OWN.fullmatch(value.strip()):
            raise NoPicture("it refers to something outside of itself")
        if URL.search(value) and not OWN_URL.fullmatch(value):
            raise NoPicture("it refers to something outside of itself")
        if plain == "base" or "javascript:" in value.lower():
            raise NoPicture(f"it has an attribute `{_short(plain)}`")


def _short(name: str) -> str:
    return name if len(name) <= 30 else f"{name[:29]}…"
