"""The result of random playouts as text or JSON."""

from __future__ import annotations

from statistics import median

import click

from interpreter.game import Game
from rulewright.terminal.output import complain, diagnostic_objects, echo_json
from validators.explore.messages import unseen
from validators.explore.playouts import Sample
from validators.explore.witness import witness


def show_sample(game: Game, sample: Sample, as_json: bool) -> None:
    """Prints the result of playouts, as text or JSON."""
    if as_json:
        echo_json(_object(game, sample))
        return
    click.echo("\n".join(_lines(game, sample)))
    for failed in sample.failed:
        click.echo()
        complain([failed.diagnostic], err=False)
        words = witness(game, failed.moves).words
        click.echo(f"  seed {failed.seed}, after {len(words)} moves: {' · '.join(words[-8:])}")


def _lines(game: Game, sample: Sample) -> list[str]:
    found = [
        f"{game.rules.title}: {sample.number} random playouts in {sample.seconds:.1f} s; this proves nothing",
    ]
    if sample.lengths:
        least, most = min(sample.lengths), max(sample.lengths)
        found.append(f"  decisions: {least} to {most}, median {median(sample.lengths):g}")
    for mask, times in sorted(sample.won.items()):
        found.append(f"  won by {_seats(game, mask)}: {times} ({times / max(1, sample.number):.1%})")
    missed = [*map(unseen, sample.unseen), *(f"decision {name}" for name in sample.decisions)]
    if missed:
        found += ["", "never seen:", *(f"  {what}" for what in missed)]
    return found


def _seats(game: Game, mask: int) -> str:
    names = [game.names.seat(i) for i in range(game.machine.seats) if mask >> i & 1]
    return " and ".join(names) or "nobody"


def _object(game: Game, sample: Sample) -> dict[str, object]:
    return {
        "game": game.machine.name,
        "rules": game.machine.digest,
        "seats": game.machine.seats,
        "playouts": sample.number,
        "seconds": round(sample.seconds, 3),
        "lengths": {"min": min(sample.lengths, default=0), "max": max(sample.lengths, default=0)},
        "won": {_seats(game, mask): times for mask, times in sorted(sample.won.items())},
        "not_seen": [*map(unseen, sample.unseen), *(f"decision {name}" for name in sample.decisions)],
        "faults": [{"seed": x.seed, **diagnostic_objects([x.diagnostic])[0]} for x in sample.failed],
    }
