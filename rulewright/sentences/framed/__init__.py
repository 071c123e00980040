"""Rules as sentences of other languages than English: frames with holes that ask for a form.

The passes go over the same typed rules as those of English. A value becomes a `Nominal`, a thing and how it
is meant, without a form; a condition or statement a frame, a message of `sentences.ftl` whose holes ask for
forms of its nominals: `Tedd { ACC($what) } { INTO($place) }`. `grammar` has the forms of each language.
"""
