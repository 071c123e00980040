# What notices and the page that ends them say; no script says it.

turn-subject = Your turn: { $title }
turn = It is your turn in { $title }:
no-more-mails = No more such mails for this match:
notices = Notices
notices-about = Notices of your turn by { $kind }, for one match.
no-more-notices = No more notices
notices-ended = There will be no more notices for this match.
