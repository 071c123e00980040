"""Pictures of a ruleset as `data:` URLs that do nothing but draw.

A browser reads an SVG file by three grammars, of XML, CSS and paths, and it forgives mistakes; a check of the
text would have to read all of them alike. So nothing of the text is handed on. It is parsed, elements,
attributes and values that are allowed are written anew, and what might mean more is refused
(docs/decisions/0074-pictures-written-anew.md).
"""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr
from zlib import crc32

LARGEST_PICTURE, MOST_OF_ALL = 200_000, 600_000
"""The limits of one picture and of all pictures of a ruleset, in bytes."""
LARGEST_ART, MOST_ART = 500_000, 8_000_000
"""The same for pictures on the faces of cards."""
MOST_DRAWN = 5_000
"""Elements of an SVG file that are drawn, each as often as others refer to it."""
CHARACTERS, DASHES = 25, 10
"""So many characters of an attribute or text, or dashes of a line, count as one more element."""
MOST_LAYERS = 500
"""Layers that are drawn by themselves and laid on what is there, each as often as it is drawn."""
TILES = 10
"""As many layers as a pattern counts for: its tile may be far larger than the picture."""
LAYERED = 8
"""How many layers lie in each other."""
MOST_PIXELS = 4_000_000
DEEPEST = 100
"""How deep elements lie in each other, or use each other."""
PNG = b"\x89PNG\r\n\x1a\n"
JPEG = b"\xff\xd8\xff"
HEADER = re.compile(rb"\x89PNG\r\n\x1a\n\0\0\0\rIHDR(.{4})(.{4})(.)(.)", re.DOTALL)
DEPTHS: dict[int, tuple[int, ...]] = {
    0: (1, 2, 4, 8, 16),
    2: (8, 16),
    3: (1, 2, 4, 8),
    4: (8, 16),
    6: (8, 16),
}
"""The bits of a value for each kind of colours of a PNG file; those of kind 3 are from a palette."""
NAMESPACE = "http://www.w3.org/2000/svg"
SVG = f"{{{NAMESPACE}}}"
XML, XLINK = "http://www.w3.org/XML/1998/namespace", "http://www.w3.org/1999/xlink"
DRAWING = frozenset(
    re.findall(
        r"\w+",
        "svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan "
        "linearGradient radialGradient stop clipPath mask pattern marker",
    )
)
TEXTS = frozenset(("title", "desc", "text", "tspan"))
"""The elements whose characters mean something."""
SHAPES = frozenset(("path", "rect", "circle", "ellipse", "line", "polyline", "polygon"))
LAYERS = {"clipPath": 1, "mask": 1, "marker": 1, "pattern": TILES}
"""The elements that are drawn by themselves wherever others refer to them."""

# ---- values: no `\`, no `:`, no `/`, no string and no function but those that are written out here

PLAIN = re.compile(r"[\w\s.,+%-]*", re.ASCII)
"""Words and numbers with their units: there is neither a function nor an address in it."""
NAME = re.compile(r"[\w.:-]+", re.ASCII)
OWN = r"url\(\s*['\"]?#([\w.:-]+)['\"]?\s*\)"
COLOUR = r"(?:#[0-9a-fA-F]+|[\w-]+|(?:rgb|hsl)a?\([\d\s.,%+-]*\))"
PAINT = re.compile(rf"\s*+(?:{OWN}\s*+)?{COLOUR}?\s*", re.ASCII)
REFERENCE = re.compile(rf"\s*(?:{OWN}|none)\s*", re.ASCII)
TARGET = re.compile(r"\s*#([\w.:-]+)\s*", re.ASCII)
FONTS = re.compile(r"[\w\s.,'\"-]*", re.ASCII)
MOVED = re.compile(
    r"(?:[\s,]*+(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([\d\s.,eE+-]*\))*[\s,]*", re.ASCII
)
ATTRIBUTES: dict[str, re.Pattern[str]] = {
    name: pattern
    for pattern, names in (
        (
            PLAIN,
            "x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy width height rotate points d viewBox "
            "preserveAspectRatio offset refX refY orient markerWidth markerHeight markerUnits gradientUnits "
            "spreadMethod patternUnits patternContentUnits clipPathUnits maskUnits maskContentUnits "
            "textLength lengthAdjust lang xml:space opacity fill-opacity fill-rule clip-rule stroke-width "
            "stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset "
            "stroke-opacity stop-opacity display visibility overflow vector-effect paint-order text-anchor "
            "dominant-baseline alignment-baseline baseline-shift font-size font-style font-weight "
            "font-variant font-stretch letter-spacing word-spacing text-decoration writing-mode "
            "shape-rendering text-rendering color-rendering color-interpolation mask-type",
        ),
        (PAINT, "fill stroke color stop-color"),
        (REFERENCE, "clip-path mask marker-start marker-mid marker-end"),
        (TARGET, "href"),
        (FONTS, "font-family"),
        (MOVED, "transform gradientTransform patternTransform"),
        (NAME, "id"),
    )
    for name in names.split()
}
"""What an attribute may say."""
SILENT = re.compile(r"version|baseProfile|enable-background|class|role|data-[\w.-]+|aria-[\w.-]+", re.ASCII)
"""Attributes that draw nothing. They are left out, and so are those of drawing programs' own namespaces."""
MARKERS = frozenset(("marker-start", "marker-mid", "marker-end"))
LINES = ("d", "points", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "width", "height")
"""What says how long the line of an element is."""
NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
UNIT = re.compile(r"[a-zA-Z%]")
SMOOTH = re.compile(r"[sStT]")
"""Curves whose bends lie where the one before puts them."""


