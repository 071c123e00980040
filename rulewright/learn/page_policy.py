"""A trained policy for the page of a game in one file: its network, and tables of what its numbers mean."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter import ir
from interpreter.formatting import UNSEEN
from interpreter.game import Game
from interpreter.wasm.batch_module import batch_module
from rulewright.files.reading import read_bytes
from rulewright.learn.messages import NotForAPage
from rulewright.learn.network import NetworkProgram, network_program
from rulewright.learn.onnx_files import LARGEST, OUTPUT, OnnxPolicy, load_policy
from rulewright.learn.opponents import UniformPolicy
from rulewright.learn.play import LearnMatch
from rulewright.learn.space import DecisionIndex, Row, Space
from rulewright.learn.tables import spaces_of

TRIED: Final = 64
"""Positions at which a network is computed in both ways."""
CLOSE: Final = 1e-3
"""How far the two may differ, in parts of the greatest logit."""


def page_policy(game: Game, path: str, greedy: bool = False) -> dict[str, Any]:
    """What a page needs to choose by the policy of a file, as a value for JSON.

    If it is `greedy`, it takes what it thinks best; otherwise it draws by its chances.

    Raises `DiagnosticError` with `ForeignModel` for a policy of another game, `NotForAPage` for a network
    that no page computes, and what `load_policy` raises.
    """
    policy = load_policy(path)
    own = spaces_of(game).catalogue
    if (policy.catalogue.game, policy.catalogue.seats) != (own.game, own.seats):
        policy.check(own)
    space = Space.of(game, policy.catalogue.extended(own))
    program = network_program(path, read_bytes(path, LARGEST))
    _compare(policy, program, _rows(space))
    sizes = len(policy.catalogue.actions), len(policy.catalogue.columns)
    return {
        "actions": sizes[0],
        "columns": sizes[1],
        **({"greedy": True} if greedy else {}),
        **tables_of(game, space),
        "network": program.as_json(),
    }


def tables_of(game: Game, space: Space) -> dict[str, Any]:
    """What stands where in an observation, and which action each option is.

    `lows` are the least numbers of the columns. `places` has for each word that the module writes its
    column, where they do not stand there in order. `decisions` has for each node its number and its
    actions. `unseen` are the actions of pieces that are not seen, by their words. `within` has, by the names
    of decisions about numbers, the nodes at which parts of parts are chosen, from the second level on.
    """
    found: dict[str, Any] = {
        "digest": space.catalogue.digest,
        "lows": space.lows.tolist(),
        "decisions": {str(node): _decision(space, index) for node, index in space.decisions.items()},
        "within": _within(game, space),
        "unseen": {key: number for key, number in space.ids.items() if f" {UNSEEN} " in key},
    }
    return found if space.columns is None else {**found, "places": space.columns.tolist()}


def _within(game: Game, space: Space) -> dict[str, list[int]]:
    first, found = len(game.machine.nodes), dict[str, dict[str, int]]()
    for number in space.decisions:
        node = space.game.machine.nodes[number]
        if number >= first and isinstance(node, ir.Decide):
            name, _, level = node.name.rpartition(".")
            found.setdefault(name, {}).setdefault(level, number)
    return {name: [levels[level] for level in sorted(levels, key=int)] for name, levels in found.items()}


def _decision(space: Space, index: DecisionIndex) -> dict[str, Any]:
    numbers = batch_module(space.game).numberings[index.actions.node]
    return {
        "number": index.number,
        "starts": list(numbers.starts),
        "values": list(numbers.values),
        "passing": numbers.passing,
        "actions": index.ids.tolist(),
    }


def _rows(space: Space) -> Row:
    """[n, columns]: observations of random matches."""
    play, rng, random = LearnMatch(space), np.random.default_rng(1), UniformPolicy()
    play.reset(1)
    found = []
    for number in range(TRIED):
        if play.over:
            play.reset(number)
        if play.over:
            break
        found.append(play.observation())
        play.step(int(random.act(found[-1][None], play.mask()[None], rng)[0]))
    return np.stack(found) if found else np.zeros((1, space.width), dtype=np.int32)


def _compare(policy: OnnxPolicy, program: NetworkProgram, rows: Row) -> None:
    """Raises `DiagnosticError` with `NotForAPage` if a program computes something else than its file."""
    wanted = policy.logits(rows)
    if not np.isfinite(wanted).all():
        raise DiagnosticError(NotForAPage(NOWHERE, policy.path, f"its `{OUTPUT}` are not finite numbers"))
    try:
        found = program.run(rows[:, : len(policy.catalogue.columns)].astype(np.float32))
    except (ValueError, IndexError):
        found = None
    if found is None or found.shape != wanted.shape:
        why = "its values are not tables with a row for each observation"
        raise DiagnosticError(NotForAPage(NOWHERE, policy.path, why))
    if not np.isfinite(found).all():
        why = "the page would compute logits that are not finite numbers"
        raise DiagnosticError(NotForAPage(NOWHERE, policy.path, why))
    apart = float(np.abs(found - wanted).max()) / max(1.0, float(np.abs(wanted).max()))
    if apart > CLOSE:
        why = f"the page would compute other logits, which differ by {apart:.2g} of the greatest"
        raise DiagnosticError(NotForAPage(NOWHERE, policy.path, why))
