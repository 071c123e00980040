"""wasmtime behind a few plain functions: modules are compiled, instances called with 32-bit numbers.

Calls go through `wasmtime_func_call_unchecked` with arguments in memory that is allocated once: a call of
`Func` would cost fifty times as much. ctypes releases the interpreter's lock while the module runs.
"""

from __future__ import annotations

import ctypes
import platform
import threading
from functools import lru_cache
from typing import Any
from weakref import WeakSet

import wasmtime
from wasmtime import _ffi as ffi

from dsl.diagnostics import InternalError
from dsl.source import NOWHERE
from interpreter.messages import Aborted, BrokenModule, Fault, InUse, NoMemory, StoppedRun
from interpreter.wasm.abi import MOST_WORK, WORK_AT

RAW = 4
"""32-bit words from one argument of a raw call to the next."""
_CALL = ctypes.CFUNCTYPE(
    ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p
)

_LOCKED_CALL = ctypes.PYFUNCTYPE(None)


def _lacks_memory(error: Exception) -> bool:
    """Whether the system has refused memory, and nothing is wrong with a module."""
    return any(word in str(error).lower() for word in ("mmap", "cannot allocate", "os error 12"))


def no_memory(error: Exception) -> Aborted:
    """What it means that there is no memory for an instance."""
    return Aborted(NoMemory(NOWHERE, str(error).splitlines()[0].strip()))


def engine(spare: bool) -> wasmtime.Engine:
    """`spare` is for small modules, also in processes with little memory: no addresses are reserved, and each
    access is checked. There is one of each kind, whichever thread asks first: a module runs in no other."""
    return _ENGINES.get(spare) or _ENGINES.setdefault(spare, _new_engine(spare))


_ENGINES: dict[bool, wasmtime.Engine] = {}


def _new_engine(spare: bool) -> wasmtime.Engine:
    config = wasmtime.Config()
    if spare:
        config.memory_reservation = 0
        config.memory_reservation_for_growth = 0
        config.memory_guard_size = 0
        config.memory_init_cow = False
    config.wasm_simd = True
    config.cranelift_opt_level = "speed"
    if platform.machine().lower() in ("x86_64", "amd64"):
        # Chance multiplies 32 bits by 32. The product of 64 bits would take its place, at thrice the time.
        config.cranelift_flag_set("has_avx512dq", "false")
    # Threads of the compiler would not survive a fork, and a child would wait for them for ever.
    config.parallel_compilation = False
    try:
        return wasmtime.Engine(config)
    except wasmtime.WasmtimeError as error:
        raise no_memory(error) from error


def compile_module(data: bytes, spare: bool = False) -> wasmtime.Module:
    """Machine code for a module. wasmtime validates it first; what it refuses is our own bug."""
    try:
        return wasmtime.Module(engine(spare), data)
    except wasmtime.WasmtimeError as error:
        if _lacks_memory(error):
            raise no_memory(error) from error
        raise InternalError(f"the module is not valid: {error}") from error


def restore_module(data: bytes) -> wasmtime.Module:
    """Machine code from a cache. It must be known to be our own: it is not checked here."""
    try:
        return wasmtime.Module.deserialize(engine(False), data)
    except wasmtime.WasmtimeError as error:
        if _lacks_memory(error):
            raise no_memory(error) from error
        raise Fault(BrokenModule(NOWHERE, str(error).splitlines()[0])) from error


class Function:
    """An exported function, called with 32-bit numbers and giving one."""

    __slots__ = ("arguments", "at", "call", "context", "func", "keep", "length", "trap", "trap_at")

    def __init__(self, store: wasmtime.Store, func: wasmtime.Func, arity: int) -> None:
        slots = max(1, arity)
        self.length = slots
        self.arguments = (ctypes.c_int32 * (RAW * slots))()
        self.trap = ctypes.c_void_p()
        self.keep = (store, func)
        self.context = ctypes.cast(store._context(), ctypes.c_void_p).value
        self.func = ctypes.addressof(func._func)
        self.at = ctypes.addressof(self.arguments)
        self.trap_at = ctypes.addressof(self.trap)
        self.call = _raw_call()

    def __call__(self, *numbers: int) -> int:
        arguments = self.arguments
        i = 0
        for number in numbers:
            arguments[i] = number
            i += RAW
        error = self.call(self.context, self.func, self.at, self.length, self.trap_at)
        if error or self.trap.value:
            self.failed(error)
        return arguments[0]

    def failed(self, error: int | None) -> None:
        if self.trap.value:
            trap = ctypes.cast(self.trap.value, ctypes.POINTER(ffi.wasm_trap_t))
            self.trap.value = None
            raise InternalError(f"the module trapped: {wasmtime.Trap._from_ptr(trap).message}")
        raise InternalError("the module cannot be called")


@lru_cache(maxsize=1)
def _raw_call() -> Any:
    return _CALL(_raw_address())


