"""Pictures of strangers: small files that would be much to draw, or huge in memory."""

from __future__ import annotations

import struct
from base64 import b64decode
from xml.sax.saxutils import quoteattr
from zlib import crc32

import pytest

from dsl.pictures import NoPicture, data_url
from tests.fuzz.hostile_pictures import DRAWING, ELEMENTS, HEADS, VALUES

HEAD = '<svg xmlns="http://www.w3.org/2000/svg">'


def nested(part: str, use: str) -> str:
    """Parts that each use the one before ten times."""
    parts = [f'<{part} id="a0"><rect width="1"/></{part}>']
    parts += [f'<{part} id="a{i}">{use.format(i - 1) * 10}</{part}>' for i in range(1, 12)]
    return f"{HEAD}<defs>{''.join(parts)}</defs>{use.format(11)}</svg>"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (nested("g", '<use href="#a{}"/>'), "draws more than"),
        (nested("pattern", '<rect fill="url(#a{})"/>'), "draws more than"),
        (nested("mask", "<rect mask=\"url('#a{}')\"/>"), "draws more than"),
        (f'{HEAD}<g id="a"><use href="#a"/></g></svg>', "uses itself"),
        (HEAD + "<g>" * 3000 + "</g>" * 3000 + "</svg>", "too deep"),
    ],
)
def test_what_would_be_drawn_too_often_is_refused(text: str, why: str) -> None:
    with pytest.raises(NoPicture, match=why):
        data_url(text.encode())


def test_what_is_used_a_few_times_is_drawn() -> None:
    uses = '<use href="#a"/>' * 100
    shown = (
        f'{HEAD}<defs><g id="a"><path d="M0 0" fill="#fff"/></g></defs>{uses}<path fill="url(#fff)"/></svg>'
    )
    assert data_url(shown.encode()).startswith("data:image/svg+xml;base64,")


def chunk(name: bytes, data: bytes = b"") -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", crc32(name + data))


