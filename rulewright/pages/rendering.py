"""Rendering of pages from templates. All texts are escaped; only HTML marked by `trusted` is not."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import TYPE_CHECKING

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from dsl.wording import counted
from rulewright.messages import PagesNotInstalled
from rulewright.pages.colours import coloured

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


def render(template: str, **names: object) -> str:
    """A page. Raises `DiagnosticError` if the library for templates is not installed."""
    return environment().get_template(template).render(names) + "\n"


def check_installed() -> None:
    """For calls before long work. Raises `DiagnosticError` if the library for templates is not installed."""
    environment()


@cache
def environment() -> Environment:
    """The templates. Raises `DiagnosticError` if the library for them is not installed."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise DiagnosticError(PagesNotInstalled(NOWHERE, "jinja2")) from None
    templates = Environment(
        loader=PackageLoader("rulewright.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    templates.filters.update(code=_code, counted=counted, rules=_rules)
    return templates


def trusted(html: str) -> Markup:
    """Our own HTML or SVG, in which all texts are escaped already."""
    from markupsafe import Markup

    return Markup(html)


def _code(text: str) -> Markup:
    """A text as HTML, with its parts in backquotes as code."""
    parts = escape(text).split("`")
    return trusted("".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts)))


def _rules(line: str, file: str, linked: bool = False) -> Markup | str:
    """A line of a file, in colours if it is one of rules."""
    return trusted(coloured(line, linked=linked)) if file.endswith(".rules") else line
