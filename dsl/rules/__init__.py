"""The typed rules: names resolved, every expression typed, every node with its span.

This is what the interpreter sees of a ruleset. Nothing here depends on how it was written. The package
gathers the names of its modules, since all of them are used together: `from dsl import rules as r`.
"""

from dsl.rules.about import *  # noqa: F403
from dsl.rules.declarations import *  # noqa: F403
from dsl.rules.definitions import *  # noqa: F403
from dsl.rules.expressions import *  # noqa: F403
from dsl.rules.game import *  # noqa: F403
from dsl.rules.look import *  # noqa: F403
from dsl.rules.statements import *  # noqa: F403
