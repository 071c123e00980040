"""Rulesets as values that can be sent to other processes: their files, by the hash of their content."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from dsl.folder import Folder, fetch_of
from dsl.load import load
from dsl.rules import Rules
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind, Game
from interpreter.garbage import garbage_collection_paused
from rulewright.learn.policy_names import player_named
from rulewright.learn.policy_words import POLICY
from rulewright.versions.revisions import open_version
from validators.experiments.jobs import Job, Variant
from validators.experiments.players import add_players

add_players(POLICY, player_named)


@dataclass(frozen=True)
class Ruleset:
    """The files of a ruleset by path, those of a game that it changes below `base/`."""

    name: str
    digest: str
    files: tuple[tuple[str, bytes], ...]

    def rules(self) -> Rules:
        """Raises `ErrorsReported` or `DiagnosticError` if it has mistakes."""
        return load(Folder(self.name, fetch_of(dict(self.files)), with_look=False))[0]


def read_ruleset(version: str) -> Ruleset:
    """A game by name, a folder, or a folder at a revision, `FOLDER@REVISION`.

    Raises `ErrorsReported` or `DiagnosticError` if it has mistakes.
    """
    return ruleset_of(open_version(version))


def ruleset_of(reader: Folder) -> Ruleset:
    """The files of a version that load. Raises `ErrorsReported` or `DiagnosticError` if it has mistakes."""
    with garbage_collection_paused():
        load(reader)
    return Ruleset(reader.name, reader.digest(), tuple(sorted(reader.files.items())))


class RulesetGames:
    """The compiled games of some rulesets; each process has one."""

    def __init__(self, rulesets: Iterable[Ruleset]) -> None:
        self.rulesets = {ruleset.digest: ruleset for ruleset in rulesets}
        self._game = lru_cache(maxsize=16)(self._compiled)

    def learn(self, rulesets: Iterable[Ruleset]) -> None:
        """Further rulesets."""
        for ruleset in rulesets:
            self.rulesets.setdefault(ruleset.digest, ruleset)

    def game(self, variant: Variant, executor: ExecutorKind) -> Game:
        """Raises `ErrorsReported` or `DiagnosticError` for options that there are not."""
        return self._game(variant, executor)

    def _compiled(self, variant: Variant, executor: ExecutorKind) -> Game:
        with garbage_collection_paused():
            rules = self.rulesets[variant.digest].rules()
            game = Game(rules, compile_rules(rules, variant.seats, dict(variant.options)), executor)
            return game.in_parts


def needed(rulesets: Mapping[str, Ruleset], job: Job) -> tuple[Ruleset, ...]:
    """The rulesets that a job names."""
    return tuple(rulesets[digest] for digest in dict.fromkeys(v.digest for v in job.variants))
