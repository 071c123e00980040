"""The compiler: from typed rules to a machine, for one number of seats and one setting of the options.

`program` is the driver. `layout` gives every value its words in the state. Lowering is one class in layers:
`expressions` (with `collections`, `modifiers`, `stepping`), `frames`, and `statements`, which hands over to
`pieces`, `writes`, `chance`, `chosen_sets` and `routines`; `flow` lowers the phases. Analyses of rules say
what lowering may leave out (`exclusion`, `nullability`), where a decision asks nobody (`asking`), what can
refuse (`refusing`), and what secrets a refusal or an offer would tell (`hidden_reads`, `secret_reads`,
`line_reads`, `tested_reads`).
"""
