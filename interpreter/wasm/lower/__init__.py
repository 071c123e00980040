"""The machine to instructions: functions over the context of the function that is under construction.

`context` has what they share, and `functions` begins each. `nodes.lower_node` and `expressions.num` have a
case for each node and expression, and lead to all else:

* nodes: `writes`, `set_writes`, `board_writes`, `moves`, `iteration`, `stops`, `triggers`, `calls`
* expressions: `arithmetic`, `folds`, `best_values`, `collections`, `membership`, `histories`, `addresses`
* conditions over all values at once: `bitset_…`, `known_sets`, `columns` and `interpreter/wasm/sets`
* what a decision offers: `options`, with `option_…`, `pair_…` and `value_options`
* trials: `speculation`, `trials`, `trial_paths`, `undo`, `tried_choices`
* in which function code stands: `control`, `frames`, `drivers`; `playout_cfg` makes one of a whole game
* what is known before: `values`, `const_eval`, `slot_intervals`, `presence`

What is lowered does the same as the closures of `interpreter/reference`, fault for fault and event for event.
"""
