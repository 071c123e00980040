# Words of the page: all but those of the table itself.

## Everywhere

home = Rulewright, to the lobby
skip = Skip to the content
tools = Tools
close = Close
cancel = Cancel
dismiss = Dismiss
save = Save
saved = Saved
copy = Copy
copied = Copied
more = More
print = Print
loading = Loading …
load-again = Load the page again
try-again = Try again
to-lobby = To the lobby
not-here = There is nothing at this address

## The lobby

lobby = Lobby
games = Games
search-games = Find a game
no-games = No game has this name.
upload = Upload a ruleset
my-matches = Your matches
open-matches = Open tables
watch-matches = To watch
lost-seat = This seat link does not open a seat any more. Ask who sent it for a new one.
seats-exactly = { $number ->
    [one] 1 player
   *[other] { $number } players
}
seats-range = { $fewest } to { $most } players
state-open = waiting for players
state-running = running
state-over = over
state-abandoned = ended without a result
sit-down = Sit down
watch = Watch
open-match = Open
play-on = Play
look-back = Look back

## Making a match

new-match = New match
who-plays = Who plays?
your-name = Your name
name-placeholder = as the others shall see it
how-many = Players
company = The others are
company-bot = Bots
company-invited = Friends, by link
company-open = Anybody
company-me = At this device
company-companion = A physical table
company-companion-help = You play with your own cards and dice; the referee follows what you tell it. Give seats to friends, if several devices are to tell.
seat-number = Seat { $number }
name-of-seat = Name of seat { $number }
player-me = I, at this device
player-bot = a bot
player-invited = invited by link
player-open = open to anybody
pace = How fast?
clock-none = No clock
clock-move = Time for each move
clock-match = Time for the match
clock-days = Days for each move
seconds-a-move = Seconds for each move
minutes-a-match = Minutes for each player
increment = Seconds added after each move
days-a-move = Days for each move
expiry = When time runs out
expiry-forfeit = the match is lost
expiry-absent = the move is made by the rules for absent players
clock-days-text = { $days ->
    [one] 1 day a move
   *[other] { $days } days a move
}
clock-move-text = { $time } a move
clock-match-text = { $time } each
clock-match-increment-text = { $time } each, + { $increment } s a move
clock-days-left = { $days } d { $time }
options = Options
rulings = Rulings
rulings-about = Where the rulebook is silent, or can be read in two ways, these readings are played.
rulings-number = { $number }
rulings-changed = { $number ->
    [one] 1 changed
   *[other] { $number } changed
}
proposed = proposed
because = Why: { $why }
more-settings = Watching, chance and other settings
visibility = Who finds the match
visibility-auto = as the seats need
visibility-auto-help = Listed in the lobby if a seat is open to anybody.
visibility-open = everybody
visibility-open-help = Listed in the lobby.
visibility-invited = who has the address
visibility-invited-help = Not listed.
visibility-private = players alone
visibility-private-help = Nobody else can open it.
watching-by = Spectators
watching-by-all = welcome
watching-by-all-help = They see what is open to all.
watching-by-late = some moves behind
watching-by-late-help = They see the table as it was ten choices ago.
watching-by-nobody = none
watching-by-nobody-help = The players are among themselves.
chance = Dice and cards
chance-system = by the server
chance-system-help = Outcome by outcome, when it is needed. Nobody can know it earlier.
chance-committed = from a sealed seed
chance-committed-help = The seed is sealed at the start and opened at the end, so that anybody can check it.
chance-companion = from your own box
chance-companion-help = You roll and draw at your table, and tell the referee what came.
undo-policy = Taking back
undo-policy-free = as far as nobody has learned anything
undo-policy-free-help = Beyond that the others are asked.
undo-policy-consent = if the others agree
undo-policy-consent-help = The others are asked each time.
undo-policy-none = never
undo-policy-none-help = What is chosen is chosen.
bots = Bots
bot-random = random
bot-playouts = tries out its choices
make-table = Open the table
start-match = Start

## The waiting room, seats and links

players = Players
waiting-for-players = Waiting for players
share-address = Whoever has the address of this page finds the table.
seats-and-links = Seats and links
links-about = A link opens a seat on any device. Send it only to who is to sit there.
get-link = Link
seat-link = Link to the seat
revoke-link = New link, end the old ones
seat-a-bot = Seat a bot
play-here = Play this seat
other-seat = Now { $name } is asked: this seat is yours, too.
leave-seat = Stand up
close-match = Close the table
close-match-sure = The table disappears for everybody.
seat-open = open seat
seat-invited = invited seat
seat-bot = Bot { $letter }
seat-person = Player { $letter }
state-seat-open = free
state-seat-invited = waits for its guest
cannot-open = This table cannot be opened

