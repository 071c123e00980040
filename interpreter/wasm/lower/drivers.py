"""Who makes decisions: the referee outside, or the module itself.

Drivers of regions keep their counters in globals and in the state; those of a whole game keep them in locals.
"""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.abi import FAIL, MOST_SEARCH, STOP, STREAM, TOO_LONG, WORK_AT
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import global_
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const, word_now
from interpreter.wasm.lower import (
    calls,
    option_layouts,
    playout,
    refusals,
    stops,
    value_options,
)
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.control import WholeGame
from interpreter.wasm.lower.frames import SavedAtStops
from interpreter.wasm.lower.option_stores import MaskStore, WordStore, in_register
from interpreter.wasm.lower.values import WIDE, Constant, InLocal, Value
from interpreter.wasm.option_layout import OptionPart, Pair, RoutineEntry

# ---- a function for each region


class RegionReferee:
    """Every decision and every chance is a stop. Counters of the run stand in globals and in the state."""

    def __init__(self, fx: FunctionContext) -> None:
        self.fx = fx
        self.fuel, self.rng = global_("fuel"), global_("rng")
        self.trial: Operand = global_("trial")

    # ---- trials and stops

    def refuse(self, kind: int, a: Value | int = 0, b: Value | int = 0, c: Value | int = 0) -> None:
        if self.fx.builder.config.explains:
            with self.fx.b.if_(self.trial):
                refusals.refuse(self.fx, kind, a, b, c)
                self.fx.b.ret(FAIL)
        else:
            self.fx.b.ret_if(FAIL, self.trial)
        self.fx.fault(kind, a, b, c)

    def decision(self, number: int, node: ir.Decide | ir.Offer) -> int | None:
        if self.fx.builder.config.explains and isinstance(node, ir.Decide) and node.trial:
            refusals.stop_if_captured(self.fx, number)
        stops.stop_if_any(self.fx, number, node, both=True)
        return None

    def stop_at(self, number: int, code: int) -> None:
        b = self.fx.b
        b.write(b.state, number, 4 * ir.PC)
        self.fx.control.ret(code)

    def count_decision(self, number: int) -> None:
        fx, b = self.fx, self.fx.b
        with b.temporaries(I32) as (n,):
            b.write(b.state, n.tee(b.state.load(4 * ir.DECISIONS) + 1), 4 * ir.DECISIONS)
            with b.if_(n.gt_s(fx.mc.longest)):
                fx.resume(number)
                fx.fault(TOO_LONG)

    # ---- chance and counters

    def draw_number(self, node: ir.Chance, total: Value) -> None:
        b = self.fx.b
        b.push(self.fx.builder.call("draw", b.state, node.stream, total.operand))

    def refuel(self) -> None:
        self.fx.b.assign(global_("search"), MOST_SEARCH)
        self.fx.b.assign(self.fuel, word_now(WORK_AT))

    # ---- options

    def take(self, part: OptionPart, bit: Variable) -> None:
        value_options.take(self.fx, part, bit)

    def take_pair(self, part: OptionPart, pair: Pair, x: Variable, y: Variable) -> None:
        fx, number, entry = self.fx, part.node, pair.entry
        following = fx.mc.node(number, ir.Offer).next
        with calls.offered_part(fx, part) as words:
            given = [words[ir.FRAME + i] for i in range(entry.given)]
            calls.push_frame(fx, number, entry.routine, words[ir.ME], words[ir.SELF], given, following)
            for choice, chosen in ((pair.first, x), (pair.second, y)):
                calls.write_in_pushed(fx, number, fx.mc.node(choice, ir.Decide).slot, chosen)
            calls.run_routine(fx, fx.mc.node(pair.second, ir.Decide).next, following)
        fx.control.go(following)


class RegionPlayout(RegionReferee):
    """The module makes every decision by itself, each option with equal chance."""

    def decision(self, number: int, node: ir.Decide | ir.Offer) -> int | None:
        fx, b = self.fx, self.fx.b
        with b.if_(self.trial):
            stops.stop_if_any(fx, number, node, both=False)
        if fx.builder.plays_branches:
            with b.if_(global_("pausing")):
                stops.stop_if_any(fx, number, node, both=True)
        playout.play_decision(fx, number, node)
        return None


