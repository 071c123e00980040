"""The listing of `rulewright words`: how scenarios of a game are written, with examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import process_time

from dsl import rules as r
from dsl.option_sets import size_text
from interpreter import ir
from interpreter.bots.random import pick
from interpreter.executor_protocol import Waiting
from interpreter.formatting import Formatter
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from validators.scenarios.vocabulary import outcomes

DECISIONS = 400
"""How many decisions of each random match are searched for examples of choices."""
SEEDS = 6
SECONDS = 10.0
"""How many seconds of processor time random matches are played for."""
MOST_OPTIONS = 200_000
"""How many options of decisions are gone through in all matches."""
MOST_OUTCOMES, LOOKED_AT = 12, 100
"""How many examples are shown, and how many options of a decision are looked at for them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """How something is written, and an example of it as a line of a scenario."""

    form: str
    example: str


@dataclass(frozen=True, slots=True)
class Section:
    """What can be written under one key of a scenario."""

    title: str
    key: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """All sections, in the order in which a scenario needs them; empty ones are left out.

    `complete`: the random matches that choices are taken from did not take too long.
    """

    sections: tuple[Section, ...]
    complete: bool


def words_of(game: Game, clock: Callable[[], float] = process_time) -> Words:
    """How scenarios of a game are written."""
    choices, complete = _choices(game, clock)
    found = (
        Section("where the program stands", "at, step, phase", tuple(_steps(game))),
        Section("options and rulings", "options", tuple(_options(game.rules))),
        Section("places", "set, then", tuple(_places(game))),
        Section("counters, marks and pointers", "set, then", tuple(_words(game))),
        Section("outcomes of chance", "chance", tuple(_outcomes(game))),
        Section("decisions and choices", "when, asked, offered", choices),
        Section("values", "then", tuple(_values(game))),
        Section("the account", "then", tuple(_account(game.rules))),
    )
    return Words(tuple(section for section in found if section.entries), complete)


def _steps(game: Game) -> Iterator[Entry]:
    yield from (Entry(name, f"at: {name}") for name in game.machine.entries)


def _options(rules: r.Rules) -> Iterator[Entry]:
    for option in rules.options.values():
        default = option.text(option.default)
        if option.sets:
            default = "[" + ", ".join(option.members(option.default)) + "]"
            sizes = size_text(option.sets[max(option.sets)])
            values = f"{sizes} of {', '.join(option.values)}"
        else:
            values = " or ".join(option.values) if option.values else str(option.type)
        yield Entry(f"{option.name}: {values}", f"options: {{{option.name}: {default}}}")


# ---- addresses


def _places(game: Game) -> Iterator[Entry]:
    for name, (first, _) in game.machine.zone_places.items():
        zone = game.rules.zones.get(name)
        component = game.rules.components[game.machine.place_components[name]]
        classes = component.classes
        one = zone is None or zone.size == 1
        held = classes[0] if one else f"[{', '.join(classes[:2])}]" if len(classes) > 1 else "2"
        order = " from top" if zone is not None and zone.order in ("pile", "stack", "row") else ""
        var = zone.var if zone is not None else None
        yield Entry(_form(name, var), f"{game.names.place(first)}{order}: {held}")


def _words(game: Game) -> Iterator[Entry]:
    for words in game.machine.variables.values():
        form, address = _form(words.name, words), game.names.word(words, 0)
        match words.kind:
            case "counter":
                lo, hi = words.bounds(words.base)
                yield Entry(f"{form}: {lo}..{hi}", f"{address}: {words.start[0]}")
            case "mark":
                yield Entry(form, f"{address}: true")
            case "pointer":
                yield Entry(form, f"{address}: {_value(game.names, words)}")


def _value(names: Formatter, words: ir.VarLayout) -> str:
    kind = getattr(words.type, "type", None)
    return names.rules.types[kind].names[0] if kind in names.rules.types else "none"


def _form(name: str, var: r.StateVar | ir.VarLayout | None) -> str:
    of = f" of {var.of.upper()}" if var is not None and var.of is not None else ""
    at = f" at {var.at.upper()}" if var is not None and var.at is not None else ""
    return f"{name}{of}{at}"


# ---- chance and choices


def _outcomes(game: Game) -> Iterator[Entry]:
    for stream, names in ((s, found) for s, found in outcomes(game).items() if found):
        some = list(names[:MOST_OUTCOMES])
        more = ["..."] if len(names) > MOST_OUTCOMES else []
        yield Entry(f"{stream}: {', '.join(some + more)}", f"chance: {{{stream}: [{', '.join(names[:2])}]}}")


def _choices(game: Game, clock: Callable[[], float]) -> tuple[tuple[Entry, ...], bool]:
    """Each decision that random matches reach, with examples of its choices; whether there was the time."""
    found: dict[str, dict[str, str]] = {}
    looked, until = 0, clock() + SECONDS
    for seed in range(SEEDS):
        if clock() > until:
            break
        match = Match(game, seed, keep_history=False)
        try:
            match.start()
            for _ in range(DECISIONS):
                waiting = match.waiting()
                looked += sum(len(one.options) for one in waiting)
                if match.over or looked > MOST_OPTIONS or clock() > until:
                    break
                for one in waiting:
                    _note(game, one, found)
                match.take(waiting[0], pick(seed, match.state, waiting[0]))
        except Fault:
            continue
    entries = tuple(_decision(name, list(examples.values())) for name, examples in found.items())
    return entries, clock() <= until


def _decision(name: str, examples: list[str]) -> Entry:
    some = [f"- {text}" for text in examples[:MOST_OUTCOMES]]
    return Entry(name, "; ".join(some + (["..."] if len(examples) > MOST_OUTCOMES else [])))


def _note(game: Game, waiting: Waiting, found: dict[str, dict[str, str]]) -> None:
    """Examples of the choices of a decision by their first words, until there are enough."""
    examples = found.setdefault(game.machine.decision(waiting.node).name, {})
    if len(examples) <= MOST_OUTCOMES:
        some = waiting.options[:: 1 + len(waiting.options) // LOOKED_AT]
        decision = game.decision(replace(waiting, options=some))
        for choice in decision.choices:
            examples.setdefault(choice.words[0], f"{decision.seat}: {choice.text}")


# ---- values and the account


def _values(game: Game) -> Iterator[Entry]:
    for value in game.rules.values.values():
        given = ", ".join(parameter.name for parameter in value.parameters)
        yield Entry(f"{value.name}({given})" if given else value.name, f"is {value.type}")


def _account(rules: r.Rules) -> Iterator[Entry]:
    seat = rules.types["seat"].names[0]
    yield Entry("score of SEAT", f"score of {seat}: 13")
    for line in rules.scores:
        yield Entry(f"{line.kind} {line.name} of SEAT", f"{line.kind} {line.name} of {seat}: 4")
