"""Errors come out of other processes whole."""

from __future__ import annotations

import pickle

import pytest

from dsl.diagnostics import DiagnosticError, ErrorsReported, Report
from dsl.source import NOWHERE, Source
from interpreter.bots.messages import UnknownBot
from interpreter.messages import Aborted, Fault


@pytest.mark.parametrize("kind", [DiagnosticError, Fault, Aborted])
def test_a_diagnostic_that_is_handed_on(kind: type[DiagnosticError]) -> None:
    error = kind(UnknownBot(NOWHERE, "serch", "did you mean `search`?"))
    found = pickle.loads(pickle.dumps(error))
    assert type(found) is kind
    assert found.diagnostic == error.diagnostic
    assert found.diagnostic.span is NOWHERE
    placed = kind(UnknownBot(Source("a.rules", "one").beginning, "serch", "none"))
    assert pickle.loads(pickle.dumps(placed)).diagnostic.span.place == "a.rules:1:1"


def test_a_report_that_is_handed_on() -> None:
    error = ErrorsReported(Report([UnknownBot(NOWHERE, "serch", "none")]))
    found = pickle.loads(pickle.dumps(error))
    assert [m.message for m in found.report] == [m.message for m in error.report]
    assert str(found) == str(error)