class RegionStepper(RegionReferee):
    """Decisions are stops that leave their options in the buffer; chance is drawn by the module."""

    def decision(self, number: int, node: ir.Decide | ir.Offer) -> int | None:
        with self.fx.b.if_(self.trial):
            stops.stop_if_any(self.fx, number, node, both=False)
        _stop_with_options(self.fx, number, node)
        return None


def _stop_with_options(fx: FunctionContext, number: int, node: ir.Decide | ir.Offer) -> None:
    """Stops with the options in the buffer, or continues where there is nothing to choose."""
    b = fx.b
    with b.temporaries(I32) as (total,):
        _leave_options(fx, number, total)
        fx.resume(number)
        b.push(total)
        if node.asks:
            stops.push_is_asked(fx, node)
            b.push(STACK | STACK)
        with b.if_(STACK):
            fx.driver.stop_at(number, STOP)
    stops.nothing_to_choose(fx, number, node, both=True)


def _leave_options(fx: FunctionContext, number: int, total: Variable) -> None:
    """Writes the options to the buffer, and how many there are to a local."""
    b = fx.b
    b.assign(total, 0)
    for part in option_layouts.layout_of(fx, number).parts:
        store = MaskStore(fx, part) if in_register(fx, part) else WordStore(fx, part)
        with b.temporaries(I32) as (count,):
            store.find(count)
            if isinstance(store, MaskStore):
                b.write(const(0), store.mask, fx.builder.mask_address + 8 * part.first, "i64.store")
            store.release()
            b.assign(total, total + count)


# ---- a whole game as one function