class NoPicture(ValueError):
    """A file cannot be shown; the text says why."""


UNREADABLE = "it is neither PNG nor JPEG nor SVG"


def data_url(data: bytes) -> str:
    """A picture as a `data:` URL. Raises `NoPicture`."""
    if data.startswith(PNG):
        _check_png(data)
        return f"data:image/png;base64,{b64encode(data).decode()}"
    if data.startswith(JPEG):
        return f"data:image/jpeg;base64,{b64encode(_photograph(data)).decode()}"
    root = _parsed(data)
    _check_drawn(root)
    text = "".join(_written(root, f' xmlns="{NAMESPACE}"'))
    return f"data:image/svg+xml;base64,{b64encode(text.encode('ascii', 'xmlcharrefreplace')).decode()}"


# ---- PNG


def _check_png(data: bytes) -> None:
    """Raises `NoPicture` for a small file that would be a huge picture in memory, moves, or is damaged.

    What is packed in it is not unpacked: programs that draw it allow for that.
    """
    header = HEADER.match(data)
    if header is None:
        raise NoPicture(UNREADABLE)
    width, height, depth, kind = (int.from_bytes(part, "big") for part in header.groups())
    _check_pixels(width * height)
    at, found = len(PNG), set[bytes]()
    while at + 12 <= len(data) and b"IEND" not in found:
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        name = data[at + 4 : at + 8]
        if name == b"acTL":
            raise NoPicture("it moves")
        if name.isupper() and int.from_bytes(data[end - 4 : end], "big") != crc32(data[at + 4 : end - 4]):
            break
        found.add(name)
        at = end
    needed = {b"IDAT", b"IEND"} | ({b"PLTE"} if kind == 3 else set[bytes]())
    if depth not in DEPTHS.get(kind, ()) or not needed <= found:
        raise NoPicture("its PNG data is damaged or cut off")


def _check_pixels(count: int) -> None:
    if count == 0:
        raise NoPicture("it has no pixels")
    if count > MOST_PIXELS:
        raise NoPicture(f"it has more than {MOST_PIXELS:,} pixels")


# ---- JPEG

FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""The segments that say how large a picture is, and of how many colours."""
SCAN, ADOBE = 0xDA, 0xEE
NOTED = frozenset({*range(0xE1, 0xF0), 0xFE} - {ADOBE})
"""The segments of what cameras and programs note for themselves: places, times, small pictures."""


def _photograph(data: bytes) -> bytes:
    """A JPEG file without what cameras note in it. Raises `NoPicture`."""
    kept, at, sized = [data[:2]], 2, False
    while at + 4 <= len(data) and data[at] == 0xFF:
        kind, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if length < 2:
            break
        part = data[at : at + 2 + length]
        if kind in FRAMES:
            if len(part) < 10:
                break
            _check_frame(part)
            sized = True
        if kind == SCAN:
            if not sized:
                break
            return b"".join((*kept, data[at:]))
        kept += [part] if kind not in NOTED else []
        at += 2 + length
    raise NoPicture("its JPEG data cannot be read")


def _check_frame(part: bytes) -> None:
    height, width = int.from_bytes(part[5:7], "big"), int.from_bytes(part[7:9], "big")
    _check_pixels(width * height)
    if part[9] not in (1, 3):
        raise NoPicture("its colours are those of print: save it as RGB")


# ---- SVG: what is allowed


@dataclass(eq=False)
class _Part:
    """An element: its attributes with allowed values, and the elements and texts in it."""

    name: str
    attributes: dict[str, str]
    inner: list[_Part | str] = field(default_factory=list)

    @property
    def parts(self) -> list[_Part]:
        return [part for part in self.inner if isinstance(part, _Part)]


def _parsed(data: bytes) -> _Part:
    """The root of an SVG file of which nothing but drawing is left. Raises `NoPicture`."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NoPicture(UNREADABLE) from None
    reader = _Picture()
    parser = expat.ParserCreate("utf-8", " ")
    parser.buffer_text = True
    parser.XmlDeclHandler = reader.declaration
    parser.StartDoctypeDeclHandler = reader.doctype
    parser.ProcessingInstructionHandler = reader.instruction
    parser.StartCdataSectionHandler = reader.doctype
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    try:
        parser.Parse(text.encode(), True)
    except (expat.ExpatError, ValueError) as error:
        raise error if isinstance(error, NoPicture) else NoPicture(UNREADABLE) from None
    if reader.root is None:
        raise NoPicture(UNREADABLE)
    return reader.root


