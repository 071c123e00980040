"""pgx: games in JAX, compiled for the CPU; one match at a time, or 1,024."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

from benchmarks.contestants.contestant import Contestant, Player, Unavailable
from benchmarks.games import Entry
from benchmarks.tally import Tally

LOOKED_AT = 1024
"""Matches whose length is counted at a time. Decisions are timed; playouts are decisions by this length."""

MOST_LOOKS, SECONDS = 16, 5.0

STEPS = {1: 256, 1024: 8}
"""Steps in one compiled call, by the size of the batch."""


class Under(NamedTuple):
    """Matches under way, step by step: their state, the random key, and what is counted."""

    state: Any
    key: Any
    decisions: Any
    wins: Any


def made(entry: Entry) -> Any:
    """pgx's game. Raises `Unavailable` if it has none."""
    if not entry.pgx:
        raise Unavailable("not in pgx")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    try:
        import pgx
    except ImportError as error:
        raise Unavailable(f"not installed: {error}") from error
    return pgx.make(entry.pgx)


def sit(batch: int, entry: Entry) -> Player:
    """Steps with a reset where a match ends. Every match of a batch makes one decision a step."""
    env = made(entry)
    advance, state, key = _steps(env, batch, STEPS[batch])
    under = [state, key]
    counted = _look(env, LOOKED_AT)
    length = (counted.decisions or 0) / counted.playouts

    def play(number: int) -> Tally:
        calls = max(1, round(number * length / (batch * STEPS[batch])))
        for _ in range(calls):
            under[:] = advance(*under)
        under[0].terminated.block_until_ready()
        decisions = calls * batch * STEPS[batch]
        return Tally(max(1, round(decisions / length)), decisions, None)

    return Player(play, lambda _: counted, "playouts by decisions")


def stepping(entry: Entry, batch: int) -> Callable[[int], float]:
    """One step of a batch a call, as from a learner's loop; how many decisions were made."""
    advance, state, key = _steps(made(entry), batch, 1)
    under = [state, key]

    def run(number: int) -> float:
        for _ in range(number):
            under[:] = advance(*under)
        under[0].terminated.block_until_ready()
        return number * batch

    return run


def _steps(env: Any, batch: int, steps: int) -> tuple[Any, Any, Any]:
    """A compiled function of some steps of a batch, and what it begins with."""
    import jax
    from pgx.experimental import auto_reset

    one = partial(_random_step, auto_reset(env.step, env.init))
    init, step = (env.init, one) if batch == 1 else (jax.vmap(env.init), jax.vmap(one))

    def advance(state: Any, key: Any) -> Any:
        return jax.lax.fori_loop(0, steps, lambda _, at: step(*at), (state, key))

    keys = jax.random.split(jax.random.PRNGKey(1), batch)
    keys = keys[0] if batch == 1 else keys
    return jax.jit(advance), jax.jit(init)(keys), keys


def _random_step(step: Any, state: Any, key: Any) -> Any:
    """A step by a uniformly random choice of those in the mask, and the next key."""
    import jax
    import jax.numpy as jnp

    key, chosen, drawn = jax.random.split(key, 3)
    action = jax.random.categorical(chosen, jnp.where(state.legal_action_mask, 0.0, -jnp.inf))
    return step(state, action, drawn), key


def _look(env: Any, batch: int) -> Tally:
    """Many matches from their beginning to their end: their decisions, and the wins of who began."""
    import jax
    import jax.numpy as jnp

    def one(under: Under, first: Any) -> Under:
        going = ~(under.state.terminated | under.state.truncated)
        state, key = _random_step(env.step, under.state, under.key)
        won = going & (state.rewards[first] > 0)
        return Under(state, key, under.decisions + going, under.wins + won)

    def whole(keys: Any) -> Under:
        state = jax.vmap(env.init)(keys)
        begun = Under(state, keys, jnp.zeros(batch, jnp.int32), jnp.zeros(batch, jnp.int32))
        step = jax.vmap(one)
        going = lambda u: jnp.any(~(u.state.terminated | u.state.truncated))  # noqa: E731
        return jax.lax.while_loop(going, lambda u: step(u, state.current_player), begun)

    compiled, tally, began = jax.jit(whole), Tally(), perf_counter()
    for seed in range(MOST_LOOKS):
        end = compiled(jax.random.split(jax.random.PRNGKey(2 + seed), batch))
        tally.add(Tally(batch, int(end.decisions.sum()), int(end.wins.sum())))
        if perf_counter() > began + SECONDS:
            break
    return tally


ONE = Contestant("pgx-1", "pgx on the CPU, one match", partial(sit, 1))
MANY = Contestant("pgx-1024", "pgx on the CPU, 1,024 matches at once", partial(sit, 1024))
