"""Run-time support: functions of a module that come from no single rule.

`write_NAME(builder)` adds one function to a module, or a few; the docstring begins with its signature.
Lowered code calls them by name, as `builder.call("put", ...)`. `pieces` and `histories` must do what their
namesakes in `interpreter/reference` do.
"""