class _Picture:
    """Builds the parts from the events of the parser. Raises `NoPicture` at the first that is not allowed."""

    def __init__(self) -> None:
        self.root: _Part | None = None
        self.open: list[_Part] = []
        self.named: set[str] = set()
        self.count = 0

    def declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and encoding.lower() != "utf-8":
            raise NoPicture(f"it says that it is encoded as {_short(encoding)}, not UTF-8")

    def doctype(self, *of: object) -> None:
        raise NoPicture("it declares a document type, entities or raw text")

    def instruction(self, target: str, data: str) -> None:
        raise NoPicture("it has a processing instruction")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        if self.root is None and (namespace, local) != (NAMESPACE, "svg"):
            raise NoPicture(UNREADABLE)
        if namespace != NAMESPACE or local not in DRAWING:
            raise NoPicture(f"it has an element `{_short(local)}`")
        self.count += 1
        if self.count > MOST_DRAWN:
            raise NoPicture(f"it draws more than {MOST_DRAWN:,} elements")
        if len(self.open) >= DEEPEST:
            raise NoPicture("its parts lie too deep in each other")
        part = _Part(local, self.allowed(attributes))
        if "stroke-dasharray" in part.attributes and (local not in SHAPES or _measured(part)):
            raise NoPicture(f"it has an attribute `stroke-dasharray` at `{local}`, or with units")
        if self.open:
            self.open[-1].inner.append(part)
        self.root = self.root or part
        self.open.append(part)

    def end(self, name: str) -> None:
        self.open.pop()

    def text(self, text: str) -> None:
        if self.open[-1].name in TEXTS:
            self.open[-1].inner.append(text)

    def allowed(self, attributes: dict[str, str]) -> dict[str, str]:
        """The attributes that draw something. Of elements with the same name only the first keeps it."""
        found: dict[str, str] = {}
        for key, value in attributes.items():
            name = _attribute(key)
            if name is not None and (name == key or name not in attributes):
                _check_value(name, value)
                found[name] = value
        if found.get("id") in self.named:
            del found["id"]
        self.named |= {found["id"]} if "id" in found else set()
        return found


def _attribute(key: str) -> str | None:
    """The name under which an attribute is written; none if it is left out. Raises `NoPicture`."""
    namespace, _, name = key.rpartition(" ")
    if namespace == XLINK:
        return "href" if name == "href" else None
    if namespace == XML and name in ("space", "lang"):
        return "xml:space" if name == "space" else "lang"
    if namespace and namespace not in (XML, NAMESPACE):
        return None
    if not namespace and SILENT.fullmatch(name):
        return None
    if namespace or name not in ATTRIBUTES:
        raise NoPicture(f"it has an attribute `{_short(name)}`")
    return name


def _check_value(name: str, value: str) -> None:
    pattern = ATTRIBUTES[name]
    if pattern.fullmatch(value):
        return
    if pattern is TARGET or "(" in value:
        raise NoPicture("it refers to something outside of itself")
    raise NoPicture(f"it has an attribute `{name}` that says `{_short(value)}`")


def _short(name: str) -> str:
    return name if len(name) <= 30 else f"{name[:29]}…"


# ---- SVG: what it costs


