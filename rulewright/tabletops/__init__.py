"""Where people test: a game as pictures, and as files of programs that are tables without rules."""

from typing import Literal

Table = Literal["images", "tts", "playground", "screentop"]
"""For what a game is exported: pictures alone, or a table in which it is set up."""
