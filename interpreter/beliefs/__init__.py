"""What a seat may believe: worlds that fit all that it has been told, with their weights.

`beliefs` is the entry point. All is computed from the rules and a `seat_log`, never from the match, so that
it tells nothing the seat may not know. `simulation` plays the match again in a world. `enumeration` finds all
worlds, exactly; `particles` samples where they are too many. `foresight` proposes what is drawn unseen, by
the `fates`, `flows`, `reveals` and `bans` that the log implies, and `opponents` says how likely others would
have chosen so. `drawing` gives worlds to bots.
"""