def png(width: int, height: int, depth: int = 8, kind: int = 6, *, first: bytes = b"") -> bytes:
    """A PNG file; `first` stands before the packed pixels."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + first + chunk(b"IDAT", b"packed") + chunk(b"IEND")


def test_a_png_file_has_so_many_pixels() -> None:
    assert data_url(png(2000, 2000)).startswith("data:image/png;base64,")
    for wrong in (png(30_000, 30_000), png(0, 5), b"\x89PNG\r\n\x1a\nsomething else"):
        with pytest.raises(NoPicture):
            data_url(wrong)


def test_a_damaged_png_file_is_refused() -> None:
    whole = png(9, 9)
    assert data_url(png(9, 9, kind=3, first=chunk(b"PLTE", bytes(3))))
    assert data_url(png(9, 9, first=chunk(b"tEXt")[:-4] + bytes(4)))  # not needed to draw it
    cut, changed = whole[:-20], whole.replace(b"packed", b"pecked")
    for wrong in (cut, changed, png(9, 9, depth=7), png(9, 9, kind=3), png(9, 9, depth=4)):
        with pytest.raises(NoPicture, match="damaged"):
            data_url(wrong)
    with pytest.raises(NoPicture, match="no pixels"):
        data_url(png(0, 5))


# ---- what is allowed, and how it is written


@pytest.mark.parametrize("inner", ELEMENTS)
def test_what_does_more_than_draw_is_refused(inner: str) -> None:
    with pytest.raises(NoPicture):
        data_url(f'{HEAD[:-1]} xmlns:xlink="http://www.w3.org/1999/xlink">{inner}</svg>'.encode())


@pytest.mark.parametrize(
    "name", ["fill", "stroke", "mask", "x", "d", "font-family", "transform", "href", "style"]
)
@pytest.mark.parametrize("value", [v for v in VALUES if "elsewhere" in v or "\\" in v])
def test_no_value_says_more(name: str, value: str) -> None:
    with pytest.raises(NoPicture):
        data_url(f"{HEAD}<g {name}={quoteattr(value)}/></svg>".encode())


@pytest.mark.parametrize("head", [head for head in HEADS if "<!D" in head or "stylesheet" in head])
def test_nothing_but_a_declaration_stands_before(head: str) -> None:
    with pytest.raises(NoPicture):
        data_url(f"{head}{HEAD}</svg>".encode())


@pytest.mark.parametrize("encoding", ["utf-16", "ISO-2022-JP", "utf-7", "latin-1"])
def test_another_encoding_is_refused(encoding: str) -> None:
    with pytest.raises(NoPicture, match="encoded as"):
        data_url(f'<?xml version="1.0" encoding="{encoding}"?>{HEAD}</svg>'.encode())


@pytest.mark.parametrize("inner", DRAWING)
def test_what_draws_is_accepted(inner: str) -> None:
    url = data_url(f"{HEAD}{DRAWING[3]}{inner}</svg>".encode())
    written = b64decode(url.partition(",")[2])
    assert written.isascii()
    assert data_url(written) == url


def test_prefixes_and_notes_of_programs_are_left_out() -> None:
    text = (
        '<?xml version="1.0" encoding="UTF-8"?><!-- by hand --><s:svg xmlns:s="http://www.w3.org/2000/svg" '
        'xmlns:i="http://inkscape.test" i:label="x" class="y"><s:text i:z="1">é &lt;</s:text></s:svg>'
    )
    written = b64decode(data_url(text.encode()).partition(",")[2])
    assert written == b'<svg xmlns="http://www.w3.org/2000/svg"><text>&#233; &lt;</text></svg>'


def test_dashes_and_layers_are_counted() -> None:
    dashed = '<path d="M0 0L1000 1000" stroke="red" stroke-dasharray="{}"/>'
    assert data_url(f"{HEAD}{dashed.format('4 2')}</svg>".encode())
    for text, why in (
        (dashed.format("0.001"), "draws more than"),
        ('<g opacity=".5">' * 9 + "</g>" * 9, "layers lie too deep"),
        ('<g opacity=".5"/>' * 501, "more than 500 layers"),
        ('<g stroke-dasharray="1"/>', "stroke-dasharray"),
    ):
        with pytest.raises(NoPicture, match=why):
            data_url(f"{HEAD}{text}</svg>".encode())


def test_a_picture_that_moves_is_refused() -> None:
    with pytest.raises(NoPicture, match="moves"):
        data_url(png(9, 9, first=chunk(b"acTL", bytes(8))))


# ---- photographs


def segment(kind: int, data: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, kind, len(data) + 2) + data


def frame(width: int = 9, height: int = 9, colours: int = 3, kind: int = 0xC0) -> bytes:
    return segment(kind, struct.pack(">BHHB", 8, height, width, colours) + bytes(3 * colours))


SCAN = segment(0xDA, bytes(6)) + b"packed\xff\xd9"


def jpeg(*segments: bytes) -> bytes:
    return b"\xff\xd8" + b"".join(segments)


def test_what_cameras_note_is_left_out() -> None:
    drawn = [segment(0xE0, b"JFIF\0"), segment(0xEE, b"Adobe"), segment(0xDB, bytes(65)), frame(), SCAN]
    noted = [segment(kind, b"where it was taken") for kind in (0xE1, 0xE2, 0xED, 0xEF, 0xFE)]
    written = data_url(jpeg(*drawn[:3], *noted, *drawn[3:]))
    assert written.startswith("data:image/jpeg;base64,")
    assert b64decode(written.partition(",")[2]) == jpeg(*drawn)
    assert data_url(jpeg(*drawn)) == written


def test_a_photograph_has_so_many_pixels() -> None:
    """Said by any of the frames of ITU-T T.81, table B.1; C4, C8 and CC are none."""
    for kind in (*range(0xC0, 0xC4), *range(0xC5, 0xC8), *range(0xC9, 0xCC), *range(0xCD, 0xD0)):
        assert data_url(jpeg(frame(2000, 2000, kind=kind), SCAN))
        with pytest.raises(NoPicture, match="more than 4,000,000 pixels"):
            data_url(jpeg(frame(2000, 2001, kind=kind), SCAN))
    with pytest.raises(NoPicture, match="no pixels"):
        data_url(jpeg(frame(0, 9), SCAN))
    for kind in (0xC4, 0xC8, 0xCC):
        with pytest.raises(NoPicture, match="cannot be read"):
            data_url(jpeg(frame(kind=kind), SCAN))


def test_a_photograph_is_grey_or_of_three_colours() -> None:
    assert data_url(jpeg(frame(colours=1), SCAN))
    with pytest.raises(NoPicture, match="those of print"):
        data_url(jpeg(frame(colours=4), SCAN))


@pytest.mark.parametrize(
    "segments",
    [
        [SCAN],
        [segment(0xC4, bytes(20)), SCAN],  # tables, though numbered among the frames
        [frame()],
        [frame(), b"\xff\xdb\0\x01", SCAN],
        [frame(), b"\xfe\xdb\0\x02", SCAN],
        [segment(0xC0, bytes(5)), frame(), SCAN],
        [frame(), SCAN[:3]],
    ],
)
def test_a_damaged_photograph_is_refused(segments: list[bytes]) -> None:
    with pytest.raises(NoPicture, match="JPEG data cannot be read"):
        data_url(jpeg(*segments))
