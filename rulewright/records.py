"""Records of real play on disk: the notations of a ruleset, files of records, and the examples that it has.

The examples of a notation are the files `records/*` with one of its endings: `check` and `test` follow them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dsl.characters import TOKEN
from dsl.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from dsl.load import Questions, load_for_questions
from dsl.rules import Rules
from dsl.source import NOWHERE, Source
from dsl.wording import quoted
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind
from rulewright.files.reading import files_below, read_bytes
from rulewright.library import find, folder, names_in
from rulewright.processes.deadline import TimeIsUp, at_most_busy
from rulewright.sentences.worded_game import worded_game
from validators.records.mapping import read_notation
from validators.records.messages import NoNotation, UnreadRecord
from validators.records.notation import Notation
from validators.records.parts import RecordText
from validators.records.replaying import Followed, RecordReplayer, records_in

FOLDER = "records"
LARGEST_FILE = 1_000_000_000
"""The largest file of records, in bytes."""
MOST_FILES = 1_000_000
NO_NOTATION = "describe one in the folder `records` of the game"
LONGEST = 20.0
"""Seconds of the processor for one record."""


def notations_of(path: Path, shown: str | None = None) -> tuple[Notation, ...]:
    """The notations of a ruleset, by name. Raises `DiagnosticError` if one has a mistake.

    `shown` is the name of the folder in messages, if it is not its own.
    """
    reader = folder(path, shown)
    names = [name.removesuffix(".yaml") for name in names_in(path, FOLDER, ".yaml")]
    return tuple(
        read_notation(name, reader.source(f"{FOLDER}/{name}.yaml"), reader.source(f"{FOLDER}/{name}.lark"))
        for name in names
    )


@dataclass
class RecordGame:
    """A game with its notations. Raises `ErrorsReported` or `DiagnosticError` if it has mistakes."""

    name: str
    executor: ExecutorKind | None = "wasm"

    def __post_init__(self) -> None:
        self.path = find(self.name)
        self.rules, _, self.questions = load_for_questions(folder(self.path))
        self.notations = notations_of(self.path)
        self._replayers: dict[str, RecordReplayer] = {}

    def notation(self, name: str) -> Notation:
        """The notation of a name. Raises `DiagnosticError` with `NoNotation`."""
        found = next((one for one in self.notations if one.name == name), None)
        if found is None:
            hint = did_you_mean(name, self._names()) or self._hint()
            raise DiagnosticError(NoNotation(NOWHERE, f"`{self.rules.name}` has no notation `{name}`", hint))
        return found

    def notation_for(self, file: str) -> Notation | None:
        """The notation of the ending of a file's name."""
        ending = file.rpartition(".")[2].lower()
        return next((one for one in self.notations if ending in one.files), None)

    def _names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.notations)

    def _hint(self) -> str:
        names = self._names()
        return f"its notations are {quoted(names, 'and')}" if names else NO_NOTATION

    def _unnamed(self, why: str, hint: str = "") -> DiagnosticError:
        """That no name of a file says a notation."""
        endings = tuple(f"*.{ending}" for one in self.notations for ending in one.files)
        known = f"{quoted(endings, 'and')} are read{hint}" if endings else self._hint()
        return DiagnosticError(NoNotation(NOWHERE, why, known))

    def replayer(self, notation: Notation) -> RecordReplayer:
        """What follows the records of a notation. Raises `DiagnosticError` if it does not fit the rules."""
        if notation.name not in self._replayers:
            made = replayer(self.rules, self.questions, notation, self.executor)
            made.check()
            self._replayers[notation.name] = made
        return self._replayers[notation.name]

    def sources(self, named: str, notation: Notation | None) -> Iterator[tuple[Notation, Source]]:
        """The files of records that a path names, each with its notation. Raises `DiagnosticError`."""
        path = Path(named)
        if not path.is_dir():
            found = notation or self.notation_for(path.name)
            source = record_source(named)
            if found is None:
                hint = f", another with `--notation {self._names()[0]}`" if self.notations else ""
                raise self._unnamed(f"`{named}` does not say in which notation it is", hint)
            yield found, source
            return
        files = [(self.notation_for(file.name), file) for file in sorted(files_below(path, MOST_FILES))]
        read = [(kind, file) for kind, file in files if kind is not None and notation in (None, kind)]
        if not read:
            raise self._unnamed(f"`{named}` has no file of records")
        for kind, file in read:
            yield kind, record_source(str(file))

    def follow(self, notation: Notation, source: Source) -> Iterator[Followed]:
        """The records of a file, each as far as the rules offer what it says. Raises `DiagnosticError`."""
        return followed_all(self.replayer(notation), source)


def replayer(
    rules: Rules, questions: Questions, notation: Notation, executor: ExecutorKind | None
) -> RecordReplayer:
    """What follows the records of a notation under rules."""
    return RecordReplayer(
        notation,
        questions,
        lambda seats, options: worded_game(rules, compile_rules(rules, seats, options), executor),
    )


def followed_all(follower: RecordReplayer, source: Source) -> Iterator[Followed]:
    """The records of a file; of one without a record that there is none."""
    found = False
    for record in records_in(source, follower.notation):
        found = True
        yield followed(follower, record)
    if not found:
        begins = follower.notation.begins
        why = f"no line begins with `{begins}`, as each record does" if begins else "there is nothing in it"
        yield Followed(source.beginning, 0, UnreadRecord(source.beginning, why))


def followed(follower: RecordReplayer, record: RecordText) -> Followed:
    """A record, followed within `LONGEST`."""
    try:
        with at_most_busy(LONGEST):
            return follower.follow(record)
    except TimeIsUp:
        span = record.source.span_of_line(record.source.position(record.start)[0])
        return Followed(span, 0, UnreadRecord(span, f"it takes more than {LONGEST:.0f} seconds"))


def record_source(named: str) -> Source:
    """A file of records as text: UTF-8, or else Latin-1 as in old files. Raises `DiagnosticError`."""
    data = read_bytes(named, LARGEST_FILE).removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Source(named, TOKEN.sub(lambda found: " " if found[1] else found[0], text))


def examples(path: Path, notation: Notation, shown: str | None = None) -> Iterator[Source]:
    """The records that a ruleset has as examples of a notation. Raises `DiagnosticError`."""
    reader = folder(path, shown)
    for ending in notation.files:
        for name in names_in(path, FOLDER, f".{ending}"):
            yield reader.source(f"{FOLDER}/{name}")


def mistakes(
    path: Path, rules: Rules, executor: ExecutorKind | None = "reference", shown: str | None = None
) -> Iterator[Diagnostic]:
    """What is wrong with the notations of a ruleset, and with the examples of them."""
    try:
        notations = notations_of(path, shown)
        if not notations:
            return
        questions = load_for_questions(folder(path, shown))[2]
        for notation in notations:
            follower = replayer(rules, questions, notation, executor)
            follower.check()
            for source in examples(path, notation, shown):
                found = followed_all(follower, source)
                yield from (one.diagnostic for one in found if one.diagnostic is not None)
    except DiagnosticError as failed:
        yield failed.diagnostic