def _raw_address() -> int:
    address = ctypes.cast(ffi.dll.wasmtime_func_call_unchecked, ctypes.c_void_p).value
    assert address is not None
    return address


class RawCall:
    """A raw call whose arguments stand in memory and whose addresses are converted once.

    It keeps the interpreter's lock: for what takes less than a microsecond, giving it away costs more.
    """

    __slots__ = ("call", "function", "given", "unsigned", "words")

    def __init__(self, function: Function) -> None:
        self.function = function
        self.call = _LOCKED_CALL(_raw_address())
        pointer, size = ctypes.c_void_p.from_param, ctypes.c_size_t.from_param
        f = function
        self.given: Any = (
            pointer(f.context),
            pointer(f.func),
            pointer(f.at),
            size(f.length),
            pointer(f.trap_at),
        )
        self.words = memoryview(function.arguments).cast("B").cast("i")
        self.unsigned = memoryview(function.arguments).cast("B").cast("I")


_INSTANCES: WeakSet[Instance] = WeakSet()


def running() -> list[tuple[Instance, int]]:
    """The instances that are in use, each with the number of its use."""
    return [(instance, instance.uses) for instance in list(_INSTANCES) if instance.in_use]


class Instance:
    """A module with a memory of its own. Used by one thread at a time; another one gets a fault.

    Any thread may `stop` it: then the work of a decision is at its end, and the run faults within a moment.
    """

    def __init__(self, module: wasmtime.Module, spare: bool = False) -> None:
        self.module = module
        self.uses = 0
        self.stopped = False
        try:
            self.store = wasmtime.Store(engine(spare))
            made = wasmtime.Instance(self.store, module, [])
        except (wasmtime.WasmtimeError, wasmtime.Trap) as error:
            raise no_memory(error) from error
        exports = made.exports(self.store)
        memory = exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self.memory = memory
        self.functions = {
            e.name: Function(self.store, func, len(e.type.params))
            for e in module.exports
            if isinstance(e.type, wasmtime.FuncType) and isinstance(func := exports[e.name], wasmtime.Func)
        }
        self._globals: dict[str, Any] = {
            e.name: exports[e.name] for e in module.exports if isinstance(e.type, wasmtime.GlobalType)
        }
        self._lock = threading.Lock()
        self.moved()
        _INSTANCES.add(self)

    def moved(self) -> None:
        """Linear memory may lie elsewhere after it has grown."""
        pointer = self.memory.data_ptr(self.store)
        self.base = ctypes.addressof(pointer.contents)
        self.size = self.memory.data_len(self.store)

    def grow(self, size: int) -> None:
        """Linear memory has at least so many bytes."""
        if size > self.size:
            try:
                self.memory.grow(self.store, (size - self.size + 65535) // 65536)
            except wasmtime.WasmtimeError as error:
                raise no_memory(error) from error
            self.moved()

    def __enter__(self) -> Instance:
        if not self._lock.acquire(blocking=False):
            raise Fault(InUse(NOWHERE))
        self.uses += 1
        return self

    def __exit__(self, *_: object) -> None:
        if self.stopped:
            self._work(MOST_WORK)
        self._lock.release()

    # ---- stopping

    @property
    def in_use(self) -> bool:
        return self._lock.locked()

    def stop(self, use: int) -> None:
        """The use of that number comes to its end, if it has not already."""
        if self.in_use and self.uses == use:
            self.stopped = True
            self._work(0)

    def _work(self, work: int) -> None:
        ctypes.c_int32.from_address(self.base + WORK_AT).value = work

    def check_stopped(self) -> None:
        """Raises `Aborted` if the use that is at its end was stopped."""
        if self.stopped:
            self.stopped = False
            self._work(MOST_WORK)
            raise Aborted(StoppedRun(NOWHERE))

    def global_value(self, name: str) -> int:
        value = self._globals[name].value(self.store)
        assert isinstance(value, int)
        return value

    def set_global(self, name: str, value: int) -> None:
        kind = self._globals[name].type(self.store).content
        made = wasmtime.Val.i64(value) if str(kind) == "i64" else wasmtime.Val.i32(value)
        self._globals[name].set_value(self.store, made)

    # ---- memory

    def read(self, address: int, words: int) -> bytes:
        self.check(address, 4 * words)
        return ctypes.string_at(self.base + address, 4 * words)

    def read_bytes(self, address: int, size: int) -> bytes:
        self.check(address, size)
        return ctypes.string_at(self.base + address, size)

    def write(self, address: int, data: bytes) -> None:
        self.check(address, len(data))
        ctypes.memmove(self.base + address, data, len(data))

    def check(self, address: int, size: int) -> None:
        if address < 0 or address + size > self.size:
            raise InternalError(f"{size} bytes at {address} lie outside a memory of {self.size}")
