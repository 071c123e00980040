"""Fuzzer of pictures: an SVG file that is accepted only draws in a browser, and asks for nothing."""

from __future__ import annotations

import atexit
import re
from base64 import b64decode
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from dsl.pictures import LARGEST_PICTURE, NoPicture, data_url
from tests.browser.chromium import QUIET, chromium
from tests.fuzz.edits import strange, word
from tests.fuzz.hostile_pictures import (
    ATTRIBUTES,
    DRAWING,
    ELEMENTS,
    HEADS,
    HEAVY,
    USES,
    VALUES,
    WIDE,
    nested,
)
from tests.fuzz.inputs import Input, Wrong

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType, Page, Route

NAME = "pictures"
LONGEST = 20.0
"""Seconds within which a picture is drawn: those that are most to draw take five on a quiet computer."""
OPENING = ("", "", "", 'viewBox="0 0 100 100"', 'width="1e6" height="1e6"', 'viewBox="0 0 1e-9 1e-9"')
SPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
HOST = "http://pictures.test"
SHOWN = """<body onload="shown()"><img src="/picture.svg" width="800" height="800"><script>
    const shown = () => document.title = document.images[0].naturalWidth > 0 ? "drawn" : "broken";
</script>"""


# ---- made


def make(pick: Random) -> Input:
    """A picture of parts that draw, with one now and then that does more, and some edits of its text."""
    parts = [pick.choice(DRAWING) for _ in range(pick.randint(1, 6))]
    hostile = pick.random() < 0.5
    match pick.randrange(5) if hostile else None:
        case 0:
            parts.insert(pick.randrange(len(parts) + 1), pick.choice(ELEMENTS))
        case 1:
            used, use = pick.choice(USES)
            parts.append(nested(used, use, pick.choice((2, 3, 10)), pick.choice((2, 4, 8, 12))))
        case 2:
            parts += [DRAWING[3], DRAWING[4], DRAWING[7], DRAWING[6], WIDE]
            parts.append(pick.choice(HEAVY) * pick.choice((5, 40, 200, 1000)))
    head = pick.choice(HEADS) if hostile and pick.random() < 0.3 else ""
    text = f"{head}<svg {SPACES} {pick.choice(OPENING)}>{''.join(parts)}</svg>"
    for _ in range(pick.choice((0, 1, 1, 2, 4)) if hostile or pick.random() < 0.5 else 0):
        text = _edited(pick, text)
    return Input(NAME, {"lines": text.split("\n"), "document": pick.random() < 0.5})


def _edited(pick: Random, text: str) -> str:
    match pick.randrange(8):
        case 0:
            return strange(pick, text, text)
        case 1:
            return word(pick, text, text)
        case 2:
            name = pick.choice(("rect", "path", "use", "g", "svg", "text", "circle", "mask"))
            return text.replace(f"<{name} ", f"<{pick.choice(('script', 's:svg', 'image', name))} ", 1)
        case 3:
            return text.replace(pick.choice(VALUES[8:14]), pick.choice(VALUES))
    found = [at for at in range(1, len(text)) if text[at] == " " and text[at - 1].isalnum()]
    at = pick.choice(found) if found else len(text)
    value = pick.choice(VALUES).replace('"', "&quot;" if pick.random() < 0.8 else '"')
    return f'{text[:at]} {pick.choice(ATTRIBUTES)}="{value}"{text[at:]}'


# ---- drawn


def run(tried: Input) -> str:
    data = "\n".join(tried.said["lines"]).encode(errors="surrogateescape")
    if len(data) > LARGEST_PICTURE:
        return "refused"
    try:
        url = data_url(data)
    except NoPicture:
        return "refused"
    return drawn(b64decode(url.partition(",")[2]), tried.said["document"])


def drawn(svg: bytes, as_document: bool) -> str:
    """Draws a picture, in a page or by itself. Raises `Wrong` if it does more, or takes too long."""
    from playwright.sync_api import Error as BrowserError

    asked: list[str] = []
    ran: list[str] = []

    def answer(route: Route) -> None:
        match route.request.url:
            case address if address == f"{HOST}/picture.svg":
                route.fulfill(body=svg, content_type="image/svg+xml")
            case address if address == f"{HOST}/":
                route.fulfill(body=SHOWN, content_type="text/html")
            case address:
                asked.append(address)
                route.abort()

    page = _page()
    begun = monotonic()
    try:
        page.route("**/*", answer)
        page.on("console", lambda message: complained(message.text) or ran.append(message.text))
        page.on("dialog", lambda dialog: ran.append(dialog.message))
        page.goto(f"{HOST}/picture.svg" if as_document else f"{HOST}/", timeout=LONGEST * 1000)
        page.screenshot(timeout=LONGEST * 1000)
        broken = not as_document and page.title() != "drawn"
        page.context.close()
    except BrowserError as error:
        Chromium.ended()
        kind = "drawn-too-long" if monotonic() - begun >= LONGEST else "not-drawn"
        raise Wrong(kind, error.message) from None
    _check(asked, ran, broken, monotonic() - begun)
    return "in-a-page" if not as_document else "by-itself"


def complained(message: str) -> bool:
    """Whether the browser says that it does not read the value of an attribute, which it then leaves out."""
    return re.match(r"Error: <\w+> attribute [\w:-]+: ", message) is not None


def _check(asked: list[str], ran: list[str], broken: bool, seconds: float) -> None:
    if asked := [address for address in asked if not address.endswith("/favicon.ico")]:
        raise Wrong("asks-for-something", asked[0])
    if ran:
        raise Wrong("runs-something", ran[0])
    if broken:
        raise Wrong("not-a-picture")
    if seconds > LONGEST:
        raise Wrong("drawn-too-long", f"{seconds:.1f} s")


class Chromium:
    """The browser of this process, and another one when a picture was too much for it."""

    kind: ClassVar[BrowserType | None] = None
    browser: ClassVar[Browser | None] = None

    @classmethod
    def started(cls) -> Browser:
        if cls.kind is None:
            from playwright.sync_api import sync_playwright

            playwright = sync_playwright().start()
            atexit.register(playwright.stop)
            cls.kind = playwright.chromium
        if cls.browser is None:
            cls.browser = cls.kind.launch(executable_path=chromium(), args=list(QUIET))
        return cls.browser

    @classmethod
    def ended(cls) -> None:
        browser, cls.browser = cls.browser, None
        if browser is not None:
            browser.close()


def _page() -> Page:
    return Chromium.started().new_context(viewport={"width": 800, "height": 800}).new_page()
