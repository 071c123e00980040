"""The referee of a physical table: people roll dice and draw cards there, and enter what everybody sees.

What nobody shows stays unknown. The referee puts a placeholder in its place, a possible card. When something
later names a card that the placeholders do not have, it replays the match with placeholders that fit all that
everybody has been told. If none fit, what was told is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from copy import copy
from dataclasses import replace

from interpreter import ir
from interpreter.events import EVERYBODY, Moved, Shown, Thrown
from interpreter.formatting import fitting
from interpreter.game import Game, MatchStep
from interpreter.hypotheses import possible_decisions
from interpreter.match import Match
from interpreter.messages import BadOutcome, Fault
from interpreter.placeholders import (
    MOST_TRIED,
    Search,
    TooFar,
    copied,
    match_before,
    reassigned,
    released,
    run,
)
from interpreter.redacted_log import entries
from interpreter.sights import SPECTATOR
from interpreter.told import (
    Contradiction,
    Outcome,
    OutcomeNeeded,
    Question,
    Revelation,
    ToldOutcomes,
    Turn,
    exhaust,
    picked,
)

FEWEST_TRIED = 24
"""How many assignments are tried for a choice that no hidden piece of any class seems to allow."""


class Companion:
    """A match at a physical table.

    `match` fits all that has been told; its hidden pieces are placeholders, so it is to be shown as to a
    spectator. While `question` is set, the last choice (`told` so far) waits for an answer by `tell`. From
    `turns` the same companion can be made again. Placeholders depend on the seed and on what was told alone.

    Finding placeholders can take long. So `starting`, `choosing` and `telling` do it step by step, and
    others can have a turn between two steps; the companion is changed after the last one.
    """

    def __init__(self, game: Game, turns: Sequence[Turn] = (), seed: int = 0) -> None:
        """Raises `Fault` if the turns are not possible."""
        self.game = game
        self.question: Question | None = None
        self.turns = list(turns)
        self.match = self._replayed(turns)
        self.seed = seed
        self.told = Turn(None, "")
        self.given: list[str | None] = []
        self.past: list[tuple[Turn, ...]] = [tuple(turns)]
        self._classes = dict.fromkeys(c for decl in game.rules.components.values() for c in decl.classes)

    def start(self) -> Companion:
        """Begin. Asks for what everybody sees of the set-up."""
        exhaust(self.starting())
        return self

    def starting(self) -> Iterator[None]:
        """Begin, step by step."""
        self.given = []
        yield from self._go(Turn(None, ""))

    def draft(self) -> Companion:
        """A copy that can be told more; this one stays as it is."""
        found = copy(self)
        found.turns, found.past, found.given = list(self.turns), list(self.past), list(self.given)
        return found

    # ---- taking back

    @property
    def can_take_back(self) -> bool:
        """Whether something was told that can be taken back."""
        if not self.past[-1]:
            return bool(self.given)
        return self.question is not None or len(self.turns) > 1 or _is_told(self.turns[0])

    @property
    def last_is_answer(self) -> bool:
        """Whether what was told last is an answer, as far as that is known."""
        if self.question is not None:
            return bool(self.given)
        return bool(self.turns) and _is_told(self.turns[-1])

    def take_back(self) -> bool:
        """Take back the turn that waits for an answer, else the last one; of the set-up, what was told of it.

        Returns whether there was something to take back. Placeholders are again as they were before it.
        """
        if not self.can_take_back:
            return False
        if self.question is None:
            self.past.pop()
        self._as_before()
        if not self.turns:
            self.start()
        return True

    def _as_before(self) -> None:
        """The match before the turn that waits for an answer."""
        self.question, self.told, self.given = None, Turn(None, ""), []
        turns = list(self.past[-1])
        both = enumerate(zip(self.turns, turns, strict=False))
        same = next((i for i, (a, b) in both if a != b), min(len(self.turns), len(turns)))
        if len(self.turns) > same or len(turns) > same:
            match = match_before(self.match, same)
            for turn in turns[same:]:
                run(match, turn)
            self.turns, self.match = turns, match

    # ---- telling

    def choose(self, seat: str, words: str) -> None:
        """Carry out a choice. Raises `Fault` if it is not offered, whatever the placeholders are."""
        exhaust(self.choosing(seat, words))

    def choosing(self, seat: str, words: str) -> Iterator[None]:
        """Carry out a choice, step by step. Raises `Fault`."""
        turn, given = Turn(seat, words), self.given
        self.given = []
        try:
            yield from self._go(turn)
            return
        except Fault as fault:
            refused = fault
        most = MOST_TRIED if self._may_be_offered(seat, words) else FEWEST_TRIED
        likely = self._offered_instead(seat, words)
        for word in (word for word in reversed(words.split()) if word in self._classes):
            others = reassigned(self.game, [*self.turns, turn], word, likely, only=False)
            if (yield from self._first_that_goes(others, most)):
                return
        self.given = given
        raise refused

    def _may_be_offered(self, seat: str, words: str) -> bool:
        """Whether a choice is offered if all hidden pieces are of the same class."""
        number = self.game.seat_number(seat)
        return any(
            fitting(words, [choice.words for choice in decision.choices])
            or self.game.including(decision.waiting, words) != decision.waiting
            for _, decision in possible_decisions(self.match, number)
        )

    def _offered_instead(self, seat: str, words: str) -> set[str]:
        """The classes for which a choice is offered that differs from some words in a class alone."""
        wanted, found = words.split(), set()
        for choice in (c for d in self.match.decisions() if d.seat == seat for c in d.choices):
            if len(choice.words) == len(wanted):
                differ = [(a, b) for a, b in zip(wanted, choice.words, strict=True) if a != b]
                if len(differ) == 1 and set(differ[0]) <= self._classes.keys():
                    found.add(differ[0][1])
        return found

    def tell(self, text: str | None) -> None:
        """Answer the question; `None` to the question for an outcome that nobody at the table sees.

        Raises `Fault` if the answer contradicts what was told before.
        """
        exhaust(self.telling(text))

    def telling(self, text: str | None) -> Iterator[None]:
        """Answer the question, step by step. Raises `Fault`."""
        question, turn = self.question, self.told
        assert question is not None
        if question.stream is not None:
            outcome = Outcome(question.stream, text or picked(self._key(turn), question.possible), bool(text))
            yield from self._tell_outcome(replace(turn, outcomes=(*turn.outcomes, outcome)), outcome.text)
        elif text is None:
            hint = "everybody sees this piece now"
            raise Fault(BadOutcome(self.game.rules.span, "unknown", "what is hidden", hint))
        else:
            yield from self._tell_piece(turn, question, text)
        self.given.append(text)

    def _tell_outcome(self, turn: Turn, text: str) -> Iterator[None]:
        """Carry out a turn with a new outcome; a placeholder that stands for the same piece is changed."""
        try:
            yield from self._go(turn)
            return
        except Fault as fault:
            refused = fault
        others = released(self.game, [*self.turns, turn], text)
        if not (yield from self._first_that_goes(others, MOST_TRIED)):
            raise refused

    def _tell_piece(self, turn: Turn, question: Question, text: str) -> Iterator[None]:
        """Say which piece has come to a place; if a placeholder is another one, it is changed."""
        untold = self._untold(self._tried(turn), turn)
        seen = {found.class_name for found in untold if found.place == question.place}
        turn = replace(turn, revealed=(*turn.revealed, (text, untold[0].place)))
        if text in seen:
            yield from self._go(turn)
            return
        others = reassigned(self.game, [*self.turns, turn], text, seen, only=True)
        if not (yield from self._first_that_goes(others, MOST_TRIED)):
            hint = "an earlier answer or choice says that it is somewhere else"
            raise Fault(BadOutcome(self.game.rules.span, text, "what is hidden", hint))

    # ---- what can be said

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

    def _go(self, turn: Turn) -> Iterator[None]:
        """Carry out a turn as far as it is told; asks for the next thing that everybody sees."""
        while True:
            yield
            try:
                match = self._tried(turn)
            except OutcomeNeeded as needed:
                placeholder = yield from self._placeholder(turn, needed.question)
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
            self.past.append(tuple(self.turns))
            return

    def _tried(self, turn: Turn) -> Match:
        """The match after a turn. Raises `Fault` or `OutcomeNeeded`."""
        match = copied(self.match)
        run(match, turn)
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
        found: list[Revelation] = []
        laid: dict[int, int] = {}
        for step in match.steps[len(self.match.steps) :]:
            for event in step.events:
                if isinstance(event, Shown) and event.seat == EVERYBODY:
                    found += self._on_top(event, laid)
                    continue
                if isinstance(event, Moved) and self._is_known(step, event, named):
                    laid[event.to] = event.class_
                if (
                    step.stream is not None
                    or not isinstance(event, Moved)
                    or views.may_see(event.source, SPECTATOR)
                ):
                    continue
                name, number = self.game.names.class_name(event.component, event.class_), event.number
                if name in named:
                    named.remove(name)
                    number -= 1
                if views.may_see(event.to, SPECTATOR):
                    found += [Revelation(name, event.component, event.to)] * number
        return found

    def _is_known(self, step: MatchStep, event: Moved, named: list[str]) -> bool:
        """Whether everybody knows which piece is moved: it was seen, chosen by its name, or told."""
        views, name = self.game.views, self.game.names.class_name(event.component, event.class_)
        seen = views.may_see(event.source, SPECTATOR) or event.source in views.tops
        return seen or name in named or step.stream is not None

    def _on_top(self, event: Shown, laid: dict[int, int]) -> Iterator[Revelation]:
        """The topmost pieces that everybody newly sees; `laid`: what is known to have been put there."""
        for place, class_, _ in event.pieces or ():
            if laid.get(place) != class_:
                component = self.game.machine.place_components[self.game.machine.places[place].zone]
                yield Revelation(self.game.names.class_name(component, class_), component, place)

    def _first_that_goes(self, others: Iterator[list[Turn]], most: int) -> Generator[None, None, bool]:
        """Carry out the last of the first turns that fit all that everybody has been told.

        Returns whether there are some; if not, nothing has changed.
        """
        search, kept = Search(self.match, self.turns), (self.turns, self.match)
        for number, turns in enumerate(others):
            if number == most:
                return False
            *before, turn = turns
            try:
                match = yield from search.changed(before)
                self.turns, self.match = before, match
                yield from self._go(turn)
                return True
            except TooFar:
                return False
            except (Fault, OutcomeNeeded, Contradiction):
                self.turns, self.match = kept
        return False

    # ---- placeholders

    def _placeholder(self, turn: Turn, question: Question) -> Generator[None, None, Outcome | None]:
        """A placeholder for an outcome that nobody at the table sees; none if it has to be told.

        It is tried with other outcomes: if a spectator would be told the same, nobody sees it. If only one is
        possible with the placeholders so far, what it shows is looked at.
        """
        stream, text = question.stream or "", picked(self._key(turn), question.possible)
        zone = self.game.rules.zones.get(stream)
        if zone is not None and zone.seen_by == "top":
            return Outcome(stream, text, False)  # what lies on top is asked when all is shuffled
        tried = (text, *[other for other in question.possible if other != text][:2])
        trials = []
        for one in tried:
            trials.append(self._continued(turn, Outcome(stream, one, False), tried))
            yield
        if len(tried) > 1:
            hidden = all(self._shown(trial) == self._shown(trials[0]) for trial in trials[1:])
        else:
            hidden = not self._shows(trials[0], len(turn.outcomes))
        return Outcome(stream, text, False) if hidden else None

    def _key(self, turn: Turn) -> str:
        """What the placeholder for the next outcome of a turn follows from."""
        return f"{self.seed} {len(self.turns)} {len(turn.outcomes)}"

    def _continued(self, turn: Turn, outcome: Outcome, avoided: Collection[str]) -> Match | str:
        """The match if a turn continues with an outcome, and somehow after it; or why it cannot."""
        trial = copied(self.match)
        try:
            run(trial, turn, ToldOutcomes((*turn.outcomes, outcome), self._key(turn), avoided))
        except Fault as fault:
            return str(fault)
        return trial

    def _shown(self, trial: Match | str) -> object:
        """What a spectator is told of a trial: news, view, and who is asked."""
        if isinstance(trial, str):
            return trial
        views, asked = self.game.views, [waiting.seat for waiting in trial.waiting()]
        seen = views.pieces(trial.state, SPECTATOR), views.words(trial.state, SPECTATOR)
        return entries(trial, SPECTATOR, len(self.match.steps)), seen, asked, trial.over

    def _shows(self, trial: Match | str, number: int) -> bool:
        """Whether everybody sees a piece or a face by an outcome of the last turn."""
        if isinstance(trial, str):
            return True
        step = [step for step in trial.steps[len(self.match.steps) :] if step.stream is not None][number]
        seen = self.game.views.redacted(step.events, SPECTATOR)
        pieces = [event.class_ for event in seen if isinstance(event, Moved)]
        faces = [event.face for event in seen if isinstance(event, Thrown)]
        return any(number >= 0 for number in (*pieces, *faces))

    def _replayed(self, turns: Sequence[Turn]) -> Match:
        """The match of some turns. Raises `Fault` or `OutcomeNeeded` if it cannot have been so."""
        match = Match(self.game)
        for turn in turns:
            run(match, turn)
        return match


def _is_told(turn: Turn) -> bool:
    """Whether people have told something of a turn."""
    return bool(turn.revealed) or any(outcome.known for outcome in turn.outcomes)
