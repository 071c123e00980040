"""The generator of rulebooks: from the typed rules of a game to a text that people can play from.

Lexicalisation: `names` has the words of a game, `templates` parses the phrases of its author. Composition:
each pass is a function of a `BookContext` and of one part of the rules, which it turns into a tree of English
(`syntax`). Realisation: `realise` turns trees into text. `book` puts the sections together. Nothing here
reads files or checks anything.
"""