## At the table

table = Table
you = (you)
bot = bot
present = here
away = away
thinking = to choose
has-won = has won
score = Score
scores = Scores
total = Total
time-left = Time left
time-short = Your time is running out.
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
reconnecting = The connection is lost. Connecting again …
kept-rules = The rules of this game have changed since; this match goes on with its own.
kept-rules-changed = Changed: { $what }.
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
proposal-abandon = { $name } would like to end the match without a result.
proposal-waits = To agree: { $names }.
agree = Agree
decline = No
withdraw = Withdraw
propose = Propose
abandon = End without a result
abandon-sure = The match ends for everybody if all agree.
resign = Resign
resign-sure = You give the match up. This cannot be taken back.

## The end

result = Result
winners = { $number ->
    [one] { $names } has won
   *[other] { $names } have won
}
no-winner = Nobody has won
ended-by-agreement = The players have agreed to end it.
ended-by-resignation = A player has resigned.
ended-by-clock = A player has run out of time.
ended-by-clock-of = { $name } has run out of time.
ended-by-resignation-of = { $name } has resigned.
ended-by-owner = The table was closed.
rematch = Rematch
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

companion = From your table
what-came = What came: { $what }?
cancel-choice = Cancel the choice
outcome-unseen = Nobody has seen it
told-so-far = Told so far: { $outcomes }

## One file

human = a person
take-players = Who plays?
begin = Begin
hand-over = It is the turn of { $name }
hand-over-about = Give the device to { $name }. Nothing is shown until they take it.
hand-over-take = I am { $name }
open-log = Open a log
drop-log = Drop a log here to see its match
log-opened = The log is open.
variant = Variant

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
notices = When it is your turn
sound-on = Play a short tone
notify-on = Show a notification when the page is in the background
notify-refused = The browser does not allow it. Allow it in the settings of the browser.
keyboard = Keyboard
choosing = Choosing
confirming-on = Show a choice once more before it is made
shortcuts-on = Single-key shortcuts
notices-away = When you are away
notice-mail = Mail address
notice-mail-wrong = This is no mail address.
notice-webhook-wrong = This is no address of the web that may be called: it begins with https:// or http://.
notice-webhook = Web address to call
is-set = is set
turn-off = Turn off

## Help

help = Help
help-about = What you may choose is lit on the table. Choose it where it lies, part by part; until the last part you can take back.
help-why = Choose something that is not lit, and the referee says why: the condition, its numbers, its clause.
help-shortcuts = Single-key shortcuts can be turned off in the settings.
key-tab = to the next group of things; arrow keys within it
key-enter = choose
key-look = what this is, or why it cannot be chosen
key-escape = take back a part, close
key-undo = take back
key-rules = rules
key-replay = replay
key-turn = to the table
key-help = these keys

## What went wrong

error-unknown = Something went wrong. { $text }
error-offline = The server cannot be reached.
error-malformed = The server did not understand the page. Load it again.
error-other-origin = This page is not at the address of its server.
error-not-yours = This is not yours to do.
error-not-allowed = This is not allowed here.
error-not-found = There is no such game or match, or it is not open to you.
error-taken = Somebody else has taken this seat.
error-not-now = This is not possible now.
error-not-yet = This can be seen after the end.
error-too-large = The file is too large.
error-not-playable = This cannot be played.
error-too-many = Too many requests. Wait a moment.
error-not-available = The server is not available. Try again in a moment.
error-not-offered = This is not offered.
error-stale = The table has changed meanwhile. Choose again.
error-not-asked = It is not your turn.
error-over = The match is over.
error-not-started = The match has not started yet.
error-not-undone = This cannot be taken back.
error-no-proposal = This proposal is settled.
error-spectator = Spectators only look.
error-fault = The rules have failed. The match is as it was before.
error-not-kept = The server could not keep the choice. Try again.
error-protocol = The server speaks another version. Load the page again.
error-revoked = The link to this seat was ended.
error-going-down = The server goes down for a moment.
error-too-fast = Too many messages. Load the page again in a moment.
error-closed = The table is closed.
error-cancelled = The choice was not made.
error-replay = In the replay nothing is chosen.
error-needs-outcome = The referee waits for what came at your table.
error-not-possible = That cannot be. Tell one of those that are offered, or take back what was told wrongly.
error-broken-log = This is no log of this game, or it was changed.
