"""Pictures that draw, and parts of pictures that would do more, or would be too much, in a browser."""

from __future__ import annotations

ELSEWHERE = "http://elsewhere.test/x"
"""An address that nothing may ask for."""
RUN = f"fetch('{ELSEWHERE}')"
DRAWING = (
    '<rect width="40" height="40" fill="red"/>',
    '<circle cx="50" cy="50" r="30" fill="#2f78c4" stroke="black" stroke-width="2"/>',
    '<path d="M10 10 h30 v30 a5,5 0 0 1 -10,10 z" fill="none" stroke="rgb(10, 20, 30)"/>',
    '<linearGradient id="a"><stop offset="0" stop-color="red"/><stop offset="1"/></linearGradient>'
    '<rect width="90" height="90" fill="url(#a)"/>',
    '<radialGradient id="b" href="#a"/><ellipse cx="50" cy="50" rx="9" ry="9" fill="url(#b) red"/>',
    '<g id="g" opacity=".5" transform="translate(5 5) rotate(20)"><path d="M0 0L9 9"/></g><use href="#g"/>',
    '<clipPath id="c"><circle r="40"/></clipPath><g clip-path="url(#c)"><rect width="99" height="99"/></g>',
    '<mask id="m"><rect width="50" height="50" fill="white"/></mask><rect width="99" height="9" '
    'mask="url(#m)"/>',
    '<pattern id="p" width="5" height="5" patternUnits="userSpaceOnUse"><rect width="2" height="2"/>'
    '</pattern><rect width="99" height="99" fill="url(#p)"/>',
    '<marker id="k" orient="auto"><path d="M0 0L3 3"/></marker><path d="M9 9L50 50L60 9" '
    'marker-mid="url(#k)"/>',
    '<text x="5" y="50" font-family="\'Liberation Serif\', serif" font-size="12">Roma &amp; <tspan>é</tspan>'
    "</text>",
    '<path d="M0 0L99 99" stroke="red" stroke-dasharray="4 2"/>',
    '<symbol id="s" viewBox="0 0 9 9"><rect width="9" height="9"/></symbol><use href="#s" width="9"/>',
    "<title>A map</title><desc>of nothing</desc><defs><g/></defs>",
)
"""What a picture may be made of."""
ELEMENTS = (
    f"<script>{RUN}</script>",
    f'<script href="{ELSEWHERE}"/>',
    f"<style>@import url({ELSEWHERE});</style>",
    f"<style>rect {{ background: url({ELSEWHERE}) }}</style>",
    f'<image href="{ELSEWHERE}" width="9" height="9"/>',
    f'<image xlink:href="{ELSEWHERE}" width="9" height="9"/>',
    '<image href="data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E" width="9"/>',
    f'<use href="{ELSEWHERE}#a"/>',
    f'<feImage href="{ELSEWHERE}"/>',
    f'<filter id="f"><feImage href="{ELSEWHERE}"/></filter><rect width="9" height="9" filter="url(#f)"/>',
    '<filter id="f" width="9999"><feGaussianBlur stdDeviation="5000"/></filter>'
    '<rect width="9" height="9" filter="url(#f)"/>',
    f'<foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="{ELSEWHERE}"/>'
    "</foreignObject>",
    f'<img xmlns="http://www.w3.org/1999/xhtml" src="{ELSEWHERE}"/>',
    f'<h:script xmlns:h="http://www.w3.org/1999/xhtml">{RUN}</h:script>',
    f'<a href="{ELSEWHERE}"><rect width="9" height="9"/></a>',
    f'<set attributeName="href" to="{ELSEWHERE}"/>',
    f'<animate attributeName="fill" values="url({ELSEWHERE});red" dur="1s" repeatCount="indefinite"/>',
    f'<rect width="9" height="9"><set attributeName="onclick" to="{RUN}"/></rect>',
    "<animateTransform attributeName='transform' type='rotate' dur='1ms' repeatCount='indefinite'/>",
    f'<font-face><font-face-src><font-face-uri href="{ELSEWHERE}"/></font-face-src></font-face>',
    f'<link xmlns="http://www.w3.org/1999/xhtml" rel="stylesheet" href="{ELSEWHERE}"/>',
    f'<video xmlns="http://www.w3.org/1999/xhtml" src="{ELSEWHERE}" autoplay="true"/>',
    f'<handler type="application/javascript">{RUN}</handler>',
    "<![CDATA[<script>]]>",
    f"<?xml-stylesheet href='{ELSEWHERE}'?>",
    f'<x:include xmlns:x="http://www.w3.org/2001/XInclude" href="{ELSEWHERE}"/>',
    '<switch><g systemLanguage="en"><rect width="9" height="9"/></g></switch>',
    f'<cursor href="{ELSEWHERE}"/>',
    "<discard/>",
    f'<script xmlns="">{RUN}</script>',
)
"""Elements that do more than draw."""
ATTRIBUTES = (
    "onload",
    "onclick",
    "onbegin",
    "onerror",
    "style",
    "class",
    "href",
    "xlink:href",
    "xml:base",
    "xml:space",
    "fill",
    "stroke",
    "filter",
    "mask",
    "clip-path",
    "cursor",
    "marker-start",
    "marker-mid",
    "font-family",
    "transform",
    "d",
    "points",
    "viewBox",
    "width",
    "stroke-width",
    "stroke-dasharray",
    "opacity",
    "font-size",
    "color",
    "stop-color",
    "xmlns",
    "xmlns:x",
    "id",
    "src",
    "requiredFeatures",
    "data-name",
    "inkscape:label",
    "mask-image",
    "begin",
    "patternTransform",
    "preserveAspectRatio",
    "textLength",
)
"""Names of attributes, of which some may be written and some may not."""
VALUES = (
    f"url({ELSEWHERE})",
    f"u\\72l({ELSEWHERE})",
    f"\\75rl('{ELSEWHERE}')",
    f"ur/**/l({ELSEWHERE})",
    f"URL({ELSEWHERE}#a)",
    f"url( '{ELSEWHERE}' )",
    f"url(#a) url({ELSEWHERE})",
    "u\\72l(#m)",
    "url(#a)",
    "url(#p)",
    "url(#m)",
    "url('#c')",
    'url("#k") red',
    "url(#nothing)",
    f"image-set('{ELSEWHERE}' 1x)",
    f"-webkit-image-set(url({ELSEWHERE}) 1x)",
    f"src('{ELSEWHERE}')",
    f"image('{ELSEWHERE}')",
    f"cross-fade(url({ELSEWHERE}), red)",
    f"attr(href url, '{ELSEWHERE}')",
    "var(--x, url(#a))",
    "calc(1px + 1px)",
    "blur(9999px)",
    "env(x)",
    f"red; background: url({ELSEWHERE})",
    f"@import '{ELSEWHERE}'",
    f"javascript:{RUN}",
    RUN,
    f"//{ELSEWHERE}",
    ELSEWHERE,
    "data:image/svg+xml,%3Csvg/%3E",
    "#a",
    "#g",
    "#s",
    " #m ",
    "none",
    "inherit",
    "red",
    "#12345678",
    "rgba(1, 2, 3, .5)",
    "hsl(120deg, 10%, 10%)",
    "color-mix(in srgb, red, blue)",
    "1e9",
    "-5",
    "1e-9",
    "100%",
    "9999999",
    "0.0001",
    "NaN",
    "translate(1e9 1e9) scale(1e-9)",
    "matrix(1 0 0 1 5 5)",
    "rotate(45)",
    "scale(1e6)",
    "M0 0L99 99 L0 99 Z",
    "0 0 1 1",
    "0 0 1e-6 1e-6",
    "'a', \"b\"",
    f"'a\\', url({ELSEWHERE})",
    "http://www.w3.org/1999/xhtml",
)
"""Values of attributes, of which some draw and some ask for something."""
HEADS = (
    "",
    "",
    "",
    "\ufeff",
    '<?xml version="1.0"?>',
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- drawn by hand -->',
    '<?xml version="1.0" encoding="utf-16"?>',
    '<?xml version="1.0" encoding="ISO-2022-JP"?>',
    '<?xml version="1.1"?>',
    f'<?xml-stylesheet href="{ELSEWHERE}"?>',
    '<?xml-stylesheet href="data:text/css,*{fill:url(http://elsewhere.test/x)}"?>',
    f'<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="{ELSEWHERE}"?>',
    f'<!DOCTYPE svg [<!ENTITY a SYSTEM "{ELSEWHERE}">]>',
    '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>',
    f'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "{ELSEWHERE}">',
)
"""What may stand before a picture."""


