"""The rules in words: from the typed rules of a game to a rulebook that people can play from.

`book` puts it together. Everything below it says one kind of thing: expressions, statements, definitions,
components, phases, tables, scores, rulings. Nothing here reads files or checks anything.
"""
