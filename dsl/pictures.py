"""Pictures of a ruleset as `data:` URLs, after a check that they do nothing but draw."""

from __future__ import annotations

import re
from base64 import b64encode
from xml.etree import ElementTree

LARGEST_PICTURE, MOST_OF_ALL = 200_000, 600_000
"""The limits of one picture and of all pictures of a ruleset, in bytes."""
MOST_ELEMENTS = 5_000
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
OWN = re.compile(r"#[\w.:-]+")
URL = re.compile(r"url\(", re.IGNORECASE)
OWN_URL = re.compile(r"\s*url\(\s*['\"]?#[\w.:-]+['\"]?\s*\)[\s\w#]*", re.IGNORECASE)


class NoPicture(ValueError):
    """A file cannot be shown; the text says why."""


def data_url(data: bytes) -> str:
    """A picture as a `data:` URL. Raises `NoPicture`."""
    if data.startswith(PNG):
        return f"data:image/png;base64,{b64encode(data).decode()}"
    _check_svg(data)
    return f"data:image/svg+xml;base64,{b64encode(data).decode()}"


def _check_svg(data: bytes) -> None:
    """Raises `NoPicture` unless the bytes are an SVG file that only draws."""
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
