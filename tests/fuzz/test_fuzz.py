"""Inputs that once broke something do so no longer, and a sample of new ones breaks nothing."""

from __future__ import annotations

import json
from collections import Counter
from multiprocessing import Pipe
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic
from typing import cast

import pytest
from starlette.routing import request_response

from tests.fuzz import requests
from tests.fuzz.campaign import Campaign, MakingSmaller, Worker, free
from tests.fuzz.inputs import CRASHES, Input, Outcome, Wrong, all_kept, keep, kept, wrong
from tests.fuzz.trying import BROWSED, FUZZERS, made, smaller, tried

SAMPLE = {"rulesets": 40, "logs": 20, "choices": 10, "lockstep": 10, "requests": 20, "rows": 2, "sizes": 4}
"""So many of each take a few seconds in all. `times` is for quiet computers."""


@pytest.mark.parametrize(
    "path",
    [path for path in all_kept() if path.parts[-3] not in BROWSED],
    ids=lambda p: f"{p.parent.name}-{p.name}",
)
def test_what_was_found_is_mended(path: Path) -> None:
    outcome = tried(kept(path))
    assert not outcome.is_wrong, outcome.detail


def sampled(fuzzer: str, seed: int, first: int, number: int) -> Counter[str]:
    """How far so many inputs went. Fails with the first that goes wrong."""
    found: Counter[str] = Counter()
    for i in range(first, first + number):
        outcome = tried(made(fuzzer, seed, i))
        assert not outcome.is_wrong, f"{fuzzer} {i} of seed {seed}: {outcome.detail}"
        found[outcome.stage] += 1
    return found


@pytest.mark.parametrize("fuzzer", SAMPLE)
def test_a_sample(fuzzer: str) -> None:
    """Some inputs are refused, and enough are not."""
    found = sampled(fuzzer, 0, 0, SAMPLE[fuzzer])
    assert sum(found.values()) - found["refused"] >= SAMPLE[fuzzer] // 10


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("fuzzer", SAMPLE)
def test_a_larger_sample(fuzzer: str, part: int) -> None:
    assert sampled(fuzzer, 1, part * 16 * SAMPLE[fuzzer], 16 * SAMPLE[fuzzer])


# ---- the fuzzers themselves


def test_a_traceback_in_the_log_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a handler that fails, and of one that answers with a 5xx."""
    head = "GET /api/server HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n"
    to = requests.target()

    async def failing(_: object) -> None:
        raise ZeroDivisionError

    assert tried(Input("requests", {"lines": [head]})).stage == "200"
    route = next(one for one in to.app.routes if getattr(one, "path", "") == "/health")
    with monkeypatch.context() as patch:
        patch.setattr(route, "app", request_response(failing))
        assert tried(Input("requests", {"lines": [head.replace("/api/server", "/health")]})).is_wrong
    assert not tried(Input("requests", {"lines": [head]})).is_wrong


@pytest.mark.parametrize("fuzzer", FUZZERS)
def test_a_number_makes_the_same_input(fuzzer: str) -> None:
    assert made(fuzzer, 3, 5) == made(fuzzer, 3, 5)
    assert made(fuzzer, 3, 5) != made(fuzzer, 3, 6)


@pytest.mark.parametrize("fuzzer", FUZZERS)
def test_inputs_are_kept_as_they_are(fuzzer: str, tmp_path: Path) -> None:
    for number in range(8):
        one = made(fuzzer, 4, number)
        at = free(tmp_path / fuzzer)
        keep(at, one, Outcome(slug="x"))
        assert kept(at) == Input(one.fuzzer, json.loads(json.dumps(one.said)), one.files)


class Broken:
    """A fuzzer of something that cannot stand an `x`, and takes for ever over a `y`."""

    NAME = "broken"

    @staticmethod
    def run(one: Input) -> str:
        if "x" in one.said["lines"]:
            raise Wrong("an-x")
        while "y" in one.said["lines"]:
            pass
        return "fine"


def test_what_fails_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FUZZERS, "broken", Broken)
    one = Input("broken", {"lines": list("abcxdefx")})
    assert tried(one).slug == "an-x"
    assert smaller(one, "an-x").said == {"lines": ["x"]}


def test_what_hangs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FUZZERS, "broken", Broken)
    assert tried(Input("broken", {"lines": ["y"]}), seconds=0.2).slug == "Hang"


def test_a_place_has_one_name() -> None:
    found = [
        wrong(error)
        for error in (ZeroDivisionError(), Wrong("some-kind", "at 1"), Wrong("some-kind", "at 2"))
    ]
    assert [one.slug for one in found] == ["ZeroDivisionError", "some-kind", "some-kind"]


def test_a_campaign_counts(tmp_path: Path) -> None:
    """Workers try inputs until the time is over or there were enough, and say how many."""
    said: list[str] = []
    campaign = Campaign(("logs",), 0, 1, said.append, tmp_path)
    assert campaign.run(120.0, most=3) == 0
    assert campaign.tallies["logs"].tried >= 3
    assert said[-1].startswith("logs: ")
    assert CRASHES.is_dir()


class EndedProcess:
    """A process that hears nothing any more."""

    exitcode = -9

    def kill(self) -> None: ...

    def join(self) -> None: ...


@pytest.mark.parametrize("told", [None, MakingSmaller(Outcome(slug="an-x", detail="x"))])
def test_what_gives_no_answer_is_kept_for_what_it_was_found_for(
    told: MakingSmaller | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An input that takes too long to be made smaller is no input that gives no answer."""
    campaign = Campaign(("logs",), 0, 1, lambda text: None, tmp_path)
    ours, theirs = Pipe()
    worker = Worker(cast(BaseProcess, EndedProcess()), ours, "logs", 5, monotonic())
    monkeypatch.setattr(campaign, "_started", lambda: worker)
    if told is not None:
        theirs.send(told)
        assert campaign._listen([worker]) == [worker]
        assert not campaign.tallies["logs"].tried
    worker.heard = -1e9
    campaign._listen([worker])
    slug = told.outcome.slug if told is not None else "NoAnswer"
    assert campaign.tallies["logs"].found == {slug: 1}
    assert (tmp_path / "logs" / slug / "input.json").is_file()
