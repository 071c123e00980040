# The table: what lies on it, what may be done, what has happened.

table-loading = The table is being set.
table-you = you
table-winner = winner
table-active = has the turn
table-to-choose = to choose
table-shared = Shared
table-remembered = What the rules remember
table-before = What { $seat } has
table-turn-board = Turn the board
table-seat = Seat { $seat }
table-board = Board: { $board }
table-of = { $thing } of { $seat }
table-in = { $thing }, { $place }
table-several = { $number ->
    [one] { $thing }
   *[other] { $number } × { $thing }
}
table-unseen = hidden { $piece }
table-pile = { $zone }, { $number ->
    [one] one piece
   *[other] { $number } pieces
}
table-not-in-sight = Not in sight: { $number } of { $all }
table-hidden = Not in sight
table-empty = Empty:
table-cell = { $place }: { $things }
table-cell-empty = { $place }: empty
table-counted = { $thing } { $number }
table-pointing = { $thing }: { $value }
table-thing-choice = { $thing } — choose: { $choice }
table-thing-choices = { $thing } — { $number } choices
table-yes = yes
table-no = no
table-column-row = row
table-column-column = column
table-none = none

## Choosing
table-actions = What you may do
table-choose = Choose: { $what }
table-choose-for = { $what } — { $by }
table-choose-action = Choose what to do
table-set-exact = { $what }, { $index } of { $number }
table-set-up-to = { $what }, { $index } of at most { $number }
table-set-between = { $what }, { $index } of { $least } to { $number }
table-set-chosen = Chosen: { $things }
table-wait = Nobody is asked.
table-tell = The referee asks what came: { $what }
table-wait-together = All choose at once: waiting for those who have not chosen yet.
table-waiting = Waiting for { $seats }
table-over = The match is over. { $number ->
    [one] Winner: { $winners }
   *[other] Winners: { $winners }
}
table-over-nobody = The match is over. Nobody wins.
table-all-actions = All actions
table-so-many-choices = { $number ->
    [one] , one choice
   *[other] , { $number } choices
}
table-take-back = Take back
table-take-back-it = Take back { $thing }
table-reveal = Show what can be chosen
table-look = Look or ask why not
table-search = Search
table-search-found = { $number } found, first: { $first }
table-ask-why = { $action } — why not?
table-sure = Choose this?
table-untaken = That press was not taken: something else has just come there. Choose again.
table-plan-dropped = What was planned is not possible any more.
table-planned = Planned: { $things }
table-plan-cancel = Cancel the plan
table-out-of-sight-up = { $number ->
    [one] One thing that can be chosen is further up: go there
   *[other] { $number } things that can be chosen are further up: go there
}
table-out-of-sight-down = { $number ->
    [one] One thing that can be chosen is further down: go there
   *[other] { $number } things that can be chosen are further down: go there
}
table-out-of-sight-left = { $number ->
    [one] One thing that can be chosen is further left: go there
   *[other] { $number } things that can be chosen are further left: go there
}
table-out-of-sight-right = { $number ->
    [one] One thing that can be chosen is further right: go there
   *[other] { $number } things that can be chosen are further right: go there
}
table-zoom-in = Zoom in
table-zoom-out = Zoom out
table-less = Less
table-more = More
table-number = { $first }
table-numbers = { $first } to { $last }
table-numbers-in-steps = { $first } to { $last } in steps of { $step }
table-close = Close

## Why
table-why-not = Why not { $action }?
table-why-not-this = Why not this?
table-needed = Needed:
table-but = But
table-refused-now = That is not possible now.
table-refused-pass = It cannot be declined.
table-refused-words = It is offered in other words.
table-refused-value = It is not among what can be chosen here.
table-refused-nothing = Each of the things that could be chosen here is ruled out:
table-refused-empty = Nothing can be chosen here.
table-refused-nothing-of = Afterwards, nothing could be chosen for { $name }.
table-refused-range = { $name } would leave its range.
table-refused-pay = { $name }: { $number } must be paid, there are { $found }.
table-no-answer = No answer came.
table-clause = Clause { $clause } { $heading }

## Scores
table-score = Score
table-score-of = Score of { $seat }: { $total }
table-total = Total
table-tie = Tie-break: { $line }
table-secret = secret

## The story
table-story = What has happened
table-story-all = Show all
table-story-chose = { $seat }: { $words }
table-story-answer = { $words } ({ $what })
table-story-chose-hidden = { $seat } chooses something hidden
table-story-hidden = something hidden
table-story-turn = Turn of { $seat }
table-story-moved-both = { $piece }: { $from } → { $to }
table-story-moved-to = { $piece } → { $to }
table-story-moved-from = { $piece } leaves { $from }
table-story-unseen = { $number ->
    [one] one hidden { $thing }
   *[other] { $number } × hidden { $thing }
}
table-story-changed = { $thing }: { $old } → { $now }
table-story-unmarked = no longer { $thing }
table-story-listed = { $thing }: { $things }
table-story-shown = { $seat } sees { $pieces }
table-story-shown-hidden = { $seat } sees something hidden
table-story-on-top = On top of { $zone }: { $piece }
table-story-shuffled = { $place } is shuffled
table-story-more = { $number ->
    [one] one more
   *[other] { $number } more
}
table-story-ended = The match is over.
table-story-ended-by = The match is over: { $end }
table-odds = { $number ->
    [one] What could come
   *[other] What could come, { $number } times
}
