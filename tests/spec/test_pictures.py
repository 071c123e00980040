"""Pictures of strangers: small files that would be much to draw, or huge in memory."""

from __future__ import annotations

import struct

import pytest

from dsl.pictures import NoPicture, data_url

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


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\x08\x06\0\0\0"


def test_a_png_file_has_so_many_pixels() -> None:
    assert data_url(png(2000, 2000)).startswith("data:image/png;base64,")
    for wrong in (png(30_000, 30_000), png(0, 5), b"\x89PNG\r\n\x1a\nsomething else"):
        with pytest.raises(NoPicture):
            data_url(wrong)
