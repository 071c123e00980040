"""The functions of a host in one module for all games."""

from __future__ import annotations

from interpreter.wasm.emit.module_builder import PAGE, FunctionWriter
from interpreter.wasm.host.knowledge import write_knowledge
from interpreter.wasm.host.learning import write_learning
from interpreter.wasm.host.numbering import write_numbering
from interpreter.wasm.host.sights import HostTable, write_sights, write_suppose
from interpreter.wasm.host.telling import write_telling
from interpreter.wasm.host.undo import write_undo

TABLE = 1024
"""Where the table of a game is put."""


def write_host(writer: FunctionWriter, table: HostTable, *, supposes: bool = True) -> None:
    """The functions over the table at an address; only a physical table supposes what may lie hidden."""
    write_sights(writer, table)
    write_telling(writer, table)
    write_learning(writer, table)
    write_undo(writer, table)
    write_knowledge(writer, table)
    write_numbering(writer, table)
    if supposes:
        write_suppose(writer, table)


def host_module() -> bytes:
    """The module whose table a caller writes to `TABLE`."""
    writer = FunctionWriter(end=PAGE)
    write_host(writer, HostTable(TABLE))
    return writer.encoded([])
