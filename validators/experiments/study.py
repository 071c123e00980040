"""What a study of matches comes to: the matches, the course of some, some again with other choices."""

from __future__ import annotations

from dataclasses import dataclass, field

from validators.experiments.course import CourseTally
from validators.experiments.tallies import MatchTally, PairTally, Tally


@dataclass(frozen=True)
class StudyTally(Tally):
    """The tally of all matches, of the courses of some, and of some in pairs with the same chance."""

    matches: MatchTally = field(default_factory=MatchTally)
    course: CourseTally = field(default_factory=CourseTally)
    luck: PairTally = field(default_factory=PairTally)
