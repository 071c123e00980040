"""Links to seats as QR codes, for the camera of a telephone: pictures, made by the package `segno`."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO

PACKAGE = "segno"
MISSING = f"QR codes of links to seats need the package `{PACKAGE}`: `pip install 'rulewright[serve]'`"


def available() -> bool:
    """Whether codes can be made here."""
    return find_spec(PACKAGE) is not None


@lru_cache(maxsize=256)
def code_of(link: str) -> str:
    """A link as an SVG, black on white, also on a dark page. Raises `ImportError` without the package."""
    picture = BytesIO()
    code = import_module(PACKAGE).make(link, micro=False)
    code.save(picture, kind="svg", xmldecl=False, nl=False, omitsize=True, dark="#000", light="#fff")
    return picture.getvalue().decode()