def _check_drawn(root: _Part) -> None:
    """Raises `NoPicture` if nothing is to be seen, or if parts used by parts make too much to draw."""
    for side in ("width", "height"):
        said = NUMBER.match(root.attributes.get(side, "").strip())
        if said is not None and float(said[0]) < 1:
            raise NoPicture(f"its {side} is less than a pixel")
    named: dict[str, _Part] = {}
    waiting = [root]
    while waiting:
        part = waiting.pop()
        waiting += part.parts
        if "id" in part.attributes:
            named[part.attributes["id"]] = part
    whole = _Costs(named).of(root)
    if whole.drawn > MOST_DRAWN:
        raise NoPicture(f"it draws more than {MOST_DRAWN:,} elements")
    if whole.layers > MOST_LAYERS:
        raise NoPicture(
            f"it draws more than {MOST_LAYERS} layers: masks, clips, patterns, parts with opacity"
        )
    if whole.deep > LAYERED:
        raise NoPicture("its layers lie too deep in each other: masks, clips, patterns, parts with opacity")


@dataclass(frozen=True, slots=True)
class _Cost:
    """What is drawn for a part: elements, layers, and how deep these lie in each other."""

    drawn: int
    layers: int
    deep: int


class _Costs:
    """The costs of parts, each found once. Raises `NoPicture` for parts that use themselves."""

    def __init__(self, named: dict[str, _Part]) -> None:
        self.named = named
        self.known: dict[_Part, _Cost] = {}
        self.open: set[_Part] = set()

    def of(self, part: _Part) -> _Cost:
        if part in self.open:
            raise NoPicture("a part of it uses itself")
        if len(self.open) >= DEEPEST:
            raise NoPicture("its parts lie too deep in each other")
        if part not in self.known:
            self.open.add(part)
            self.known[part] = self.found(part)
            self.open.discard(part)
        return self.known[part]

    def found(self, part: _Part) -> _Cost:
        own = _layers(part)
        said = sum(map(len, part.attributes.values())) + sum(len(i) for i in part.inner if isinstance(i, str))
        drawn, layers, deep = 1 + said // CHARACTERS + _dashes(part) // DASHES, own, 0
        uses = [(self.of(inner), 1) for inner in part.parts]
        for name, value in part.attributes.items():
            used = self.named.get(_target(name, value))
            if used is not None:
                uses.append((self.of(used), 1 + len(_numbers(part)) if name in MARKERS else 1))
        for cost, times in uses:
            drawn += cost.drawn * times
            layers += cost.layers * times
            deep = max(deep, cost.deep)
        return _Cost(min(drawn, MOST_DRAWN + 1), min(layers, MOST_LAYERS + 1), min(own, 1) + deep)


def _target(name: str, value: str) -> str:
    """The part that an attribute refers to; empty if it refers to none."""
    pattern = ATTRIBUTES[name]
    found = pattern.fullmatch(value) if pattern in (PAINT, REFERENCE, TARGET) else None
    return (found[1] or "") if found is not None else ""


def _layers(part: _Part) -> int:
    """How many layers an element itself is: for its opacity, and to apply what it refers to."""
    named = sum(name in part.attributes for name in ("opacity", "clip-path", "mask"))
    return named + LAYERS.get(part.name, 0)


def _numbers(part: _Part) -> list[float]:
    """What an element says of its line, without signs."""
    return [abs(float(n)) for name in LINES for n in NUMBER.findall(part.attributes.get(name, ""))]


def _measured(part: _Part) -> bool:
    """Whether dashes, or the line that they are on, are given in units whose size is not known."""
    said = (part.attributes.get(name, "") for name in ("stroke-dasharray", *LINES) if name != "d")
    return any(UNIT.search(NUMBER.sub("", value)) for value in said)


def _dashes(part: _Part) -> int:
    """At most so many dashes are on the line of an element."""
    period = sum(float(n) for n in NUMBER.findall(part.attributes.get("stroke-dasharray", "")))
    if not period:
        return 0
    numbers = _numbers(part)
    bends = len(numbers) if SMOOTH.search(part.attributes.get("d", "")) else 1
    return int(min(8 * bends * sum(numbers) / period, MOST_DRAWN * DASHES + 1))


# ---- SVG: written anew


def _written(part: _Part, more: str = "") -> list[str]:
    """A part as XML: no prefixes, no entities but those of XML."""
    said = "".join(f" {name}={quoteattr(value)}" for name, value in part.attributes.items())
    found = [f"<{part.name}{more}{said}>"]
    for inner in part.inner:
        found += _written(inner) if isinstance(inner, _Part) else [escape(inner)]
    found.append(f"</{part.name}>")
    return found
