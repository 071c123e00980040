"""Diagnostics: one frozen class for each error or warning, and the report that collects them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from difflib import SequenceMatcher, get_close_matches
from enum import StrEnum
from itertools import islice
from typing import Any, ClassVar
from warnings import warn

from dsl.source import NOWHERE, Span

REGISTER: dict[str, type[Diagnostic]] = {}
MOST_ERRORS = 100
LONGEST_NAME, MOST_NAMES = 40, 2000


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Label:
    """A further place of a diagnostic."""

    span: Span
    text: str


@dataclass(frozen=True)
class Diagnostic:
    """What is wrong, and where.

    Subclasses set `code` and `slug`, and the templates `title`, `label` and `advice` over their fields. Their
    docstring is the explanation that `rulewright explain CODE` prints.
    """

    code: ClassVar[str] = ""
    slug: ClassVar[str] = ""
    severity: ClassVar[Severity] = Severity.ERROR
    title: ClassVar[str] = ""
    label: ClassVar[str] = ""
    advice: ClassVar[str] = ""

    span: Span

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.code:
            if cls.code in REGISTER and REGISTER[cls.code].__qualname__ != cls.__qualname__:
                raise InternalError(f"code {cls.code} is used twice")
            REGISTER[cls.code] = cls

    def _fill(self, template: str) -> str:
        return template.format(**{f.name: getattr(self, f.name) for f in fields(self)})

    @property
    def message(self) -> str:
        return self._fill(self.title)

    @property
    def pointer(self) -> str:
        return self._fill(self.label)

    @property
    def help(self) -> str:
        return self._fill(self.advice)

    @property
    def others(self) -> tuple[Label, ...]:
        return ()


class ErrorsReported(Exception):
    """A stage has reported errors, so the next one cannot run."""

    def __init__(self, report: Report) -> None:
        super().__init__("\n".join(m.message for m in report))
        self.report = report

    def __reduce__(self) -> tuple[type[ErrorsReported], tuple[Report]]:
        """So that processes can hand it on."""
        return type(self), (self.report,)


class WithDiagnostic(Exception):
    """An exception that carries one diagnostic."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic

    def __reduce__(self) -> tuple[Callable[..., WithDiagnostic], tuple[object, ...]]:
        """So that processes can hand it on."""
        return _handed_on, (type(self), self.diagnostic, self.diagnostic.span is NOWHERE)

    @property
    def mistake(self) -> Diagnostic:
        """The former name of `diagnostic`."""
        warn("`mistake` is now called `diagnostic`", DeprecationWarning, stacklevel=2)
        return self.diagnostic


def _handed_on(kind: type[WithDiagnostic], diagnostic: Diagnostic, placeless: bool) -> WithDiagnostic:
    """An exception of another process; what has no place there has none here."""
    return kind(replace(diagnostic, span=NOWHERE) if placeless else diagnostic)


class DiagnosticError(WithDiagnostic):
    """One diagnostic, on its way to the report of the running stage."""


class InternalError(Exception):
    """A bug of ours. Never reported as an error of the author."""


class Report:
    """The diagnostics of a stage, each once, in the order of their places."""

    def __init__(self, diagnostics: Iterable[Diagnostic] = ()) -> None:
        self._diagnostics: dict[Diagnostic, None] = dict.fromkeys(diagnostics)
        self.has_errors = any(m.severity is Severity.ERROR for m in self._diagnostics)

    def add(self, diagnostic: Diagnostic) -> None:
        """Add a diagnostic. Raises `ErrorsReported` when there are too many."""
        self._diagnostics[diagnostic] = None
        self.has_errors |= diagnostic.severity is Severity.ERROR
        if len(self._diagnostics) >= MOST_ERRORS and self.has_errors:
            raise ErrorsReported(self)

    def stop_on_errors(self) -> None:
        """Raises `ErrorsReported` if a diagnostic is an error."""
        if self.has_errors:
            raise ErrorsReported(self)

    @property
    def errors(self) -> list[Diagnostic]:
        """The errors in the order in which they were found."""
        return [m for m in self._diagnostics if m.severity is Severity.ERROR]

    @property
    def first(self) -> Diagnostic:
        """The error whose place comes first; without errors the first diagnostic. The report is not empty."""
        return min(self, key=lambda found: found.severity is not Severity.ERROR)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(sorted(self._diagnostics, key=lambda m: (m.span.source.name, m.span.start, m.code)))

    def __len__(self) -> int:
        return len(self._diagnostics)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint with the nearest known names, or those of which the name is a word; or an empty one.

    Very long names are not compared.
    """
    if len(name) > LONGEST_NAME:
        return ""
    names = sorted(set(islice((k for k in known if len(k) <= LONGEST_NAME), MOST_NAMES)))
    near = get_close_matches(name, names, n=3, cutoff=0.6)
    near = [n for n in near if _similarity(name, n) > _similarity(name, near[0]) - 0.1]
    near = near or [n for n in names if name in n.split("_")][:3]
    return f"did you mean {' or '.join(f'`{n}`' for n in near)}?" if near else ""


def _similarity(a: str, b: str) -> float:
    return SequenceMatcher(None, a, b).ratio()
