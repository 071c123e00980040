"""Environments for learning libraries: one set of rules, the same spaces in each of them.

`catalogue` numbers the actions, decisions and columns of a game, as `tables` finds them in its machine, and
`space` has one ready for play. `play` is one match under it, `vector` many, `positions` the tree of
positions. `gymnasium`, `pettingzoo` and `openspiel` adapt these to their libraries. Policies are ONNX files
(`onnx_files`, `network`), and play as bots (`policy_bot`), as `opponents` and in pages (`page_policy`).
Numbers of a catalogue stay what they are: models depend on them.
"""
