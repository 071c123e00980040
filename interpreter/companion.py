"""The referee of a physical table: people throw dice and draw cards there, and tell what everybody sees.

What nobody shows stays unknown. The referee puts a placeholder in its place, a possible card. When something
later names a card that the placeholders do not have, it replays the match with placeholders that fit all that
everybody has been told. If none fit, what was told is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from random import Random

from interpreter import ir
from interpreter.events import Moved, Thrown
from interpreter.game import Game
from interpreter.hypotheses import possible_decisions
from interpreter.match import Match
from interpreter.messages import BadOutcome, Fault
from interpreter.redacted_log import entries
from interpreter.views import SPECTATOR

MOST_TRIED = 400
"""How many assignments of placeholders are tried at a time."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A random outcome. If it is not `known`, it is a placeholder for what nobody has shown."""

    stream: str
    text: str
    known: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """The start of the match (no seat), or a choice in words, with the outcomes that followed it.

    `revealed` are the hidden pieces, by class and place, that everybody has seen then and that no choice has
    named.
    """

    seat: str | None
    words: str
    outcomes: tuple[Outcome, ...] = ()
    revealed: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What the referee asks the table, with the possible answers.

    With a `stream`: its next outcome. Otherwise: which piece has come to a `place`.
    """

    possible: tuple[str, ...]
    stream: str | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Revelation:
    """A hidden piece that everybody sees now: its class, its component and the place to which it came."""

    class_name: str
    component: str
    place: int


class OutcomeNeeded(Exception):
    """A match needs an outcome that has not been told yet."""

    def __init__(self, stream: str, possible: Sequence[tuple[str, int]]) -> None:
        super().__init__(stream)
        self.question = Question(tuple(name for name, _ in possible), stream)


class Contradiction(Exception):
    """Placeholders do not fit what everybody has seen."""


@dataclass
class ToldOutcomes:
    """A source of chance: outcomes in the order in which they were told; then random ones, if there is a
    generator, else `OutcomeNeeded`."""

    outcomes: Sequence[Outcome]
    random: Random | None = None
    used: list[Outcome] = field(default_factory=list)

    def pick(self, stream: str, outcomes: Sequence[tuple[str, int]]) -> str:
        if len(self.used) < len(self.outcomes):
            outcome = self.outcomes[len(self.used)]
        elif self.random is None:
            raise OutcomeNeeded(stream, outcomes)
        else:
            names, weights = zip(*outcomes, strict=True)
            outcome = Outcome(stream, self.random.choices(names, weights)[0], False)
        self.used.append(outcome)
        return outcome.text


class Companion:
    """A match at a physical table.

    `match` fits all that has been told; its hidden pieces are placeholders, so it is to be shown as to a
    spectator. While `question` is set, the last choice (`told` so far) waits for an answer by `tell`. From
    `turns` the same companion can be made again. Placeholders depend on the seed and on what was told alone.
    """

    def __init__(self, game: Game, turns: Sequence[Turn] = (), seed: int = 0) -> None:
        """Raises `Fault` if the turns are not possible."""
        self.game = game
        self.question: Question | None = None
        self.turns = list(turns)
        self.match = self._replayed(turns)
        self.seed = seed
        self.told = Turn(None, "")
        self._past: list[tuple[Turn, ...]] = [tuple(turns)]
        self._classes = dict.fromkeys(c for decl in game.rules.components.values() for c in decl.classes)

    def start(self) -> Companion:
        """Begin. Asks for what everybody sees of the set-up."""
        self._go(Turn(None, ""))
        return self

    def draft(self) -> Companion:
        """A copy that can be told more; this one stays as it is."""
        found = copy(self)
        found.turns, found._past = list(self.turns), list(self._past)
        return found

    @property
    def can_take_back(self) -> bool:
        """Whether there is a turn to take back, other than the start."""
        return self.question is not None or (len(self._past) > 1 and bool(self._past[-2]))

    def take_back(self) -> bool:
        """Take back the turn that waits for an answer, else the last one. Returns whether there was one.

        Placeholders are again as they were before it. The start of the match is not taken back.
        """
        if not self.can_take_back:
            return False
        if self.question is None:
            self._past.pop()
        self.question, self.told = None, Turn(None, "")
        if self.turns != list(self._past[-1]):
            self.turns = list(self._past[-1])
            self.match = self._replayed(self.turns)
        return True

    def choose(self, seat: str, words: str) -> None:
        """Carry out a choice. Raises `Fault` if it is not offered, whatever the placeholders are."""
        turn = Turn(seat, words)
        try:
            self._go(turn)
        except Fault as refused:
            wanted = [word for word in reversed(words.split()) if word in self._classes]
            if not any(self._goes(turns) for word in wanted for turns in self._reassigned(turn, word)):
                raise refused from None

    def tell(self, text: str | None) -> None:
        """Answer the question; `None` to the question for an outcome that nobody at the table sees.

        Raises `Fault` if the answer contradicts what was told before.
        """
        question, turn = self.question, self.told
        assert question is not None
        if question.stream is not None:
            placeholder = self._random(turn).choice(question.possible)
            outcome = Outcome(question.stream, text or placeholder, bool(text))
            self._tell_outcome(replace(turn, outcomes=(*turn.outcomes, outcome)), outcome.text)
            return
        if text is None:
            hint = "everybody sees this piece now"
            raise Fault(BadOutcome(self.game.rules.span, "unknown", "what is hidden", hint))
        untold = self._untold(self._tried(turn), turn)
        seen = {found.class_name for found in untold if found.place == question.place}
        turn = replace(turn, revealed=(*turn.revealed, (text, untold[0].place)))
        if text in seen:
            self._go(turn)
        elif not any(self._goes(turns) for turns in self._reassigned(turn, text, seen)):
            hint = "an earlier answer or choice says that it is somewhere else"
            raise Fault(BadOutcome(self.game.rules.span, text, "what is hidden", hint))

    def _tell_outcome(self, turn: Turn, text: str) -> None:
        """Carry out a turn with a new outcome; a placeholder that stands for the same piece is changed."""
        try:
            self._go(turn)
        except Fault:
            if not any(self._goes(turns) for turns in self._released(turn, text)):
                raise

    def named(self, seat: int) -> tuple[str, ...]:
        """The words of the choices of a seat, for every class that a piece nobody has shown can have.

        Not all of them need be possible: `choose` refuses those that nothing hidden fits.
        """
        decisions = possible_decisions(self.match, seat)
        return tuple(dict.fromkeys(choice.text for _, found in decisions for choice in found.choices))

    def answers(self) -> tuple[str, ...]:
        """The possible answers to the question, as far as everybody knows: all classes of a hidden card."""
        question = self.question
        if question is None:
            return ()
        drawn = (
            node.names
            for node in self.game.machine.nodes
            if isinstance(node, ir.Chance)
            and node.place is not None
            and self.game.machine.streams[node.stream] == question.stream
        )
        return tuple(dict.fromkeys(name for names in drawn for name in names)) or question.possible

    # ---- carrying out turns

    def _go(self, turn: Turn) -> None:
        """Carry out a turn as far as it is told; asks for the next thing that everybody sees."""
        while True:
            try:
                match = self._tried(turn)
            except OutcomeNeeded as needed:
                placeholder = self._placeholder(turn, needed.question)
                if placeholder is None:
                    self.told, self.question = turn, needed.question
                    return
                turn = replace(turn, outcomes=(*turn.outcomes, placeholder))
                continue
            untold = self._untold(match, turn)
            if untold:
                possible = self.game.rules.components[untold[0].component].classes
                self.told, self.question = turn, Question(possible, None, untold[0].place)
                return
            self.match, self.question = match, None
            self.turns.append(turn)
            self._past.append(tuple(self.turns))
            return

    def _tried(self, turn: Turn) -> Match:
        """The match after a turn. Raises `Fault` or `OutcomeNeeded`."""
        match = _copy(self.match)
        _run(match, turn, ToldOutcomes(turn.outcomes))
        return match

    def _untold(self, match: Match, turn: Turn) -> list[Revelation]:
        """The revelations of a turn that nobody has named. Raises `Contradiction` if others were named."""
        told, found = list(turn.revealed), []
        for revelation in self._revelations(match, turn):
            if (revelation.class_name, revelation.place) in told:
                told.remove((revelation.class_name, revelation.place))
            else:
                found.append(revelation)
        if told:
            raise Contradiction
        return found

    def _revelations(self, match: Match, turn: Turn) -> list[Revelation]:
        """The hidden pieces that everybody sees by the last turn, except for the one that is chosen in it."""
        views, named = self.game.views, turn.words.split()
        found = []
        for step in match.steps[len(self.match.steps) :]:
            for event in step.events if step.stream is None else ():
                if not isinstance(event, Moved) or views.may_see(event.source, SPECTATOR):
                    continue
                name, number = self.game.names.class_name(event.component, event.class_), event.number
                if name in named:
                    named.remove(name)
                    number -= 1
                if views.may_see(event.to, SPECTATOR):
                    found += [Revelation(name, event.component, event.to)] * number
        return found

    # ---- placeholders

    def _placeholder(self, turn: Turn, question: Question) -> Outcome | None:
        """A placeholder for an outcome that nobody at the table sees; none if it has to be told.

        It is tried with other outcomes: if a spectator would be told the same, nobody sees it. If only one is
        possible with the placeholders so far, what it shows is looked at.
        """
        random = self._random(turn)
        stream, text = question.stream or "", random.choice(question.possible)
        others = [other for other in question.possible if other != text][:2]
        seed = random.random()
        trials = [self._continued(turn, Outcome(stream, t, False), seed) for t in (text, *others)]
        if others:
            hidden = all(_told(trial) == _told(trials[0]) for trial in trials)
        else:
            hidden = not self._shows(trials[0], len(turn.outcomes))
        return Outcome(stream, text, False) if hidden else None

    def _random(self, turn: Turn) -> Random:
        """The generator for the next outcome of a turn."""
        return Random(f"{self.seed} {len(self.turns)} {len(turn.outcomes)}")

    def _continued(self, turn: Turn, outcome: Outcome, seed: float) -> Match | str:
        """The match if a turn continues with an outcome, and at random after it; or why it cannot."""
        trial = _copy(self.match)
        try:
            _run(trial, turn, ToldOutcomes((*turn.outcomes, outcome), Random(seed)))
        except Fault as fault:
            return str(fault)
        return trial

    def _shows(self, trial: Match | str, number: int) -> bool:
        """Whether everybody sees a piece or a face by an outcome of the last turn."""
        if isinstance(trial, str):
            return True
        step = [step for step in trial.steps[len(self.match.steps) :] if step.stream is not None][number]
        seen = self.game.views.redacted(step.events, SPECTATOR)
        pieces = [event.class_ for event in seen if isinstance(event, Moved)]
        faces = [event.face for event in seen if isinstance(event, Thrown)]
        return any(number >= 0 for number in (*pieces, *faces))

    def _reassigned(self, turn: Turn, wanted: str, instead: Collection[str] = ()) -> Iterator[list[Turn]]:
        """All turns and a new one with other placeholders: one of them gets the wanted class.

        With `instead`, one that has one of these classes now. If another one has the wanted class already,
        the two change places; or that one gets any other class.
        """
        turns = [*self.turns, turn]
        unknown = _unknown(turns)
        having = [at for at, text in unknown.items() if text == wanted]
        lacking = [at for at, text in unknown.items() if text != wanted and (not instead or text in instead)]
        changes = chain(
            ({at: wanted} for at in reversed(lacking)),
            ({at: wanted, other: unknown[at]} for at in reversed(lacking) for other in having),
            ({at: wanted, other: c} for at in reversed(lacking) for other in having for c in self._classes),
        )
        for change in islice(changes, MOST_TRIED):
            yield _with_texts(turns, change)

    def _released(self, turn: Turn, unwanted: str) -> Iterator[list[Turn]]:
        """All turns and a new one with other placeholders: one that has the unwanted class gets another."""
        turns = [*self.turns, turn]
        having = [at for at, text in _unknown(turns).items() if text == unwanted]
        changes = ({at: c} for at in reversed(having) for c in self._classes if c != unwanted)
        for change in islice(changes, MOST_TRIED):
            yield _with_texts(turns, change)

    def _goes(self, turns: Sequence[Turn]) -> bool:
        """Carry out the last of some turns, if the others fit all that everybody has been told.

        Returns whether that is possible; if not, nothing has changed.
        """
        *before, turn = turns
        kept = self.turns, self.match
        try:
            match = self._changed(before)
            if entries(match, SPECTATOR) != entries(self.match, SPECTATOR):
                return False
            self.turns, self.match = before, match
            self._go(turn)
        except (Fault, OutcomeNeeded, Contradiction):
            self.turns, self.match = kept
            return False
        return True

    def _changed(self, turns: Sequence[Turn]) -> Match:
        """The match with other placeholders, replayed from the first turn that differs."""
        same = next((i for i, (a, b) in enumerate(zip(self.turns, turns, strict=True)) if a != b), len(turns))
        if same == 0:
            return self._replayed(turns)
        if same == len(turns):
            return self.match
        state, first = self.match.history[same - 1]
        match = Match(self.game, steps=self.match.steps[:first], history=self.match.history[: same - 1])
        match.state = state[:]
        for turn in turns[same:]:
            _run(match, turn, ToldOutcomes(turn.outcomes))
        return match

    def _replayed(self, turns: Sequence[Turn]) -> Match:
        """The match of some turns. Raises `Fault` or `OutcomeNeeded` if it cannot have been so."""
        match = Match(self.game)
        for turn in turns:
            _run(match, turn, ToldOutcomes(turn.outcomes))
        return match


def _run(match: Match, turn: Turn, told: ToldOutcomes) -> None:
    """Carry out a turn with its outcomes. Raises `Fault` or `OutcomeNeeded`; the match is then as before."""
    match.chance = told
    if turn.seat is None:
        match.start()
    else:
        match.choose(turn.seat, turn.words)


def _told(trial: Match | str) -> object:
    """What a spectator is told of a trial: entries, view, and who is asked."""
    if isinstance(trial, str):
        return trial
    asked = [waiting.seat for waiting in trial.waiting()]
    return entries(trial, SPECTATOR), trial.view(SPECTATOR), asked


def _copy(match: Match) -> Match:
    copy = Match(match.game, steps=list(match.steps), history=list(match.history))
    copy.state = match.state[:]
    return copy


def _unknown(turns: Sequence[Turn]) -> dict[tuple[int, int], str]:
    """The placeholders of some turns, by the numbers of turn and outcome."""
    return {
        (i, j): outcome.text
        for i, turn in enumerate(turns)
        for j, outcome in enumerate(turn.outcomes)
        if not outcome.known
    }


def _with_texts(turns: Sequence[Turn], texts: dict[tuple[int, int], str]) -> list[Turn]:
    """Some turns with other texts of outcomes, by the numbers of turn and outcome."""
    found = []
    for i, turn in enumerate(turns):
        outcomes = tuple(replace(o, text=texts.get((i, j), o.text)) for j, o in enumerate(turn.outcomes))
        found.append(replace(turn, outcomes=outcomes))
    return found
