"""The machine: a flat graph of nodes over a state of fixed size. All numbers, no names to resolve.

A state is an array of 32-bit words. Expressions and collections are small trees; nodes are numbered
and name the nodes that may follow. Both executors run this, and nothing else, of a game.
"""

from interpreter.ir.coverage import *  # noqa: F403
from interpreter.ir.expressions import *  # noqa: F403
from interpreter.ir.nodes import *  # noqa: F403
from interpreter.ir.program import *  # noqa: F403
from interpreter.ir.state import *  # noqa: F403
