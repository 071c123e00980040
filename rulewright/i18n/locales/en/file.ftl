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
log-torn = The log is open up to line { $line }; its end is damaged and was left out.
log-line = The first difference is in line { $line }.
error-other-version = This log is of another version of the program.
error-notation = This is a notation, which `rulewright replay FILE` plays again; this page opens logs.
