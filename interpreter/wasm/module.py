"""The module of a machine: regions, menus, chance, and the functions that are called from outside."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from interpreter import machine as m
from interpreter.wasm.batches import Stepping, write_batches
from interpreter.wasm.boards import board_bytes
from interpreter.wasm.body import Body
from interpreter.wasm.chance import STREAM, write_chance
from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.faults import MOST_WORK, TOO_LONG
from interpreter.wasm.flat import Flat
from interpreter.wasm.menus import FAULT
from interpreter.wasm.numbers import WIDE, Held, Known
from interpreter.wasm.observe import Observed
from interpreter.wasm.paths import paths
from interpreter.wasm.plan import (
    EVENT_WORDS,
    GLOBAL,
    MOST_EVENTS,
    PAGE,
    SCRATCH,
    SCRATCH_START,
    Flavour,
    Plan,
)
from interpreter.wasm.play import Play, take_offer
from interpreter.wasm.playouts import write_playouts
from interpreter.wasm.runtime import RECORD, write_runtime
from interpreter.wasm.steps import (
    BRANCH_END,
    CHANCE,
    OVER,
    STOP,
    Function,
    Steps,
    write_changes,
    write_menu,
    write_way,
)
from interpreter.wasm.whole import Whole


def module(
    mc: m.Machine, flavour: Flavour, fresh: Iterable[int], seen: Observed | None = None
) -> tuple[bytes, dict[str, int]]:
    """The bytes of a module for a machine, and its map: addresses and sizes by name.

    `fresh` is the state before the first node; `seen` says what batches of matches tell the seats.
    """
    plan = Plan(mc, flavour)
    _lay_out(plan, list(fresh))
    kind = Play if not flavour.stops else Steps if flavour.events else Stepping
    regions = [kind(plan, r, i) for i, r in enumerate(plan.regions)]
    whole = None
    if not flavour.stops:
        measure = Function(plan, Body((I32,), (I32,)))
        measure.fault_label = measure.b.block()
        measure.load_frame()
        whole = paths(plan, measure)
    if whole is not None:
        plan.functions.clear()
        plan.ways.clear()
        plan.bodies.clear()
        regions = []
        (Flat if flavour.flat else Whole)(plan, whole).write()
    for region in regions:
        region.write()
    decisions = [i for i, n in enumerate(mc.nodes) if isinstance(n, m.Decide | m.Offer)]
    if flavour.stops or mc.branches:
        for number in decisions:
            _write_take(plan, number)
            _write_seat(plan, number)
            plan.function(f"menu {number}", (I32, I32))
    if whole is None:
        _write_advance(plan)
    if flavour.stops or mc.branches:
        _write_choose(plan, decisions)
        _write_menu_at(plan)
    if flavour.stops:
        _write_happen(plan)
        _write_invariants(plan)
    _write_account(plan)
    _write_winners(plan)
    if not (flavour.stops and flavour.events):
        write_chance(plan)
    if flavour.stops and not flavour.events:
        write_batches(plan, seen)
    if not flavour.stops:
        write_playouts(plan, whole is not None)
    _write_rest(plan)
    table = _table(plan, decisions)
    return _placed(plan, table)


def _lay_out(plan: Plan, fresh: list[int]) -> None:
    """What stands at fixed addresses: the first state, the record of faults, menus."""
    mc = plan.machine
    plan.template = plan.reserve(plan.state_bytes)
    first = array("i", fresh).tobytes()
    plan.data[plan.template : plan.template + len(first)] = first
    sets = board_bytes(plan.boards, fresh)
    plan.data[plan.template + plan.state_bytes - len(sets) : plan.template + plan.state_bytes] = sets
    plan.record = plan.reserve(4 * RECORD)
    plan.spare = plan.reserve(64)
    decisions = [i for i, n in enumerate(mc.nodes) if isinstance(n, m.Decide | m.Offer)]
    measure = Function(plan, Body((I32,), (I32,)))
    measure.fault_label = measure.b.block()
    measure.load_frame()
    words = [measure.menu_of(i).words for i in decisions]
    plan.menu_words = max(words, default=1)
    plan.menu_address = plan.reserve(8 * plan.menu_words)
    plan.functions.clear()
    plan.ways.clear()
    plan.seats_out = plan.reserve(4 * (len(mc.scores) + 1) * mc.seats)
    plan.events_at = 0


def _table(plan: Plan, decisions: list[int]) -> list[int]:
    """Functions called by number: regions, then menus, takings and seats of the decisions."""
    if "whole" in plan.functions:
        return []
    found = [plan.functions[f"region {i}"][0] for i in range(len(plan.regions))]
    if "take" in plan.kinds:
        for kind in ("menu", "take", "seat"):
            found += [plan.functions[f"{kind} {i}"][0] for i in decisions]
    return found


def _placed(plan: Plan, table: list[int]) -> tuple[bytes, dict[str, int]]:
    """Everything gets its place behind the tables: scratch, events, then states."""
    mc = plan.machine
    assert len(plan.data) <= SCRATCH_START, f"{len(plan.data)} bytes of tables"
    events = SCRATCH_START + SCRATCH
    size = 4 * EVENT_WORDS * MOST_EVENTS if plan.flavour.events else 0
    states = (events + size + 63) // 64 * 64
    before = (STREAM * len(mc.streams) + 63) // 64 * 64
    stride = before + (plan.state_bytes + 63) // 64 * 64
    plan.end = states + stride + PAGE
    layout = {
        "record": plan.record,
        "events": plan.events_at,
        "state": states + before,
        "before": before,
        "stride": stride,
        "menu": plan.menu_address,
        "menu_words": plan.menu_words,
        "scratch": SCRATCH_START,
        "accounts": plan.seats_out,
        "end": plan.end,
        **plan.map,
    }
    return plan.encoded(table), layout


def _write_rest(plan: Plan) -> None:
    """Functions that others have asked for, which may ask for more."""
    plan.events_at = SCRATCH_START + SCRATCH
    while True:
        missing = [n for n in plan.functions if n not in plan.bodies]
        special = [n for n in missing if n.split()[0] in ("menu", "way", "changes", "board")]
        if not special:
            break
        for name in special:
            kind, number = name.split()[:2]
            if kind == "board":
                _write_board(plan, name)
            elif kind == "menu":
                write_menu(plan, int(number))
            elif kind == "way":
                write_way(plan, name, *plan.ways[name])
            else:
                write_changes(plan, int(number))
    for name in ("popcount", "select"):
        if name in plan.functions:
            _write_words(plan, name)
    write_runtime(plan, plan.record, plan.events_at)


def _write_board(plan: Plan, name: str) -> None:
    """(s): the sets of a pointer or mark are made anew from its words."""
    board = plan.boards[name.removeprefix("board ")]
    b = plan.body(name, (I32,), ())
    f = Function(plan, b)
    f.zero(0, board.first, board.bytes // 4)
    for row in range(board.rows):
        with f.counting(Known(0), Known(board.size - 1)) as i, b.borrowed(I32, I32) as (value, at):
            b.get(0)
            b.get(i.local)
            b.i32(2)
            b.op("i32.shl", "i32.add")
            b.load(4 * (board.words.base + row * board.size))
            b.set(value)
            b.get(0)
            if board.words.kind == "pointer":
                f.board_index(board, Held(value, WIDE))
                b.i32(8 * board.wide)
                b.op("i32.mul", "i32.add")
            b.get(i.local)
            b.i32(6)
            b.op("i32.shr_u")
            b.i32(3)
            b.op("i32.shl", "i32.add")
            b.tee(at)
            b.get(at)
            b.mem("i64.load", board.first + row * board.row_bytes)
            b.i64(1)
            b.get(i.local)
            b.op("i64.extend_i32_u", "i64.shl")
            if board.words.kind == "mark":
                b.i64(0)
                b.get(value)
                b.op("select")
            b.op("i64.or")
            b.mem("i64.store", board.first + row * board.row_bytes)


def _write_words(plan: Plan, name: str) -> None:
    """`popcount` (at, words): bits that are set. `select` (at, k): the number of the k-th of them."""
    b = plan.body(name, (I32, I32))
    total, n = b.local(), b.local()
    word = b.local(I64)
    start = b.local()
    b.get(0)
    b.set(start)
    out = b.block()
    again = b.loop()
    if name == "popcount":
        b.get(1)
        b.op("i32.eqz")
        b.br_if(out)
    b.get(0)
    b.mem("i64.load")
    b.tee(word)
    b.op("i64.popcnt", "i32.wrap_i64")
    b.set(n)
    if name == "popcount":
        b.get(total)
        b.get(n)
        b.op("i32.add")
        b.set(total)
        b.get(1)
        b.i32(1)
        b.op("i32.sub")
        b.set(1)
    else:
        b.get(1)
        b.get(n)
        b.op("i32.lt_s")
        b.br_if(out)
        b.get(1)
        b.get(n)
        b.op("i32.sub")
        b.set(1)
    b.get(0)
    b.i32(8)
    b.op("i32.add")
    b.set(0)
    b.br(again)
    b.end()
    b.end()
    if name == "popcount":
        b.get(total)
        return
    done = b.block()
    clear = b.loop()
    b.get(1)
    b.op("i32.eqz")
    b.br_if(done)
    b.get(word)
    b.get(word)
    b.i64(1)
    b.op("i64.sub", "i64.and")
    b.set(word)
    b.get(1)
    b.i32(1)
    b.op("i32.sub")
    b.set(1)
    b.br(clear)
    b.end()
    b.end()
    b.get(0)
    b.get(start)
    b.op("i32.sub")
    b.i32(3)
    b.op("i32.shl")
    b.get(word)
    b.op("i64.ctz", "i32.wrap_i64", "i32.add")


# ---- what a decision needs


def _write_take(plan: Plan, number: int) -> None:
    """(s, part, bit): carries out an option of a decision; the node at which the run goes on."""
    plan.kinds.add("take")
    mc = plan.machine
    node = mc.nodes[number]
    b = plan.body(f"take {number}", (I32, I32, I32))
    f = Play(plan, plan.regions[plan.region_of[number]], -1, b)
    f.node = number
    f.load_frame()
    bad = b.block()
    with f.faulting(bad, quiet=False):
        if isinstance(node, m.Decide):
            part = f.menu_of(number).parts[0]
            b.get(f.frame)
            b.get(2)
            b.i32(part.lo)
            b.op("i32.add")
            b.store(4 * node.slot)
            f.give(node.next)
        else:
            assert isinstance(node, m.Offer)
            for i in range(len(node.what)):
                b.get(1)
                b.i32(i)
                b.op("i32.eq")
                b.when()
                take_offer(f, number, node, i, 2, lambda _, __, target: f.give(target))
                b.end()
            b.op("unreachable")
    b.end()
    f.give_fault()


def _write_seat(plan: Plan, number: int) -> None:
    """(s, 0): the seat that decides."""
    node = plan.machine.nodes[number]
    assert isinstance(node, m.Decide | m.Offer)
    b = plan.body(f"seat {number}", (I32, I32))
    f = Function(plan, b)
    f.node = number
    f.load_frame()
    bad = b.block()
    with f.faulting(bad, quiet=False):
        f.num(node.seat)
        b.op("return")
    b.end()
    f.give_fault()


def _write_advance(plan: Plan) -> None:
    """`run` (s, node): to a stop. `advance`: the same through the branches of `together`."""
    mc = plan.machine
    b = plan.body("run", (I32, I32), (I32,))
    region = plan.table(plan.region_of)
    leader = plan.table(plan.leader.get(i, -1) for i in range(len(mc.nodes)))
    signature = plan.signature((I32, I32), (I32,))
    again = b.loop()
    b.get(0)
    for table in (leader, region):
        b.get(1)
        b.i32(2)
        b.op("i32.shl")
        b.load(table)
    b.call_indirect(signature)
    b.tee(1)
    b.i32(0)
    b.op("i32.ge_s")
    b.br_if(again)
    b.end()
    b.get(1)
    _write_branches(plan)


def _store(b: Body, word: int, value: int) -> None:
    b.get(0)
    b.i32(value)
    b.store(4 * word)


def _write_branches(plan: Plan) -> None:
    mc = plan.machine
    b = plan.body("advance", (I32, I32), (I32,), export=True)
    run = plan.function("run", (I32, I32))
    _reset_run(b)
    b.get(0)
    b.get(1)
    b.call(run)
    if not mc.branches:
        return
    code, seat = b.local(), b.local()
    b.set(code)
    again = b.loop()
    b.get(0)
    b.load(4 * m.FORKED)
    b.op("i32.eqz")
    b.when()
    b.get(code)
    b.op("return")
    b.end()
    b.get(code)
    b.i32(OVER)
    b.op("i32.eq")
    b.when()
    b.get(0)
    b.call(plan.function("unfork", (I32,), ()))
    b.end()
    for kind in (OVER, CHANCE, FAULT):
        b.get(code)
        b.i32(kind)
        b.op("i32.eq")
        b.when()
        b.get(code)
        b.op("return")
        b.end()
    for kind, status in ((STOP, m.WAITING), (BRANCH_END, m.DONE)):
        b.get(code)
        b.i32(kind)
        b.op("i32.eq")
        b.when()
        _park(plan, b, status)
        b.end()
    for number in range(mc.seats):
        base = mc.branches + 3 * number
        b.get(0)
        b.load(4 * (base + 2))
        b.i32(m.READY)
        b.op("i32.eq")
        b.when()
        _store(b, m.RUNNING, number + 1)
        b.get(0)
        b.get(0)
        b.load(4 * (base + 1))
        b.store(4 * m.FP)
        b.get(0)
        b.get(0)
        b.load(4 * base)
        b.call(run)
        b.set(code)
        b.br(again)
        b.end()
    for number in range(mc.seats):
        b.get(0)
        b.load(4 * (mc.branches + 3 * number + 2))
        b.i32(m.DONE)
        b.op("i32.ne")
        b.when()
        _store(b, m.RUNNING, 0)
        b.get(0)
        b.get(0)
        b.load(4 * m.MAIN_FP)
        b.store(4 * m.FP)
        b.i32(STOP)
        b.op("return")
        b.end()
    following = plan.table(n.next if isinstance(n, m.Fork) else 0 for n in mc.nodes)
    b.get(0)
    b.load(4 * m.FORK)
    b.i32(2)
    b.op("i32.shl")
    b.load(following)
    b.set(seat)
    b.get(0)
    b.call(plan.function("unfork", (I32,), ()))
    b.get(0)
    b.get(seat)
    b.call(run)
    b.set(code)
    b.br(again)
    b.end()
    b.op("unreachable")
    _write_unfork(plan)


def _park(plan: Plan, b: Body, status: int) -> None:
    """The running branch waits or is done."""
    mc = plan.machine
    at = b.local()
    b.get(0)
    b.get(0)
    b.load(4 * m.RUNNING)
    b.i32(12)
    b.op("i32.mul", "i32.add")
    b.i32(4 * mc.branches - 12)
    b.op("i32.add")
    b.set(at)
    for offset, word in ((0, m.PC), (4, m.FP)):
        b.get(at)
        if status == m.WAITING:
            b.get(0)
            b.load(4 * word)
        else:
            b.i32(0)
        b.store(offset)
    b.get(at)
    b.i32(status)
    b.store(8)
    _store(b, m.PC, 0)
    b.release(at)


def _write_unfork(plan: Plan) -> None:
    mc = plan.machine
    b = plan.body("unfork", (I32,), ())
    f = Function(plan, b)
    b.get(0)
    b.get(0)
    b.load(4 * m.MAIN_FP)
    b.store(4 * m.FP)
    for word in (m.FORKED, m.RUNNING, m.MAIN_FP, m.FORK, m.PC):
        _store(b, word, 0)
    for first, size in (
        (mc.branches, 3 * mc.seats),
        (mc.saved, mc.saved_to - mc.saved_from),
        (mc.branch_stack, mc.branch_size * mc.seats),
    ):
        f.zero(0, 4 * first, size)


def _decision_at(plan: Plan, b: Body, branch: int, node: int) -> None:
    """The local `node` becomes the decision that waits, in a branch if there are any; its frame runs."""
    mc = plan.machine
    b.get(0)
    b.load(4 * m.PC)
    b.set(node)
    if not mc.branches:
        return
    b.get(0)
    b.load(4 * m.FORKED)
    b.when()
    for offset, word in ((0, None), (4, m.FP)):
        if word is not None:
            b.get(0)
        b.get(0)
        b.get(branch)
        b.i32(12)
        b.op("i32.mul", "i32.add")
        b.load(4 * mc.branches + offset)
        if word is None:
            b.set(node)
        else:
            b.store(4 * word)
    b.get(0)
    b.get(branch)
    b.i32(1)
    b.op("i32.add")
    b.store(4 * m.RUNNING)
    b.end()


def _back_to_main(plan: Plan, b: Body) -> None:
    """Behind a look at a branch no branch runs."""
    if not plan.machine.branches:
        return
    b.get(0)
    b.load(4 * m.FORKED)
    b.when()
    _store(b, m.RUNNING, 0)
    b.get(0)
    b.get(0)
    b.load(4 * m.MAIN_FP)
    b.store(4 * m.FP)
    b.end()


def _reset_run(b: Body) -> None:
    for name, value in (("trial", 0), ("top", SCRATCH_START), ("fuel", MOST_WORK)):
        b.i32(value)
        b.gset(GLOBAL[name])


def _write_choose(plan: Plan, decisions: list[int]) -> None:
    """(s, branch, part, bit): carries out an option, part -1 to pass, and runs to the next stop."""
    mc = plan.machine
    b = plan.body("choose", (I32,) * 4, (I32,), export=True)
    f = Function(plan, b)
    node, target = b.local(), b.local()
    _reset_run(b)
    bad = b.block()
    _decision_at(plan, b, 1, node)
    with f.faulting(bad, quiet=False):
        _count_choice(plan, f, node)
    if mc.branches:
        b.get(0)
        b.load(4 * m.FORKED)
        b.when()
        b.get(0)
        b.get(1)
        b.i32(12)
        b.op("i32.mul", "i32.add")
        b.i32(m.READY)
        b.store(4 * mc.branches + 8)
        b.end()
    _store(b, m.PC, 0)
    b.get(2)
    b.i32(0)
    b.op("i32.lt_s")
    b.when(I32)
    b.get(node)
    f.look_up(plan.table(_passing(n) for n in mc.nodes))
    b.otherwise()
    for local in (0, 2, 3):
        b.get(local)
    b.get(node)
    f.look_up(_numbers(plan, decisions, 1))
    b.call_indirect(plan.signature((I32, I32, I32), (I32,)))
    b.end()
    b.tee(target)
    b.i32(0)
    b.op("i32.lt_s")
    b.when()
    b.get(target)
    b.op("return")
    b.end()
    b.get(0)
    b.get(target)
    b.call(plan.function("advance"))
    b.op("return")
    b.end()
    b.i32(FAULT)


def _passing(node: m.Step) -> int:
    found = getattr(node, "passing", None)
    return -1 if found is None else found


def _numbers(plan: Plan, decisions: list[int], kind: int) -> int:
    """The table from nodes to functions in the table of functions: 0 menus, 1 takings, 2 seats."""
    first = len(plan.regions) + kind * len(decisions)
    place = {n: first + i for i, n in enumerate(decisions)}
    return plan.table(place.get(i, 0) for i in range(len(plan.machine.nodes)))


def _count_choice(plan: Plan, f: Function, node: int) -> None:
    b = f.b
    n = b.local()
    b.get(0)
    b.get(0)
    b.load(4 * m.DECISIONS)
    b.i32(1)
    b.op("i32.add")
    b.tee(n)
    b.store(4 * m.DECISIONS)
    b.get(n)
    b.i32(plan.machine.longest)
    b.op("i32.gt_s")
    b.when()
    for value in (Known(TOO_LONG), Held(node, WIDE), Known(0), Known(0), Known(0)):
        f.put(value)
    b.call(plan.function("fault", (I32,) * 5, ()))
    assert f.fault_label is not None
    b.br(f.fault_label)
    b.end()
    b.release(n)


def _write_menu_at(plan: Plan) -> None:
    """`menu` (s, branch, buffer): what a waiting decision offers. `seat_at` (s, branch): who decides."""
    decisions = [i for i, n in enumerate(plan.machine.nodes) if isinstance(n, m.Decide | m.Offer)]
    for name, kind in (("menu", 0), ("seat_at", 2)):
        b = plan.body(name, (I32, I32, I32), (I32,), export=True)
        f = Function(plan, b)
        node, found = b.local(), b.local()
        _reset_run(b)
        _decision_at(plan, b, 1, node)
        b.get(0)
        b.get(2)
        b.get(node)
        f.look_up(_numbers(plan, decisions, kind))
        b.call_indirect(plan.signature((I32, I32), (I32,)))
        b.set(found)
        _back_to_main(plan, b)
        b.get(found)


def _write_happen(plan: Plan) -> None:
    """(s, outcome): the world has chosen; runs to the next stop."""
    mc = plan.machine
    b = plan.body("happen", (I32, I32), (I32,), export=True)
    f = Function(plan, b)
    node = b.local()
    slots = plan.table(n.slot if isinstance(n, m.Chance) else 0 for n in mc.nodes)
    following = plan.table(n.next if isinstance(n, m.Chance) else 0 for n in mc.nodes)
    _reset_run(b)
    f.load_frame()
    b.get(0)
    b.load(4 * m.PC)
    b.set(node)
    b.get(f.frame)
    b.get(node)
    f.look_up(slots)
    b.i32(2)
    b.op("i32.shl", "i32.add")
    b.get(1)
    b.store()
    _store(b, m.PC, 0)
    b.get(0)
    b.get(node)
    f.look_up(following)
    b.call(plan.function("advance", (I32, I32)))


# ---- the account


def _write_account(plan: Plan) -> None:
    """(s, seat): every line of a seat's account goes to its row of `accounts`, and the total behind them."""
    mc = plan.machine
    b = plan.body("account", (I32, I32), (I32,), export=True)
    f = Function(plan, b)
    b.i32(SCRATCH_START)
    b.gset(GLOBAL["top"])
    at, total, v = b.local(), b.local(), b.local()
    bad = b.block()
    b.get(1)
    b.i32(4 * (len(mc.scores) + 1))
    b.op("i32.mul")
    b.i32(plan.seats_out)
    b.op("i32.add")
    b.set(at)
    b.i32(0)
    b.set(total)
    with f.faulting(bad, quiet=True), f.reg(0, Held(1, (0, mc.seats - 1))), f.virtual({}):
        for i, score in enumerate(mc.scores):
            b.get(at)
            f.num(score.value)
            b.tee(v)
            b.store(4 * i)
            if score.kind == "score":
                b.get(total)
                b.get(v)
                b.op("i32.add")
                b.set(total)
    b.get(at)
    b.get(total)
    b.store(4 * len(mc.scores))
    b.i32(0)
    b.op("return")
    b.end()
    b.i32(FAULT)


