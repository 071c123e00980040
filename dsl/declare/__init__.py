"""Declarations: from `game.yaml` to the symbol table."""
