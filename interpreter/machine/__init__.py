"""The machine: a flat graph of nodes over a state of fixed size. All numbers, no names to resolve.

A state is an array of 32-bit words. Expressions and collections are small trees; nodes are numbered
and name the nodes that may follow. Both executors run this, and nothing else, of a game.
"""

from interpreter.machine.cover import (
    FAILED as FAILED,
)
from interpreter.machine.cover import (
    HELD as HELD,
)
from interpreter.machine.cover import (
    OUTCOMES as OUTCOMES,
)
from interpreter.machine.cover import (
    RAN as RAN,
)
from interpreter.machine.cover import (
    TRIED as TRIED,
)
from interpreter.machine.cover import (
    Point as Point,
)
from interpreter.machine.expressions import (
    Address as Address,
)
from interpreter.machine.expressions import (
    Best as Best,
)
from interpreter.machine.expressions import (
    Between as Between,
)
from interpreter.machine.expressions import (
    Can as Can,
)
from interpreter.machine.expressions import (
    Classed as Classed,
)
from interpreter.machine.expressions import (
    ClassOf as ClassOf,
)
from interpreter.machine.expressions import (
    Const as Const,
)
from interpreter.machine.expressions import (
    Contains as Contains,
)
from interpreter.machine.expressions import (
    Covered as Covered,
)
from interpreter.machine.expressions import (
    CoveredCell as CoveredCell,
)
from interpreter.machine.expressions import (
    DoCell as DoCell,
)
from interpreter.machine.expressions import (
    Doing as Doing,
)
from interpreter.machine.expressions import (
    DoRoutine as DoRoutine,
)
from interpreter.machine.expressions import (
    Either as Either,
)
from interpreter.machine.expressions import (
    Expr as Expr,
)
from interpreter.machine.expressions import (
    Filtered as Filtered,
)
from interpreter.machine.expressions import (
    Fold as Fold,
)
from interpreter.machine.expressions import (
    Head as Head,
)
from interpreter.machine.expressions import (
    If as If,
)
from interpreter.machine.expressions import (
    Indices as Indices,
)
from interpreter.machine.expressions import (
    Joined as Joined,
)
from interpreter.machine.expressions import (
    Let as Let,
)
from interpreter.machine.expressions import (
    Linked as Linked,
)
from interpreter.machine.expressions import (
    Listed as Listed,
)
from interpreter.machine.expressions import (
    Load as Load,
)
from interpreter.machine.expressions import (
    Local as Local,
)
from interpreter.machine.expressions import (
    Not as Not,
)
from interpreter.machine.expressions import (
    Op as Op,
)
from interpreter.machine.expressions import (
    Others as Others,
)
from interpreter.machine.expressions import (
    Pick as Pick,
)
from interpreter.machine.expressions import (
    PieceAt as PieceAt,
)
from interpreter.machine.expressions import (
    Pieces as Pieces,
)
from interpreter.machine.expressions import (
    PlaceIndex as PlaceIndex,
)
from interpreter.machine.expressions import (
    Prefix as Prefix,
)
from interpreter.machine.expressions import (
    Reg as Reg,
)
from interpreter.machine.expressions import (
    Size as Size,
)
from interpreter.machine.expressions import (
    Source as Source,
)
from interpreter.machine.expressions import (
    Spot as Spot,
)
from interpreter.machine.expressions import (
    Spread as Spread,
)
from interpreter.machine.expressions import (
    Term as Term,
)
from interpreter.machine.expressions import (
    Values as Values,
)
from interpreter.machine.nodes import (
    Bound as Bound,
)
from interpreter.machine.nodes import (
    Branch as Branch,
)
from interpreter.machine.nodes import (
    Call as Call,
)
from interpreter.machine.nodes import (
    CallCell as CallCell,
)
from interpreter.machine.nodes import (
    CallNode as CallNode,
)
from interpreter.machine.nodes import (
    Chance as Chance,
)
from interpreter.machine.nodes import (
    CheckTrigger as CheckTrigger,
)
from interpreter.machine.nodes import (
    ChoiceNode as ChoiceNode,
)
from interpreter.machine.nodes import (
    ClearLocals as ClearLocals,
)
from interpreter.machine.nodes import (
    Commit as Commit,
)
from interpreter.machine.nodes import (
    ControlNode as ControlNode,
)
from interpreter.machine.nodes import (
    Cover as Cover,
)
from interpreter.machine.nodes import (
    Decide as Decide,
)
from interpreter.machine.nodes import (
    Drop as Drop,
)
from interpreter.machine.nodes import (
    End as End,
)
from interpreter.machine.nodes import (
    EnterPhase as EnterPhase,
)
from interpreter.machine.nodes import (
    Forget as Forget,
)
from interpreter.machine.nodes import (
    Fork as Fork,
)
from interpreter.machine.nodes import (
    FrameNode as FrameNode,
)
from interpreter.machine.nodes import (
    Iterate as Iterate,
)
from interpreter.machine.nodes import (
    Lift as Lift,
)
from interpreter.machine.nodes import (
    MoveAll as MoveAll,
)
from interpreter.machine.nodes import (
    MovePiece as MovePiece,
)
from interpreter.machine.nodes import (
    MoveSome as MoveSome,
)
from interpreter.machine.nodes import (
    Need as Need,
)
from interpreter.machine.nodes import (
    NextTrigger as NextTrigger,
)
from interpreter.machine.nodes import (
    Node as Node,
)
from interpreter.machine.nodes import (
    Offer as Offer,
)
from interpreter.machine.nodes import (
    PieceNode as PieceNode,
)
from interpreter.machine.nodes import (
    Reset as Reset,
)
from interpreter.machine.nodes import (
    Return as Return,
)
from interpreter.machine.nodes import (
    Sample as Sample,
)
from interpreter.machine.nodes import (
    SetHead as SetHead,
)
from interpreter.machine.nodes import (
    SetLocal as SetLocal,
)
from interpreter.machine.nodes import (
    SetMe as SetMe,
)
from interpreter.machine.nodes import (
    SetWord as SetWord,
)
from interpreter.machine.nodes import (
    Show as Show,
)
from interpreter.machine.nodes import (
    SightNode as SightNode,
)
from interpreter.machine.nodes import (
    Snapshot as Snapshot,
)
from interpreter.machine.nodes import (
    Step as Step,
)
from interpreter.machine.nodes import (
    Swap as Swap,
)
from interpreter.machine.nodes import (
    Take as Take,
)
from interpreter.machine.nodes import (
    Transfer as Transfer,
)
from interpreter.machine.nodes import (
    TurnDie as TurnDie,
)
from interpreter.machine.nodes import (
    Wanted as Wanted,
)
from interpreter.machine.nodes import (
    Win as Win,
)
from interpreter.machine.nodes import (
    WordNode as WordNode,
)
from interpreter.machine.program import (
    Entry as Entry,
)
from interpreter.machine.program import (
    InvariantCode as InvariantCode,
)
from interpreter.machine.program import (
    Machine as Machine,
)
from interpreter.machine.program import (
    Place as Place,
)
from interpreter.machine.program import (
    RoutineCode as RoutineCode,
)
from interpreter.machine.program import (
    ScoreCode as ScoreCode,
)
from interpreter.machine.program import (
    TriggerCode as TriggerCode,
)
from interpreter.machine.program import (
    Words as Words,
)
from interpreter.machine.state import (
    ACTIVE as ACTIVE,
)
from interpreter.machine.state import (
    BLANK as BLANK,
)
from interpreter.machine.state import (
    BRANCH as BRANCH,
)
from interpreter.machine.state import (
    BRANCH_FP as BRANCH_FP,
)
from interpreter.machine.state import (
    BRANCH_STATUS as BRANCH_STATUS,
)
from interpreter.machine.state import (
    CALLER as CALLER,
)
from interpreter.machine.state import (
    COUNTS as COUNTS,
)
from interpreter.machine.state import (
    DECISIONS as DECISIONS,
)
from interpreter.machine.state import (
    DONE as DONE,
)
from interpreter.machine.state import (
    FORK as FORK,
)
from interpreter.machine.state import (
    FORKED as FORKED,
)
from interpreter.machine.state import (
    FP as FP,
)
from interpreter.machine.state import (
    FRAME as FRAME,
)
from interpreter.machine.state import (
    HEADER as HEADER,
)
from interpreter.machine.state import (
    MAIN_FP as MAIN_FP,
)
from interpreter.machine.state import (
    ME as ME,
)
from interpreter.machine.state import (
    ORDERED as ORDERED,
)
from interpreter.machine.state import (
    PC as PC,
)
from interpreter.machine.state import (
    PHASE as PHASE,
)
from interpreter.machine.state import (
    READY as READY,
)
from interpreter.machine.state import (
    RETURN as RETURN,
)
from interpreter.machine.state import (
    ROTATION as ROTATION,
)
from interpreter.machine.state import (
    RUNNING as RUNNING,
)
from interpreter.machine.state import (
    SELF as SELF,
)
from interpreter.machine.state import (
    SLOT as SLOT,
)
from interpreter.machine.state import (
    STATUS as STATUS,
)
from interpreter.machine.state import (
    WAITING as WAITING,
)
from interpreter.machine.state import (
    WINNERS as WINNERS,
)
