# What a game in one file alone says.

human = a person
take-players = Who plays?
begin = Begin
log-opened = The log is open.
replace-match = Leave this match?
variant = Variant
error-no-companion = This is the log of a physical table, which `rulewright export --companion` follows.
error-other-game = This is the log of another game.
error-other-rules = This log was written under other rules of this game.
error-other-table = This log is of another number of players, or of other options, than this file has.
