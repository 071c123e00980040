"""Pages from their templates. What a ruleset says is escaped; only what is marked as our own HTML is not."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import TYPE_CHECKING

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.messages import PagesNotInstalled
from rulewright.terminal import counted

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


def render(template: str, **names: object) -> str:
    """A page. Raises `DiagnosticError` if the library for templates is not installed."""
    return environment().get_template(template).render(names) + "\n"


def check_installed() -> None:
    """Raises `DiagnosticError` if the library for templates is not installed: better before the work than
    after it.
    """
    environment()


@cache
def environment() -> Environment:
    """All templates. Raises `DiagnosticError` if the library for them is not installed."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise DiagnosticError(PagesNotInstalled(NOWHERE, "jinja2")) from None
    made = Environment(
        loader=PackageLoader("rulewright.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(code=_code, counted=counted)
    return made


def trusted(html: str) -> Markup:
    """HTML or SVG that we have made, in which everything foreign is escaped already."""
    from markupsafe import Markup

    return Markup(html)


def _code(text: str) -> Markup:
    """Text whose parts in backquotes are code."""
    parts = escape(text).split("`")
    return trusted("".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts)))