def _write_winners(plan: Plan) -> None:
    """(s): the seats that have won, as bits, or the code of a fault in an account."""
    mc = plan.machine
    b = plan.body("winners", (I32,), (I32,), export=True)
    won = b.local()
    b.get(0)
    b.load(4 * m.WINNERS)
    b.tee(won)
    b.when()
    b.get(won)
    b.op("return")
    b.end()
    if mc.best == "none":
        b.i32(0)
        return
    for seat in range(mc.seats):
        b.get(0)
        b.i32(seat)
        b.call(plan.function("account"))
        b.i32(0)
        b.op("i32.lt_s")
        b.when()
        b.i32(FAULT)
        b.op("return")
        b.end()
    b.call(plan.function("best", ()))
    _write_best(plan)


def _write_best(plan: Plan) -> None:
    """(): the seats with the best of the accounts that were taken last, as bits."""
    mc = plan.machine
    b = plan.body("best", (), (I32,))
    won = b.local()
    row = 4 * (len(mc.scores) + 1)
    keys = [len(mc.scores), *(i for i, s in enumerate(mc.scores) if s.kind == "tiebreak")]
    better = ["i32.gt_s" if mc.best == "highest" else "i32.lt_s", *(["i32.gt_s"] * (len(keys) - 1))]
    best = b.local()
    b.i32(plan.seats_out)
    b.set(best)
    b.i32(1)
    b.set(won)
    for seat in range(1, mc.seats):
        mine = plan.seats_out + row * seat
        out = b.block()
        for key, compare in zip(keys, better, strict=True):
            b.i32(0)
            b.load(mine + 4 * key)
            b.get(best)
            b.load(4 * key)
            b.op(compare)
            b.when()
            b.i32(mine)
            b.set(best)
            b.i32(1 << seat)
            b.set(won)
            b.br(out)
            b.end()
            b.i32(0)
            b.load(mine + 4 * key)
            b.get(best)
            b.load(4 * key)
            b.op("i32.ne")
            b.br_if(out)
        b.get(won)
        b.i32(1 << seat)
        b.op("i32.or")
        b.set(won)
        b.end()
    b.get(won)


def _write_invariants(plan: Plan) -> None:
    """(s): the first promise that does not hold, counted from 1, or 0."""
    b = plan.body("broken", (I32,), (I32,), export=True)
    f = Function(plan, b)
    _reset_run(b)
    f.load_frame()
    bad = b.block()
    with f.faulting(bad, quiet=True):
        for i, invariant in enumerate(plan.machine.invariants):
            f.num(invariant.condition)
            b.op("i32.eqz")
            b.when()
            b.i32(i + 1)
            b.op("return")
            b.end()
        b.i32(0)
        b.op("return")
    b.end()
    b.i32(FAULT)
