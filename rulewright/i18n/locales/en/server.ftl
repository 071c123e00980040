# What a server's page alone says: the lobby, making a match, seats and links.

## Everywhere

home = Rulewright, to the lobby
save = Save
saved = Saved
copy = Copy
to-lobby = To the lobby
not-here = There is nothing at this address
reconnecting = The connection is lost. Connecting again …
reconnecting-kept = What you have chosen is kept, and is sent then.
kept-rules = The rules of this game have changed since; this match goes on with its own.
kept-rules-changed = Changed: { $what }.
abandon = End without a result
abandon-sure = The match ends for everybody if all agree.
resign = Resign
resign-sure = You give the match up. This cannot be taken back.
notices = When it is your turn
notify-on = Show a notification when the page is in the background
notify-refused = The browser does not allow it. Allow it in the settings of the browser.

## The lobby

lobby = Lobby
games = Games
search-games = Find a game
no-games = No game fits.
find-players = Players
find-players-any = any number
find-length = Length
find-length-any = any
find-length-short = up to 10 minutes
find-length-middle = 10 to 30 minutes
find-length-long = more than 30 minutes
find-weight = Weight
find-weight-any = any
find-tag = Kind
find-tag-any = all kinds
find-sort = Order
sort-title = by name
sort-minutes = short ones first
sort-weight = light ones first
weight-light = light
weight-medium = medium weight
weight-heavy = heavy
weight-about = Measured: how many rules there are, how many choices, and how far looking ahead still helps
about-minutes = about { $minutes } min
games-found = { $number ->
    [one] 1 game
   *[other] { $number } games
}
hints-allowed = Hints are allowed: what a search would choose
hints-forbidden = without hints
filters = Filters
clear-filters = Show all
play-now = Play against a bot
play-now-about = Starts at once, as the rules propose, with the usual bot at the other seats
in-short = In short
dismiss-match = Dismiss
dismiss-bots = Dismiss all unfinished matches against bots
dismiss-sure = They end without a result and are gone from your list.
dismiss-one-sure = It ends without a result and is gone from your list.
tag-abstract = abstract
tag-auction = auction
tag-betting = betting
tag-bluff = bluffing
tag-board = board game
tag-capture = capturing
tag-cards = card game
tag-children = for children
tag-classic = classic
tag-connection = connection
tag-cooperative = cooperative
tag-deduction = deduction
tag-dice = dice
tag-drafting = drafting
tag-economy = economy
tag-hand = sets in hand
tag-hidden = hidden information
tag-map = map
tag-puzzle = puzzle
tag-race = race
tag-rows = in a row
tag-simultaneous = all at once
tag-solo = for one
tag-sowing = sowing
tag-teams = teams
tag-territory = territory
tag-trading = trading
tag-tricks = trick taking
tag-workers = workers
upload = Upload a ruleset
my-matches = Your matches
open-matches = Open tables
watch-matches = To watch
unreadable-matches = Matches that cannot be read
unreadable-match = A match
unreadable-about = What the server has kept of it is damaged. Tell whoever runs the server this name:
state-unreadable = unreadable
log-elsewhere = This is the log of a match of { $game }, and a server opens none. Drop it on the game in one file, which `rulewright export { $game } --into FILE` writes, or go on with it by `rulewright play { $game } --resume LOG`.
lost-seat = This seat link does not open a seat any more. Ask who sent it for a new one.
seats-range = { $fewest } to { $most } players
seats-some = { $numbers } players
state-open = waiting for players
state-running = running
state-over = over
state-abandoned = ended without a result
sit-down = Sit down
watch = Watch
open-match = Open
play-on = Play

## Making a match

who-plays = Who plays?
name-placeholder = as the others shall see it
how-many = Players
company = The others are
company-bot = Bots
company-invited = Friends, by link
company-open = Anybody
company-me = At this device
company-companion = A physical table
company-companion-help = You play with your own cards and dice; the referee follows what you tell it. Give seats to friends, if several devices are to tell.
player-me = I, at this device
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
set-exactly = Choose { $number }
set-between = Choose { $least } to { $most }
set-chosen = { $number } chosen
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
chance-system = by the server
chance-system-help = Outcome by outcome, when it is needed. Nobody can know it earlier.
chance-committed = from a sealed seed
chance-committed-help = The seed is sealed at the start and opened at the end, so that anybody can check it.
bots-at-random = Bots choose at random here; they do not look ahead.
make-table = Open the table
start-match = Start

## The waiting room, seats and links

waiting-for-players = Waiting for players
share-address = Whoever has the address of this page finds the table.
seats-and-links = Seats and links
links-about = A link opens a seat on any device. Send it only to who is to sit there.
get-link = Link
seat-link = Link to the seat
seat-code = Code of the link to the seat, for a camera
no-seat-codes = This server shows no codes for cameras: it lacks the package segno.
revoke-link = New link, end the old ones
revoke-sure = Whoever sits here by an older link loses the seat, and gets it back only by the new one.
seat-a-bot = Seat a bot
play-here = Play this seat
leave-seat = Stand up
close-match = Close the table
close-match-sure = The table disappears for everybody.
seat-open = open seat
seat-invited = invited seat
state-seat-open = free
state-seat-invited = waits for its guest
cannot-open = This table cannot be opened
cannot-open-game = This game cannot be opened

