"""The rules in words: from the typed rules of a game to a rulebook that people can play from.

Lexicalisation: `names` has the words of a game, `phrases` parses what its author has written. Composition:
each pass is a function of a `Voice`, the context, and of one part of the rules, which it turns into a tree of
English (`syntax`). Realisation: `realise` turns trees into text. `book` puts it together. Nothing here reads
files or checks anything.
"""
