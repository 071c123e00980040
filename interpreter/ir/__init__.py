"""The intermediate representation: a machine is a control-flow graph over a state of fixed size.

A state is an array of 32-bit words. Expressions and collections are trees; nodes are numbered, and each has
the numbers of its successors. Both executors run this and nothing else.
"""

from interpreter.ir.coverage import *  # noqa: F403
from interpreter.ir.expressions import *  # noqa: F403
from interpreter.ir.history_layout import *  # noqa: F403
from interpreter.ir.nodes import *  # noqa: F403
from interpreter.ir.program import *  # noqa: F403
from interpreter.ir.state import *  # noqa: F403
