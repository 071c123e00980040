"""Functions for many matches side by side, and tree search over them, inside a module.

`rows` says where matches stand in linear memory, `matches`, `steps` and `random_play` move them on, `options`
and `observe` write masks and observations, `results` what an end is worth. A search has its nodes in a `tree`
and the functions of `search`, with `recall`, `proofs` and `widening`; `sweeps` is value iteration. From
Python, `interpreter/wasm/batch.py` and `interpreter/bots/tree_search.py` call them.
"""
