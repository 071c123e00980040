"""The flow of phases, as `game.yaml` writes it."""

from __future__ import annotations

from typing import Any, cast

from dsl.declare.world import World, keys, mapping, needed, one_of, word, words
from dsl.diagnostics import Failed, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.messages import BadFlow, UnknownName, WrongShape
from dsl.rules import CallStep, FlowStep, OfferStep, Phase, SeatsStep

PHASE = ("seat", "do", "then", "score", "clause")
STRENGTHS = {"may keep doing": "keep", "may do": "may", "do one of": "must"}


def read_flow(world: World, node: Node | None) -> dict[str, Phase]:
    found = mapping(node, "`flow`")
    phases: dict[str, Phase] = {}
    for name, value in found.pairs:
        world.attempt(
            lambda name=name, value=value: phases.__setitem__(name.text, _phase(world, name, value))
        )  # type: ignore[misc]
    for phase in phases.values():
        for _, to in phase.then:
            if to not in phases:
                world.fail(UnknownName(phase.span, to, "phase", did_you_mean(to, phases)))
    if phases and not any(p.scores for p in phases.values()) and not world.report.has_errors:
        world.fail(BadFlow(found.span, "no phase scores", "add `final: {score: highest}`"))
    if not phases:
        world.fail(BadFlow(found.span, "there is no phase", "a game has at least one phase"))
    return phases


def _phase(world: World, name: Scalar, node: Node) -> Phase:
    where = f"phase `{name.text}`"
    found = keys(world, node, where, PHASE)
    rotates = found.get("seat") is not None
    if rotates:
        one_of(found.get("seat"), "`seat`", ("rotates",))
    score = found.get("score")
    scores = one_of(score, "`score`", ("highest", "lowest", "none")) if score is not None else None
    steps = _steps(world, found.get("do"), where) if found.get("do") is not None else ()
    then = _then(found.get("then"))
    if not then and scores is None:
        raise Failed(BadFlow(name.span, f"{where} does not say what comes next", "add `then`"))
    if then and scores is not None:
        raise Failed(BadFlow(name.span, f"{where} scores, so nothing comes after it", "remove `then`"))
    return Phase(name.text, rotates, steps, then, cast(Any, scores), name.span,
                 world.clause_marks(found.get("clause")))  # fmt: skip


def _then(node: Node | None) -> tuple[tuple[str | None, str], ...]:
    if node is None:
        return ()
    if isinstance(node, Scalar):
        return ((None, node.text),)
    pairs = tuple((None if k.text == "otherwise" else k.text, word(v, "a phase").text)
                  for k, v in mapping(node, "`then`").pairs)  # fmt: skip
    if not pairs or pairs[-1][0] is not None or any(k is None for k, _ in pairs[:-1]):
        raise Failed(BadFlow(node.span, "`then` does not say what comes if no condition holds",
                             "end it with `otherwise`"))  # fmt: skip
    return pairs


def _steps(world: World, node: Node | None, where: str) -> tuple[FlowStep, ...]:
    if not isinstance(node, Sequence):
        raise Failed(WrongShape(node.span if node else world.span, f"`do` of {where}", "a list of steps"))
    return tuple(_step(world, item) for item in node.items)


def _step(world: World, node: Node) -> FlowStep:
    if isinstance(node, Scalar):
        return CallStep(node.text, node.text, node.span)
    found = mapping(node, "a step")
    each = next((k for k, _ in found.pairs if k.text.startswith("each seat in turn")), None)
    if each is not None:
        return _seats(world, found, each)
    verb = next((k for k, _ in found.pairs if k.text in STRENGTHS), None)
    if verb is None:
        hint = f"use {', '.join(f'`{s}`' for s in STRENGTHS)} or `each seat in turn`"
        raise Failed(BadFlow(found.span, "this step does nothing known", hint))
    keys(world, found, "a step", (*STRENGTHS, "with", "named"))
    names = words(needed(found, verb.text, "the step"), f"`{verb.text}`")
    named = word(found.get("named"), "`named`").text if found.get("named") is not None else names[0].text
    option = word(found.get("with"), "`with`").text if found.get("with") is not None else None
    if option is not None and option not in world.options:
        hint = did_you_mean(option, world.options)
        raise Failed(UnknownName(found.span, option, "option", hint))
    return OfferStep(named, cast(Any, STRENGTHS[verb.text]), tuple(n.text for n in names), option, found.span)


def _seats(world: World, found: Mapping, key: Scalar) -> SeatsStep:
    by = key.text.removeprefix("each seat in turn").strip()
    steps = _steps(world, found.get(key.text), "`each seat in turn`")
    inner: list[CallStep | OfferStep] = []
    for step in steps:
        if isinstance(step, SeatsStep):
            raise Failed(BadFlow(step.span, "`each seat in turn` stands inside itself"))
        inner.append(step)
    return SeatsStep(tuple(inner), by.removeprefix("by ").strip() if by else None, key.span)
