"""The generator of rulebooks: from the typed rules of a game to a text that people can play from.

Each chapter is put together from sentences (`rulewright.sentences`) as a part of a `document`, and `book` has
all chapters. `configured` chooses seats, options and a language; `html` and `markdown` write.
"""
