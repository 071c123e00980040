"""Small pages that need no script: questions behind links of mails, and errors that a browser shows."""

from __future__ import annotations

from html import escape

from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse

from rulewright.i18n.messages import FALLBACK, languages
from rulewright.serve.words import said

POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/web/style/base.css"><link rel="stylesheet" href="/web/style/shell.css"></head>
<body><main class="narrow"><h1>{title}</h1>{body}</main></body></html>
"""
PROGRAMS = ("/api/", "/web/")
"""Paths that scripts ask for; their errors are JSON."""


def plain_page(title: str, body: str, status: int = 200, language: str = "en") -> HTMLResponse:
    """A page of a title and some HTML."""
    text = PAGE.format(language=language, title=escape(title), body=body)
    return HTMLResponse(text, status, {"Content-Security-Policy": POLICY})


def error_page(request: HTTPConnection, code: str, status: int) -> HTMLResponse:
    """A page that says what is wrong, with a way to the lobby."""
    language = language_of(request)
    lobby = f'<p><a class="button" href="/">{escape(said(language, "to-lobby"))}</a></p>'
    shown = f"<p>{escape(said(language, f'error-{code}'))}</p>{lobby}"
    return plain_page("Rulewright", shown, status, language)


def language_of(request: HTTPConnection) -> str:
    """The first language of the browser that the page has."""
    asked = request.headers.get("accept-language", "").lower()[:200].split(",")
    return next((tag.strip()[:2] for tag in asked if tag.strip()[:2] in languages()), FALLBACK)


def wants_page(request: Request) -> bool:
    """Whether somebody looks at what is answered, in a browser."""
    asks = request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
    return asks and not request.scope["path"].startswith(PROGRAMS)
