"""The server: matches that people play with each other, kept in a database.

Each folder imports only from those above it in this list, and from the modules that all share:

* `store`: the log of each match is the truth; `storage` is the protocol, `sql` carries it out.
* `games`: rulesets that were read, compiled and described; uploads are read in a bounded process.
* `matches`: the `registry` has a `session` for each match in use, with a lock. It commits what an action
  (`actions`) returns, and then lets the `scheduler` play bots and watch the clocks. `service` is the whole of
  it for others. A `LiveMatch` (`live`) is an `event_log`, folded, with the position that it leads to; a
  companion of a physical table is replayed from what it was told (`companion_log`, `companion_actions`).
* `access`: middleware that guards origins and knows visitors, signed links, rates.
* `tables`: an open match and its connections. A `projection` is what one viewer may know; an `outbox` sends
  it when its socket is ready.
* `notices`: who is told of a turn while away.
* `api`: the handlers; `sockets` receives, `client_messages` reads, and `answering` carries out.

Shared: `config` (what a server was told, read by `command_line`), `messages` (C-codes), `errors` (as answers
of the API), `cache`, `strict_json`, and `plain_pages` without scripts. `context` has what handlers share,
`app` puts everything together, `running` runs it, `forgetting` deletes old matches.
"""
