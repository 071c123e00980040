"""Records of real play in the notations of a game, and whether its rules offer what was played.

A notation is data of a ruleset: `records/NAME.lark` says how a record is written, `records/NAME.yaml` what
its parts mean in the words of the rules. `grammar` reads the first, `mapping` the second. `parts` has what a
part of a record says, `conditions` evaluates expressions over what is offered, `matching` finds the choices
that a play of a record can mean, `replaying` follows whole records, and `writing` writes a match as a record.
"""
