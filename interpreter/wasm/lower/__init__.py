"""A machine to instructions: `numbers`, `sets`, `changes`, `offers`, `steps`, `play`, each upon those before.

It is one chain of classes, a link to a file, and every link says what it adds.
"""