class LocalPlayout:
    """The game plays itself to its end."""

    def __init__(self, fx: FunctionContext, game: WholeGame) -> None:
        self.fx, self.game, self.registers = fx, game, game.registers
        self.fuel, self.rng = self.registers.fuel, self.registers.rng
        self.trial: Operand = const(0)

    # ---- trials and stops

    def refuse(self, kind: int, a: Value | int = 0, b: Value | int = 0, c: Value | int = 0) -> None:
        self.fx.fault(kind, a, b, c)

    def decision(self, number: int, node: ir.Decide | ir.Offer) -> int | None:
        playout.play_decision(self.fx, number, node)
        return None

    def stop_at(self, number: int, code: int) -> None:
        raise AssertionError("a playout does not stop")

    def count_decision(self, number: int) -> None:
        b, decisions = self.fx.b, self.registers.decisions
        with b.if_(decisions.tee(decisions + 1).gt_s(self.fx.mc.longest)):
            self.fx.resume(number)
            self.fx.fault(TOO_LONG)
        self.refill()

    # ---- counters

    def refill(self) -> None:
        """The fuel is read from memory, so that a run can be stopped from outside."""
        self.fx.b.assign(self.fuel, word_now(WORK_AT))

    def refuel(self) -> None:
        """Fuel between decisions is counted in a local, which `count_decision` has set."""
        if any(self.fx.builder.trial_plans.values()):
            self.fx.b.assign(global_("search"), MOST_SEARCH)

    # ---- chance

    def draw_number(self, node: ir.Chance, total: Value) -> None:
        """The function `draw`, in place: only a group of sixteen numbers that is used up takes a call."""
        fx, b, mc = self.fx, self.fx.b, self.fx.mc
        counter = fx.kept[mc.stream_base + node.stream]
        address = b.state + STREAM * (node.stream - len(mc.streams))
        with b.temporaries(I32, I64) as (record, product):
            again = b.loop()
            with b.if_(self._used_up(node, counter, record, address)):
                b.write(record, counter >> 4, 8)
                self._note_group(node, counter)
                b.push(fx.builder.call("philox 16", record, results=()))
            b.assign(product, stops.next_number(record, counter) * total.operand.widened())
            self._note_total(record, counter, total)
            b.assign(counter, counter + 1)
            self._push_rejected(product.wrapped(), total)
            b.br_if(again)
            b.end()
            b.push((product >> 32).wrapped())

    def _used_up(self, node: ir.Chance, counter: Operand, record: Variable, address: Operand) -> Operand:
        """Whether the number of a counter is not at hand; the stream's address goes to `record`."""
        self.fx.b.assign(record, address)
        return counter.ge_u(self.registers.at_hand[node.stream])

    def _note_group(self, node: ir.Chance, counter: Operand) -> None:
        self.fx.b.assign(self.registers.at_hand[node.stream], (counter | 15) + 1)

    def _note_total(self, record: Variable, counter: Operand, total: Value) -> None:
        """Nobody asks for it."""

    def _push_rejected(self, low: Operand, total: Value) -> None:
        """Leaves whether a number must be drawn again, so that all are equally likely."""
        b, n = self.fx.b, total.operand
        if isinstance(total, Constant):
            b.push(low.lt_u((1 << 32) % total.value))
            return
        with b.if_(low.lt_u(n), I32):
            b.push(low.lt_u((const(0) - n).rem_u(n)))
            b.otherwise()
            b.push(0)

    # ---- options

    def take(self, part: OptionPart, bit: Variable) -> None:
        fx, game = self.fx, self.game
        node = fx.mc.decision(part.node)
        if isinstance(node, ir.Decide):
            value_options.take(fx, part, bit)
            return
        doing = node.what[part.index]
        assert isinstance(doing, ir.DoRoutine)
        entry = part.entries[0]
        inner = game.paths.inner[(*game.cursor.point, part.index, doing.routine)]
        with calls.offered_frame(fx, node, doing) as words:
            if entry.choice is None:
                game.frames.fill_frame(inner, words)
                following = calls.entry_node(fx, entry.routine, entry.given)
            else:
                choice = fx.mc.node(entry.choice, ir.Decide)
                with fx.b.temporaries(I32) as (value,):
                    fx.b.assign(value, value_options.value(part, bit))
                    self._fault_of_needs(entry, part, bit, words)
                    game.frames.fill_frame(inner, words | {choice.slot: InLocal(value, WIDE)})
                following = choice.next
        game.go_to((inner, following))

    def take_pair(self, part: OptionPart, pair: Pair, x: Variable, y: Variable) -> None:
        fx, game = self.fx, self.game
        first, second = fx.mc.node(pair.first, ir.Decide), fx.mc.node(pair.second, ir.Decide)
        inner = game.paths.inner[(*game.cursor.point, part.index, pair.entry.routine)]
        with calls.offered_part(fx, part) as words:
            words |= {first.slot: InLocal(x, WIDE), second.slot: InLocal(y, WIDE)}
            game.frames.fill_frame(inner, words)
        game.go_to((inner, second.next))

    def _fault_of_needs(
        self, entry: RoutineEntry, part: OptionPart, bit: Variable, words: dict[int, Value]
    ) -> None:
        """A need that is a fault hides nothing: it is offered, and shows when it is chosen."""
        if not entry.needs:
            return
        fx, b = self.fx, self.fx.b
        with b.if_(bit.eq(part.size)):
            with calls.virtual(fx, words):
                for number in entry.needs:
                    need = fx.mc.node(number, ir.Precondition)
                    fx.resume(number)
                    fx.num(need.condition)
                    b.drop()
            b.unreachable()


class LocalStepper(LocalPlayout):
    """The game stops at its decisions; frames go to the state there. Chance is drawn by the module."""

    def __init__(self, fx: FunctionContext, game: WholeGame, frames: SavedAtStops) -> None:
        super().__init__(fx, game)
        self.frames = frames

    def decision(self, number: int, node: ir.Decide | ir.Offer) -> int | None:
        _stop_with_options(self.fx, number, node)
        return None

    def stop_at(self, number: int, code: int) -> None:
        """Saves the frames; the current one is the last."""
        b = self.fx.b
        self.frames.save()
        for word, value in ((ir.PC, number), (ir.FP, self.frames.base(self.game.cursor.point[0]))):
            b.write(b.state, value, 4 * word)
        self.fx.control.ret(code)

    def _used_up(self, node: ir.Chance, counter: Operand, record: Variable, address: Operand) -> Operand:
        return record.tee(address).load(8).ne(counter >> 4)

    def _note_group(self, node: ir.Chance, counter: Operand) -> None:
        """It is noted beside the stream, not in a local."""

    def _note_total(self, record: Variable, counter: Operand, total: Value) -> None:
        stops.note_total(self.fx.b, record, counter, total.operand)
