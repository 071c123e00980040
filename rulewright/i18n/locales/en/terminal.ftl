# What the terminal says beside what the table says.

## Turns
terminal-only-choice = (the only choice)
terminal-stopped = { $seat } was stopped while it thought, and chose by what it had found.
terminal-your-turn = { $seat }, it is your turn.
terminal-alone = When only { $seat } looks at the screen, press Enter.
terminal-go-on = press Enter to go on
terminal-kind-human = player
terminal-kind-random = random
terminal-kind-easy = easy
terminal-kind-medium = medium
terminal-kind-hard = hard
terminal-kind-absent = absent
terminal-asked = { $seat }: { $what }
terminal-asked-doing = { $seat }: { $what } ({ $doing })
terminal-chooses = { $seat } chooses: { $what } ({ $doing })
terminal-of-set = { $what }, { $index } of { $number }, in the order of the list
terminal-of-set-between = { $what }, { $index } of { $least } to { $number }, in the order of the list
terminal-more-to-choose = { $what }, { $number } more
terminal-type-the-number = type the number
terminal-top-on = { $piece } on { $number }
terminal-more-kinds = and { $number } more kinds

## Answers
terminal-unknown-choice = unknown choice { $typed }: choose from { $keys }
terminal-which-of-these = which of these: { $choices }
terminal-unknown-command = unknown command or choice `{ $typed }`; `help` lists the commands
terminal-unknown-word = unknown word `{ $typed }`
terminal-why-what = why what? `why …` with words like those at the choices
terminal-is-offered = it is offered: { $choices }
terminal-may-be-possible = it may be possible
terminal-cannot-be-chosen = `{ $typed }` cannot be chosen: { $why }
terminal-range = from { $first } to { $last }
terminal-range-in-steps = from { $first } to { $last } in steps of { $step }
terminal-or = { $ranges }, or { $range }

## Taking back
terminal-undo-how-many = how many? `undo` takes back one choice, `undo 3` three
terminal-undone-nothing = nothing was taken back: { $why }
terminal-undone-own = { $number ->
    [one] your last choice is taken back
   *[other] your last { $number } choices are taken back
}
terminal-undone-all = { $own }, { $number } in all
terminal-wants-back = { $number ->
    [one] { $seat } wants to take back the last choice, but { $why }.
   *[other] { $seat } wants to take back the last { $number } choices, but { $why }.
}
terminal-agree = { $seat }, do you agree? { $yes } or { $no }:
terminal-does-not-agree = { $why }; { $seat } does not agree
terminal-cannot-agree = { $why }; { $seat } ({ $kind }) cannot agree to it
terminal-undo-nothing = nothing has been chosen yet
terminal-undo-fewer = there are fewer choices than that
terminal-undo-still = others choose at the same time, and their choices are not known yet
terminal-undo-at-once = everybody has seen what was chosen at the same time, which cannot be unseen
terminal-undo-chance = a random outcome has been seen since, which cannot be unseen
terminal-undo-shown = something was revealed since, which cannot be unseen
terminal-undo-may-be-shown = somebody may have been shown something since, which cannot be unseen
terminal-undo-uncovered = somebody has seen something new since, which cannot be unseen
terminal-undo-chosen-since = { $seat } has chosen since
terminal-undo-made-the-last = the last choice was made by { $seat }
terminal-undo-fewer-of-seat = { $seat } has not made that many choices yet
terminal-taken-back = taken back

## Commands
terminal-help-choose = choose, by number or by words like those at the choice
terminal-help-explain = explain a choice, or anything on the table; `?` alone explains the decision
terminal-help-why = why something is not offered
terminal-help-undo = take back your last choice, or N; if somebody has learned or chosen something since, the others are asked
terminal-help-hint = what a search of N iterations would choose, from what you know; also `easy`, `policy:…`
terminal-help-view = draw the table again, with nothing left out
terminal-help-log = recent events; `log all` for everything
terminal-help-score = the current score, with the rules behind it
terminal-help-save = save the match in a file; resume it with `--resume`
terminal-help-quit = leave the table
terminal-help-help = this list
terminal-more-before = { $number } more before; `log all` shows them
terminal-log-before = … `log` shows what came before
terminal-save-where = save where? `save` with the name of a file
terminal-saved = saved; resume with `--resume { $file }`
terminal-save-first = save the match first? a file name, or Enter for no:
terminal-other-log = Enter to try again, a file name to keep the match there, `none` to continue without, `quit` to leave:

## Hints
terminal-hint-stopped = the search was stopped
terminal-hint-none = nothing can be said of these choices
terminal-hint-for-instance = for instance { $moves }
terminal-hint-chosen-with = { $choice }  chosen with { $share }%
terminal-hint-policy = by the policy { $name }, from what you know{ $rest }
terminal-hint-value = { $choice }  value { $value }
terminal-hint-tried = { $choice }  value { $value }, tried { $share }%
terminal-hint-proved = { $choice }  { $proof }, tried { $share }%
terminal-hint-solved = solved: { $value }%, by all { $positions } positions that can follow{ $rest }
terminal-hint-noise = the values of the first { $number } choices differ by no more than chance, about { $error }: ask with more iterations
terminal-hint-after = { $number ->
    [one] after { $iterations } iterations from one position{ $rest }
   *[other] after { $iterations } iterations from { $number } positions that you cannot tell apart{ $rest }
}
terminal-hint-rest = { $number ->
    [one] , and one more choice
   *[other] , and { $number } more choices
}

## The end
terminal-end-won = the game is won
terminal-end-lost = the game is lost
terminal-end-over = the game is over
terminal-nobody-wins = nobody wins
terminal-wins = { $seat } wins
terminal-everybody-wins = everybody wins
terminal-win = { $seats } win
terminal-share = { $seats } share the victory
terminal-undecided = who has won depends on what nobody has shown
terminal-end-named = { $end }: { $who }
terminal-player = { $seat } ({ $kind })
terminal-by = by
terminal-last-not-kept = the last choice is not kept
terminal-not-kept = this match is not kept
terminal-not-kept-how = this match is not kept; `save …` or `--log …` keep a match
terminal-kept-in = this match is kept in { $file }
terminal-kept-resume = this match is kept; resume it with `{ $command }`
terminal-kept-next = the next match, with what carries over: `{ $command }`
terminal-seed = its seed was { $seed }
terminal-seed-opening = its seed was { $seed }; with the nonce { $nonce } it opens the commitment { $commitment }
terminal-commitment = commitment to the seed: { $commitment }

## At a physical table
terminal-or-all = { $what } (`?` lists all)?
terminal-or-listed = { $what } ({ $answers })?
terminal-cannot-come = `{ $typed }` is not what can come here; `?` lists what can
terminal-contradicts = what was told before says that this cannot be; `undo` takes back what was told wrongly
terminal-nothing-told = nothing has been told yet
terminal-told-choose = what a player has chosen: by number, or by words like those at the choice
terminal-told-outcome = what a die shows, or which card came; several at once, with commas between
terminal-told-unseen = nobody at the table has seen the outcome
terminal-not-kept-told = this match is not kept; `--log …` keeps one
terminal-told-undo = take back what was told last: an answer or a choice
terminal-told-view = draw the table again
terminal-told-score = the score, as far as everybody knows it
terminal-proved-won = { $number ->
    [one] won for sure, in 1 choice
   *[other] won for sure, in { $number } choices
}
terminal-proved-lost = { $number ->
    [one] lost for sure, in 1 choice
   *[other] lost for sure, in { $number } choices
}
terminal-proved-drawn = { $number ->
    [one] drawn for sure, in 1 choice
   *[other] drawn for sure, in { $number } choices
}

## A match that is played again
terminal-replay-seats = { $number ->
    [one] 1 seat
   *[other] { $number } seats
}
terminal-replay-seed = seed { $seed }
terminal-replay-player = { $seat } is { $kind }
terminal-next-match = Play the next match, which begins with what carries over? ({ $yes } or Enter to leave)
terminal-replay-carried = begun with what has carried over:
terminal-replay-begun = begun from a position
terminal-replay-begun-at = begun from a position, at { $phase }, turn of { $seat }
terminal-replay-position = position after step { $number }:
terminal-replay-phase = phase { $phase }, turn of { $seat }
terminal-replay-unknown = unknown
terminal-replay-unseen = { $number } unseen
terminal-replay-chosen = chosen so far: { $what }
terminal-replay-not-over = the match is not over
terminal-replay-has-to-choose = { $seat } has to choose
terminal-replay-chooses-of = { $seat } has to choose: { $choices }
terminal-replay-torn = the log is truncated in the middle of a line; it is replayed up to there
terminal-replay-fits = seed { $seed } with nonce { $nonce } fits it
terminal-replay-does-not-fit = seed { $seed } with nonce { $nonce } does not fit it
terminal-replay-won-by = won by { $seats }
terminal-replay-nobody = nobody has won
terminal-replay-resigned = a player has given up
terminal-replay-resigned-seat = { $seat } has given up
terminal-replay-time = time has run out
terminal-replay-time-seat = the time of { $seat } has run out
terminal-replay-agreed = ended by agreement, without a result
terminal-replay-closed = the table was closed
