"""Makes Python lack what Windows lacks: found by `PYTHONPATH`, Python imports this when it starts.

Modules are refused to this product only: those of the standard library choose theirs by the system's name.
"""

from __future__ import annotations

import builtins
import importlib
import os
import signal
from collections.abc import Mapping, Sequence
from types import ModuleType

ABSENT = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog"}
OURS = ("rulewright", "interpreter", "dsl", "validators")
WITHOUT = {
    os: ("fork", "forkpty", "killpg", "setsid", "fchmod", "fchown", "chown", "O_NOFOLLOW"),
    signal: ("SIGALRM", "setitimer", "getitimer", "alarm", "ITIMER_REAL", "SIGHUP"),
}

_import = builtins.__import__


def _refusing(
    name: str,
    globals: Mapping[str, object] | None = None,
    locals: Mapping[str, object] | None = None,
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> ModuleType:
    asking = str((globals or {}).get("__name__", ""))
    if name in ABSENT and asking.split(".")[0] in OURS:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return _import(name, globals, locals, fromlist, level)


for module in ("asyncio", "multiprocessing.connection", "shutil", "subprocess", "tempfile"):
    importlib.import_module(module)  # it looks at what the system has when it is imported
for owner, names in WITHOUT.items():
    for name in names:
        if hasattr(owner, name):
            delattr(owner, name)
builtins.__import__ = _refusing
