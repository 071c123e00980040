# Words of the page: all but those of the table itself.

## Everywhere

skip = Skip to the content
tools = Tools
close = Close
cancel = Cancel
dismiss = Dismiss
more = More
print = Print
loading = Loading …
load-again = Load the page again
try-again = Try again

## The lobby

seats-exactly = { $number ->
    [one] 1 player
   *[other] { $number } players
}
look-back = Look back

## Making a match

new-match = New match
your-name = Your name
seat-number = Seat { $number }
bot-random = random
bot-easy = easy
bot-medium = medium
bot-hard = hard

## The waiting room, seats and links

players = Players
seat-bot = Bot { $letter }
seat-person = Player { $letter }

## At the table

table = Table
you = (you)
bot = bot
thinking = to choose
has-won = has won
score = Score
scores = Scores
total = Total
watching = { $number ->
    [one] 1 person watches
   *[other] { $number } people watch
}
your-turn = Your turn
title-your-turn = ● Your turn – { $title }
turn-of = { $name } to choose
all-choose = All choose at once
referee-goes-on = The referee goes on
match-over = The match is over
rules = Rules
open-clause = Open the rules at { $clause }

## Taking back and agreeing

undo = Take back
ask-undo = Ask to take back
undo-consent = { $names } must agree
undone = Taken back.
undo-asked = The others are asked.
nothing-to-undo = There is nothing to take back.
proposal-undo = { $number ->
    [one] { $name } would like to take back the last choice.
   *[other] { $name } would like to take back the last { $number } choices.
}
proposal-repair = { $name } would like to go back to step { $seq }.
proposal-waits = To agree: { $names }.
agree = Agree
decline = No
withdraw = Withdraw
propose = Propose

## The end

result = Result
winners = { $number ->
    [one] { $names } has won
   *[other] { $names } have won
}
no-winner = Nobody has won
hand-over = It is the turn of { $name }
hand-over-about = Give the device to { $name }. Nothing is shown until they take it.
hand-over-take = I am { $name }
rematch-declined = { $name } does not want a rematch.
next-match = Next match
to-rematch = To the rematch
log = Log
sealed-seed = Sealed seed
sealed-seed-about = All chance of this match comes from one seed. Its seal was made before the first choice; the seed is opened at the end, so that anybody can check it.
sealed-seed-check = Whoever wants to check it saves the log: `rulewright replay` says whether seal, seed and all draws fit.
seed-commitment = Seal
seed-seed = Seed
seed-nonce = Salt

## Replay

replay = Replay
replay-position = Step of the match
replay-at = { $seq } of { $last }
replay-end = To the present
to-start = To the start
step-back = One step back
step-on = One step on
to-end = To the end
play = Play
pause = Pause
seen-by = Seen by
a-spectator = a spectator
the-referee = the referee
repair = Go back to here
repair-sure = The match goes on from this step if all others agree. What came later is kept in the log.

## The companion of a physical table

companion-asks = The referee asks

## One file

open-log = Open a log
drop-log = Drop a log here to see its match
error-not-now = This is not possible now.
error-not-a-log = This is no log of a match.

## Settings

settings = Settings
language = Language
names-language = Names in the game
theme = Colours
theme-auto = as the device
theme-light = light
theme-dark = dark
motion = Movement
motion-auto = as the device
motion-full = full
motion-less = little
keyboard = Keyboard
choosing = Choosing
confirming-on = Show a choice once more before it is made
planning-on = Plan a move while the other is asked, where nothing hidden or random comes between
sole-on = Choose the last of several by itself
shortcuts-on = Single-key shortcuts

## Help

help = Help
help-about = What you may choose is lit on the table. Choose it where it lies, part by part; until the last part you can take back.
help-why = Choose something that is not lit, and the referee says why: the condition, its numbers, its clause.
help-hand = A piece is moved by two presses or by dragging it; another piece of yours takes its place in your hand, and the same one is put down. Rest the mouse on something, hold it with a finger, or press it with the right button, to read it without choosing it.
help-shortcuts = Single-key shortcuts can be turned off in the settings.
key-tab = to the next group of things
key-arrows = to the next thing in a group
key-enter = choose
key-look = read what this is, what it does, or why it cannot be chosen
key-zoom = larger, smaller, whole: the board that has the focus
key-escape = take back a part or a plan, close
key-undo = take back
key-rules = rules
key-replay = replay
key-turn = to the table
key-help = these keys

## What went wrong

error-unknown = Something went wrong. { $text }
error-not-yours = This is not yours to do.
error-not-yet = This can be seen after the end.
error-too-large = The file is too large.
error-not-offered = This is not offered.
error-stale = The table has changed meanwhile. Choose again.
error-not-asked = It is not your turn.
error-over = The match is over.
error-not-undone = This cannot be taken back.
error-no-proposal = This proposal is settled.
error-fault = The rules have failed. The match is as it was before.
error-replay = In the replay nothing is chosen.
error-broken-log = This is no log of this game, or it was changed.
provenance = Not all of this game is as printed
provenance-short = not all as printed
provenance-reconstructed = { $of }: { $number } of { $total } rows are reconstructed.
provenance-partly = { $of }: { $number } of { $total } rows are reconstructed in part.
provenance-unconfirmed = { $of }: { $number } of { $total } rows are not confirmed.
copied = Copied

## Hints, and a first match

hint = Hint
hint-about = What a search would choose, from what you know
hint-thinking = Looking ahead …
hint-none = Nothing can be said of these choices.
hint-best = best: { $percent }% of the win
hint-alike = about as good: { $percent }%; the difference may be chance
hint-worse = worse: { $percent }%
hint-won = wins for sure, in { $number ->
    [one] 1 choice
   *[other] { $number } choices
}
hint-drawn = draws for sure
hint-lost = loses for sure
hint-after = By { $iterations } tries from here.
hint-after-worlds = By { $iterations } tries in { $number } positions that you cannot tell apart.
hint-solved = Exact, by all { $positions } positions that can follow.
hint-more = { $number ->
    [one] 1 more choice is less promising.
   *[other] { $number } more choices are less promising.
}
hint-noise = The numbers are estimates of play at random to the end.
error-no-hint = There is nothing to look ahead to here.
guide-lit = What is lit up can be chosen.
guide-understood = Understood
guide-never = Show none of these
guided-on = Explain what lights up when it is new to me

## Moments of a match

moment = About this moment
moment-look = Look at it
moment-link = Copy the link
marks = Marks
note = Note
note-about = for yourself alone
last-turn = Last turn again
copy-notation = Copy the notation

## Sounds and credits

sounds = Sounds
sounds-on = Play sounds: a choice, your turn, the end
volume = Volume
credits = Whose work this is
credits-libraries = Libraries
credits-pictures = Pictures, sounds, fonts
credits-own-pictures = Rulewright itself draws boards, pieces and icons and makes the sounds; the fonts are those of your device.
