"""Rules as sentences of English, for refusals and for the rulebook.

Lexicalisation: `names` has the words of a game, `templates` parses the phrases of its author. Composition:
each pass is a function of a `BookContext` and of one part of the rules, which it turns into a tree of English
(`syntax`). Realisation: `realise` turns trees into `text`. Nothing here reads files or checks anything.
"""
