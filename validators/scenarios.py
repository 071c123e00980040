"""Scenarios: a position, what happens, and what must be true afterwards, in YAML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from dsl.declare.world import World, keys, mapping, number, word
from dsl.diagnostics import Failed, Mistake, Report, Stop, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence, read
from dsl.domains import NONE, Elem, Flag
from dsl.load import Questions
from dsl.rules import Rules
from dsl.source import NOWHERE, Source, Span
from interpreter import machine as m
from interpreter.compile.program import compile_rules
from interpreter.match import Game, Kind, Match
from interpreter.messages import BadScenario, Fault
from interpreter.position import CannotPlace, Position
from interpreter.questions import Answers
from interpreter.words import fitting

T = TypeVar("T")
KEYS = ("scenario", "cites", "given", "chance", "when", "then")
GIVEN = ("seats", "options", "at", "seat", "set", "spare")


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario as written. `name` is what it shows; `cites` are the clauses that it asserts."""

    name: str
    cites: tuple[str, ...]
    seats: int | None
    options: dict[str, str]
    at: Scalar | None
    seat: str
    position: tuple[tuple[Scalar, Node], ...]
    spare: bool
    chance: dict[str, list[str]]
    steps: tuple[Node, ...]
    then: tuple[tuple[Scalar, Node], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that a scenario says and that is not so."""

    what: str
    wanted: str
    found: str
    span: Span


@dataclass(frozen=True, slots=True)
class Result:
    """How a scenario went: it holds if there is neither a difference nor a mistake."""

    scenario: Scenario
    differences: tuple[Difference, ...] = ()
    mistake: Mistake | None = None

    @property
    def holds(self) -> bool:
        return not self.differences and self.mistake is None


# ---- reading


def read_scenarios(source: Source, rules: Rules) -> list[Scenario]:
    """All scenarios of one file. Raises `Stop` with every mistake in their form."""
    report = Report()
    world = World(report, frozenset(), lambda path: Source(path, ""))
    world.clauses = rules.clauses or None
    found: list[Scenario] = []

    def whole() -> None:
        document = read(source)
        if not isinstance(document, Sequence):
            raise Failed(
                BadScenario(document.span, "a file of scenarios is a list", "begin with `- scenario:`")
            )
        for item in document.items:
            world.attempt(lambda item=item: found.append(_scenario(world, item)))  # type: ignore[misc]

    world.attempt(whole)
    report.stop_on_errors()
    return found


def _scenario(world: World, node: Node) -> Scenario:
    entry = keys(world, node, "a scenario", KEYS)
    name = entry.get("scenario")
    if name is None:
        raise Failed(
            BadScenario(entry.span, "a scenario needs a name", "begin with `- scenario: what it shows`")
        )
    given = entry.get("given")
    setting = keys(world, given, "`given`", GIVEN) if given is not None else Mapping((), entry.span)
    seats, at, seat = setting.get("seats"), setting.get("at"), setting.get("seat")
    return Scenario(
        word(name, "`scenario`").text,
        _cites(world, entry.get("cites")),
        number(seats, "`seats`") if seats is not None else None,
        {k.text: word(v, "an option").text for k, v in _pairs(setting.get("options"), "`options`")},
        word(at, "`at`") if at is not None else None,
        word(seat, "`seat`").text if seat is not None else "A",
        _pairs(setting.get("set"), "`set`"),
        setting.get("spare") is not None and word(setting.get("spare"), "`spare`").text == "true",
        {k.text: _texts(v) for k, v in _pairs(entry.get("chance"), "`chance`")},
        _items(entry.get("when"), "`when`"),
        _pairs(entry.get("then"), "`then`"),
        word(name, "the name").span,
    )


def _cites(world: World, node: Node | None) -> tuple[str, ...]:
    marks = _texts(node) if node is not None else []
    for mark in marks:
        world.cite(mark, node.span if node is not None else NOWHERE)
    return tuple(marks)


def _pairs(node: Node | None, where: str) -> tuple[tuple[Scalar, Node], ...]:
    return mapping(node, where).pairs if node is not None else ()


def _items(node: Node | None, where: str) -> tuple[Node, ...]:
    if node is None:
        return ()
    if not isinstance(node, Sequence):
        raise Failed(BadScenario(node.span, f"{where} is a list", "one line per decision: `- A: lay oak`"))
    return node.items


def _texts(node: Node) -> list[str]:
    if isinstance(node, Scalar):
        return [node.text]
    if isinstance(node, Sequence):
        return [word(item, "an item").text for item in node.items]
    raise Failed(BadScenario(node.span, "one word or a list of words is wanted here"))


# ---- running


@dataclass
class Theatre:
    """Runs scenarios of one ruleset; compiled games are kept for the next one.

    With `cover` its games note what is executed.
    """

    rules: Rules
    questions: Questions
    games: dict[tuple[int | None, tuple[tuple[str, str], ...]], tuple[Game, Answers]] = field(
        default_factory=dict
    )
    watch: Callable[[Match], None] | None = None
    executor: Kind = "reference"
    cover: bool = False

    def game(self, scenario: Scenario) -> tuple[Game, Answers]:
        key = (scenario.seats, tuple(sorted(scenario.options.items())))
        if key not in self.games:
            machine = compile_rules(self.rules, scenario.seats, scenario.options, cover=self.cover)
            game = Game(self.rules, machine, self.executor)
            self.games[key] = (game, Answers(game))
        return self.games[key]

    def run(self, scenario: Scenario) -> Result:
        """Plays one scenario. Mistakes of the scenario itself are part of the result."""
        try:
            game, answers = self.game(scenario)
            play = _Play(scenario, game, answers, self.questions)
            play.set_up()
            if self.watch is not None:
                self.watch(play.match)
            play.play()
            return Result(scenario, tuple(play.differences))
        except Stop as stop:
            return Result(scenario, mistake=next(iter(stop.report)))
        except (Failed, Fault) as error:
            return Result(scenario, mistake=error.mistake)


class _Play:
    """One performance of one scenario."""

    def __init__(self, scenario: Scenario, game: Game, answers: Answers, questions: Questions) -> None:
        self.scenario = scenario
        self.game = game
        self.answers = answers
        self.questions = questions
        self.differences: list[Difference] = []
        supplied: dict[str, list[str | None]] = {k: list(v) for k, v in scenario.chance.items()}
        for stream in supplied:
            if stream not in game.machine.streams:
                known = ", ".join(game.machine.streams)
                raise Failed(
                    BadScenario(scenario.span, f"chance has no stream `{stream}`", f"there are {known}")
                )
        self.match = Match(game, seed=1, outcomes=supplied)
        self.vocabulary = _vocabulary(game)

    # ---- set-up

    def set_up(self) -> None:
        position = Position(self.game)
        later: list[tuple[Scalar, Node]] = []
        for address, value in self.scenario.position:
            name = address.text.split()[0]
            zone = self.game.rules.zones.get(name)
            if zone is not None and zone.start:
                later.append((address, value))
            else:
                self._set(position, address, value)
        for address, value in later:
            self._set(position, address, value)
        self.match.state = position.state
        if self.scenario.at is None:
            self.game.reference.arm(position.state)
            self.match.start()
            return
        seat = self._seat(self.scenario.seat, self.scenario.span)
        node = self._placing(self.scenario.at.span, lambda: position.stand_at(self.scenario.at.text, seat))  # type: ignore[union-attr]
        self.match.run_from(node)

    def _seat(self, name: str, span: Span) -> int:
        try:
            return self.game.seat_number(name)
        except KeyError:
            raise Failed(BadScenario(span, f"there is no seat `{name}`", "seats are A, B, C, ...")) from None

    def _placing(self, span: Span, act: Callable[[], T]) -> T:
        try:
            return act()
        except CannotPlace as error:
            raise Failed(BadScenario(span, str(error))) from None

    def _set(self, position: Position, address: Scalar, value: Node) -> None:
        self._placing(address.span, lambda: self._place(position, address, value))

    def _place(self, position: Position, address: Scalar, value: Node) -> None:
        name = address.text.split()[0]
        if name in self.game.machine.words:
            words, _ = position.word(address.text)
            position.set_number(address.text, self._number(words, word(value, "a value")))
            return
        number_ = position.place(address.text)
        texts = _texts(value)
        if len(texts) == 1 and texts[0].isdigit() and texts[0] not in self._classes(number_):
            position.set_count(number_, int(texts[0]), self.scenario.spare)
            return
        names = [] if texts in (["none"], []) else texts
        position.set_pieces(number_, names, self.scenario.spare)

    def _classes(self, place: int) -> tuple[str, ...]:
        return self.game.rules.components[self.game.reference.component_of[place]].classes

    def _number(self, words: m.Words, value: Scalar) -> int:
        kind = words.type
        text = value.text
        if isinstance(kind, Flag) and text in ("true", "false"):
            return int(text == "true")
        if isinstance(kind, Elem):
            decl = self.game.rules.types[kind.type]
            if text == "none":
                return NONE
            if text in decl.names:
                return decl.lo + decl.names.index(text)
        elif text.lstrip("-").isdigit():
            return int(text)
        raise CannotPlace(f"`{text}` is no value of it")

    # ---- what happens

    def play(self) -> None:
        for step in self.scenario.steps:
            pairs = mapping(step, "a line of `when`").pairs
            if len(pairs) != 1:
                raise Failed(
                    BadScenario(step.span, "a line of `when` says one thing", "write `- A: lay oak`")
                )
            key, value = pairs[0]
            if key.text == "refused":
                for seat, text in mapping(value, "`refused`").pairs:
                    for written in _texts(text):
                        self._refused(seat, written, text.span)
            elif key.text == "expect":
                self._check(mapping(value, "`expect`").pairs)
            else:
                self._choose(key, word(value, "a choice"))
        self._check(self.scenario.then)

    def _choose(self, seat: Scalar, written: Scalar) -> None:
        self._seat(seat.text, seat.span)
        for _ in range(100):
            if self._offered(seat.text, written.text) or not self._forced():
                break
        try:
            self.match.choose(seat.text, written.text)
        except Fault as fault:
            if fault.mistake.span is NOWHERE:
                raise Fault(_at(fault.mistake, seat.span.to(written.span))) from None
            raise

    def _offered(self, seat: str, written: str) -> bool:
        words = [c.words for d in self.match.decisions() if d.seat == seat for c in d.choices]
        return len(fitting(written, words)) >= 1

    def _forced(self) -> bool:
        """Takes the one decision that has only one value, if it waits."""
        for waiting in self.match.waiting():
            if len(waiting.options) == 1:
                self.match.take(waiting, waiting.options[0])
                return True
        return False

    def _refused(self, seat: Scalar, written: str, span: Span) -> None:
        self._seat(seat.text, seat.span)
        for word_ in written.replace(",", " ").split():
            if word_ not in self.vocabulary and not word_.lstrip("-").isdigit():
                hint = did_you_mean(word_, self.vocabulary)
                raise Failed(BadScenario(span, f"`{word_}` is no word of this game's choices", hint))
        if self._offered(seat.text, written):
            self.differences.append(Difference(f"{seat.text}: {written}", "refused", "offered", span))

    # ---- what is true

    def _check(self, pairs: tuple[tuple[Scalar, Node], ...]) -> None:
        for key, value in pairs:
            wanted, found = self._compare(key, value)
            if wanted != found:
                self.differences.append(
                    Difference(key.text, str(wanted), str(found), key.span.to(value.span))
                )

    def _compare(self, key: Scalar, value: Node) -> tuple[object, object]:
        text = key.text
        if text == "over":
            return word(value, "`over`").text, str(self.match.over).lower()
        if text == "winner":
            wanted = [] if _texts(value) == ["none"] else sorted(_texts(value))
            return wanted, sorted(self.match.winners())
        if text == "phase":
            return word(value, "`phase`").text, self.game.machine.phases[self.match.state[m.PHASE]]
        if text in ("offered", "not offered"):
            return self._compare_offers(text, _texts(value))
        if text.startswith(("score ", "tiebreak ")):
            return word(value, "a score").text, self._score(key)
        seat, sees, address = text.partition(" sees ")
        if sees:
            return self._compare_sight(key.span, seat, address, _texts(value))
        return self._compare_answer(key, value)

    def _compare_sight(self, at: Span, seat: str, address: str, wanted: list[str]) -> tuple[object, object]:
        """What a seat sees of a place: `all` or the pieces, how many they are, or `nothing`."""
        place = self._placing(at, lambda: Position(self.game).place(address))
        found = self.match.view(self._seat(seat, at)).zones[self.game.names.place(place)]
        if not isinstance(found, list):
            return wanted[0] if len(wanted) == 1 else wanted, "nothing" if found is None else str(found)
        if wanted == ["all"]:
            return "all", "all"
        return [] if wanted == ["none"] else sorted(wanted), sorted(found)

    def _compare_offers(self, text: str, items: list[str]) -> tuple[object, object]:
        words = [c.words for d in self.match.decisions() for c in d.choices]
        texts = [" ".join(w) for w in words]
        covered = {i for item in items for i in fitting(item, words)}
        if text == "not offered":
            return [], [texts[i] for i in sorted(covered)]
        useless = [item for item in items if not fitting(item, words)]
        if not useless and covered == set(range(len(words))):
            return items, items
        return items, texts

    def _score(self, key: Scalar) -> str:
        words = key.text.split()
        if len(words) < 3 or words[-2] != "of":
            raise Failed(BadScenario(key.span, "write `score of A` or `score NAME of A`"))
        account = next((a for a in self.match.accounts() if a.seat == words[-1]), None)
        if account is None:
            raise Failed(BadScenario(key.span, f"there is no seat `{words[-1]}`"))
        if len(words) == 3:
            return str(account.total)
        lines = {name: v for name, v, _ in account.lines} if words[0] == "score" else dict(account.tiebreaks)
        if words[1] not in lines:
            raise Failed(BadScenario(key.span, f"there is no line `{words[1]}` in the account"))
        return str(lines[words[1]])

    def _compare_answer(self, key: Scalar, value: Node) -> tuple[object, object]:
        try:
            question = self.questions.ask(key.text)
        except Failed as failed:
            why = failed.mistake.message
            raise Failed(
                BadScenario(key.span, f"`{key.text}` cannot be asked: {why}", failed.mistake.help)
            ) from None
        try:
            found = self.answers.answer(self.match.state, question)
        except Fault as fault:
            raise Fault(_at(fault.mistake, key.span)) from None
        wanted = _texts(value)
        if isinstance(found, list):
            if len(wanted) == 1 and wanted[0].isdigit() and isinstance(value, Scalar):
                return wanted[0], str(len(found))
            return ([] if wanted == ["none"] else sorted(wanted)), found
        return wanted[0] if len(wanted) == 1 else wanted, found


def _vocabulary(game: Game) -> frozenset[str]:
    """Every word that a choice of the game can have."""
    rules = game.rules
    words = {"pass", *rules.routines, *rules.zones, *rules.components}
    for decl in rules.types.values():
        words.update(decl.names)
    for component in rules.components.values():
        words.update(component.classes)
    return frozenset(words)


def _at(mistake: Mistake, span: Span) -> Mistake:
    return replace(mistake, span=span)
