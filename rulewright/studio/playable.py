"""The rules that can be played: a look with mistakes is no reason to stop."""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.diagnostics import Report, Severity
from dsl.folder import Folder
from dsl.load import Analysis, analyse
from dsl.rules import Rules
from dsl.sheets.delimited import is_table
from rulewright.editors.open_rulesets import OpenRuleset

RULES = ".rules"
"""The end of the files of rules; a look is in none of them, nor in a table."""


@dataclass(frozen=True)
class Playable:
    """Rules without mistakes, and the files that they were read from."""

    rules: Rules
    folder: Folder


@dataclass(eq=False)
class PlayableRules:
    """Reads the rules of a ruleset as it is now. Where nothing but its look has mistakes, the game looks as
    it did before; if its rules have changed since, it looks as games without a look do."""

    ruleset: OpenRuleset
    _last: Playable | None = None
    """What was read without mistakes last."""
    _plain: tuple[int, Playable | None] = field(default=(-1, None))
    """What was read without its look, and of which version."""

    def read(self) -> Playable | None:
        """The rules as they are now; none if they have mistakes."""
        analysis = self.ruleset.read().analysis
        if analysis.rules is not None:
            if self._last is None or self._last.rules is not analysis.rules:
                self._last = Playable(analysis.rules, analysis.folder)
            return self._last
        if not _may_be_the_look(analysis.report):
            return None
        version, found = self._plain
        if version != self.ruleset.version:
            found = self._without_look(analysis)
            self._plain = self.ruleset.version, found
        return found

    def _without_look(self, broken: Analysis) -> Playable | None:
        folder = self.ruleset.workspace.folder()
        plain = analyse(Folder(folder.name, folder.fetch, with_look=False, known=broken.folder.sources))
        if plain.rules is None:
            return None
        last = self._last
        if last is not None and last.rules.digest == plain.rules.digest:
            return last
        return Playable(plain.rules, plain.folder)


def _may_be_the_look(report: Report) -> bool:
    errors = [one for one in report if one.severity is Severity.ERROR]
    return not any(one.span.source.name.endswith(RULES) or is_table(one.span.source.name) for one in errors)