def nested(part: str, use: str, wide: int, deep: int) -> str:
    """Parts that each use the one before several times."""
    parts = [f'<{part} id="n0"><rect width="99" height="99" fill="white"/></{part}>']
    parts += [f'<{part} id="n{i}">{use.format(i - 1) * wide}</{part}>' for i in range(1, deep)]
    return f"<defs>{''.join(parts)}</defs>{use.format(deep - 1)}"


USES = (
    ("g", '<use href="#n{}"/>'),
    ("symbol", '<use href="#n{}" width="99" height="99"/>'),
    ("mask", '<rect width="99" height="99" mask="url(#n{})"/>'),
    ("mask", '<rect width="99" height="99" fill="white" mask="u\\72l(#n{})"/>'),
    ("pattern", '<rect width="99" height="99" fill="url(#n{})"/>'),
    ("clipPath", '<rect width="99" height="99" clip-path="url(#n{})"/>'),
    ("marker", '<path d="M0 0L9 9L9 0L0 9" marker-mid="url(#n{})"/>'),
    ("linearGradient", '<linearGradient href="#n{}"/>'),
)
"""Elements that are used, and how: what multiplies if it is nested."""
HEAVY = (
    '<g opacity=".5"><rect width="99" height="99"/><rect width="50" height="50"/></g>',
    '<path d="M0 0L99 99L0 50L50 0" stroke="red" stroke-dasharray="0.01"/>',
    '<circle cx="50" cy="50" r="50" fill="url(#b)" stroke="blue" stroke-width="9"/>',
    '<rect width="1e5" height="1e5" fill="url(#w)"/>',
    '<text font-size="99" y="99" stroke="red" letter-spacing="1">MWMWMWMWMWMWMWMWMW</text>',
    '<path d="M0 0L99 99 1 98 98 2 3 97 96 4" stroke="red" stroke-width="1e6" stroke-linejoin="round"/>',
    '<rect width="99" height="99" mask="url(#m)" clip-path="url(#c)"/>',
)
"""Drawings that take long if there are many of them."""
WIDE = (
    '<pattern id="w" width="1e5" height="1e5" patternUnits="userSpaceOnUse" viewBox="0 0 1 1">'
    '<rect width="1" height="1"/></pattern>'
)
"""A pattern whose tile is far larger than the picture."""