## At the table

present = here
away = away
time-left = Time left
time-short = Your time is running out.

## Taking back and agreeing

proposal-abandon = { $name } would like to end the match without a result.
rematch = Rematch
proposal-rematch = { $name } would like a rematch. It begins when all have agreed.

## The end

ended-by-agreement = The players have agreed to end it.
ended-by-resignation = A player has resigned.
ended-by-clock = A player has run out of time.
ended-by-owner = The table was closed.

## Settings

notices-away = When you are away
notice-mail = Mail address
notice-webhook = Web address to call
is-set = is set
turn-off = Turn off

## What went wrong

error-offline = The server cannot be reached.
error-malformed = The server did not understand the page. Load it again.
error-other-origin = This page is not at the address of its server.
error-not-allowed = This is not allowed here.
error-not-found = There is no such game or match, or it is not open to you.
error-taken = Somebody else has taken this seat.
error-not-playable = This cannot be played.
error-too-many = Too many requests. Wait a moment.
error-not-available = The server is not available. Try again in a moment.
error-not-started = The match has not started yet.
error-spectator = Spectators only look.
error-too-costly = The rules of this game take too long for the server. Nothing was changed; try again in a minute.
error-not-kept = The server could not keep the choice. Try again.
error-protocol = The server speaks another version. Load the page again.
error-revoked = The link to this seat was ended.
error-going-down = The server goes down for a moment.
error-too-fast = Too many messages. Load the page again in a moment.
error-closed = The table is closed.
error-failed = The server has failed. Try again.
name-of-seat = Name of seat { $number }
ended-by-clock-of = { $name } has run out of time.
ended-by-resignation-of = { $name } has resigned.
notice-mail-wrong = This is no mail address.
notice-webhook-wrong = This is no address of the web that may be called: it begins with https:// or http://.

## What could be known

beliefs = What could be known?
beliefs-what = For each hidden place what may lie there, and with what chance: from the rules and from what this seat had been told alone.
beliefs-of = What { $name } could know
beliefs-thinking = Working it out …
beliefs-none = At this step no match was found that fits all that this seat was told.
beliefs-too-long = This took too long to work out. Try again, or go to an earlier step.
beliefs-nothing-hidden = Nothing is hidden here.
beliefs-exact = { $worlds ->
    [one] Exact: there is one possibility.
   *[other] Exact: all { $worlds } possibilities.
}
beliefs-sample = Estimated from { $worlds } possibilities, worth { $effective } independent ones. In brackets: where the chance lies with 95 %.
beliefs-approximate = Roughly estimated: few possibilities were found, worth { $effective } independent ones.
beliefs-model = Others are taken to choose whatever is offered with equal chance.
beliefs-percent = { $number } %
beliefs-below-one = < 1 %
beliefs-range = ({ $low } to { $high })
beliefs-real = was there
beliefs-more = { $number } more
beliefs-fewer = Fewer

## Talk

talk = Talk
talk-unread = { $number ->
    [one] Talk, 1 new message
   *[other] Talk, { $number } new messages
}
says = { $name }: { $text }
phrases = Phrases
phrase-hello = Hello!
phrase-luck = Good luck!
phrase-good-move = Good move!
phrase-thanks = Thank you.
phrase-moment = One moment, please.
phrase-your-turn = It is your turn.
phrase-sorry = Sorry.
phrase-oops = That was a slip.
phrase-well-played = Well played!
phrase-bye = Goodbye!
talk-write = Write something
send = Send
talk-nothing = Nobody has said anything yet.
talk-sending = Sending …
talk-waits = It is sent when the connection is back.
talk-not-sent = Not sent.
talk-mute = Not to hear
talk-allowed = What may be said
talk-off = Nothing is said at this table.
talk-auto = as the seats need
talk-auto-help = Phrases among strangers, free texts among guests.
talk-none = nothing
talk-none-help = Nothing is said, and nothing said is shown.
talk-phrases = phrases
talk-phrases-help = Ready-made phrases, which all read in their own language.
talk-free = phrases and free texts
talk-free-help = Whatever the players want to write.
talk-spectators = Spectators read it, too
talk-spectators-only-read = Only players speak.
mark-heart = lovely
mark-star = strong
mark-wow = surprising
mark-laugh = funny
mark-question = doubtful
error-said-enough = You have said much in a short time. Wait a little.
error-marked-enough = This match has as many marks as it may have.
playtest = Playtest
playtest-what = This table is a playtest. If you agree, the server keeps, without your name: how long you think about choices, which ones you take back, what the rules refuse you, when you ask why, hints, the moments you mark, and your answers at the end.
playtest-version = Version of the rules: { $version }
playtest-how-long = Until the end it stays in the server's database; then it is a file for the designer of the game, deleted with the match.
playtest-free = You play just as well without. You can withdraw at any time, also after the end: all of yours is then deleted.
playtest-yes = I agree
playtest-no = No, thank you
playtest-withdraw = Withdraw, and delete mine
playtest-delete = Delete all of this match
playtest-delete-sure = Whatever any player of this match has agreed to keep is deleted.
playtest-comment = What is unclear, odd or good here?
playtest-mark = Mark this moment
