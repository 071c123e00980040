# What a game in one file alone says.

human = a person
take-players = Who plays?
begin = Begin
hand-over = It is the turn of { $name }
hand-over-about = Give the device to { $name }. Nothing is shown until they take it.
hand-over-take = I am { $name }
log-opened = The log is open.
replace-match = Leave this match?
variant = Variant
error-no-companion = This is the log of a physical table, which `rulewright export --companion` follows.
