"""The words that every state and every frame begins with."""

# ---- the first words of every state
STATUS, PC, FP, ACTIVE, PHASE, DECISIONS, WINNERS, FORKED, RUNNING, MAIN_FP, ROTATION, FORK = range(12)
HEADER = 12
# ---- the first words of every frame
RETURN, CALLER, ME, SELF = range(4)
FRAME = 4
# ---- states of a branch in `together`
READY, WAITING, DONE = range(3)
# ---- how a place keeps its pieces
SLOT, COUNTS, ORDERED, BLANK = range(4)
