"""Profiles: which lines of the rules take the work of a match, and hints how to save it.

The module counts while it plays (`interpreter/wasm/metering.py`). `lines` adds that up for each line, and
`hints` looks for work that need not be done, with the help of `flow`: what expressions read and nodes change.
"""
