"""Every D-code, one class per mistake, by theme. The docstring of each is its explanation.

Importing this package fills the register. It gathers the names of its modules for the stages after the
language; the language itself imports from the module that defines a mistake.
"""

from dsl.messages.boards import *  # noqa: F403
from dsl.messages.files import *  # noqa: F403
from dsl.messages.game import *  # noqa: F403
from dsl.messages.looks import *  # noqa: F403
from dsl.messages.names import *  # noqa: F403
from dsl.messages.records import *  # noqa: F403
from dsl.messages.shapes import *  # noqa: F403
from dsl.messages.sheets import *  # noqa: F403
from dsl.messages.sizes import *  # noqa: F403
from dsl.messages.statements import *  # noqa: F403
from dsl.messages.text import *  # noqa: F403
from dsl.messages.types import *  # noqa: F403
