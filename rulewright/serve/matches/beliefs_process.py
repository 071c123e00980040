"""The process that works out what a viewer of a table could know, bounded in time and memory.

It reads from standard input what the server has pickled, and writes one JSON object.
"""

from __future__ import annotations

import json
import pickle
import sys
from typing import Any

from dsl.load import load
from interpreter.beliefs.beliefs import believe
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.messages import Fault
from rulewright.presentation.beliefs import beliefs_json
from rulewright.processes.deadline import TimeIsUp, at_most_busy
from rulewright.serve.games.unpacking import folder_of
from rulewright.serve.games.upload_process import bound
from rulewright.serve.matches.beliefs import Asked

SECONDS = 10
"""Of the processor."""
STEPS = 30_000
"""What the beliefs may cost: of most games it is a second or two."""


def main() -> None:
    """Answer what standard input asks for."""
    bound()
    json.dump(answered(pickle.load(sys.stdin.buffer)), sys.stdout)


def answered(asked: Asked) -> dict[str, Any]:
    """The beliefs of a log under the rules of some files, or why there are none."""
    name, files, seats, options, log = asked
    try:
        with at_most_busy(SECONDS):
            rules, _ = load(folder_of(name, files))
            game = Game(rules, compile_rules(rules, seats, options))
            return beliefs_json(believe(game, log, steps=STEPS))
    except Fault as fault:
        return {"failed": fault.diagnostic.code}
    except (TimeIsUp, MemoryError, RecursionError):
        return {"failed": ""}
