"""Many matches side by side in linear memory."""

from interpreter.wasm.plan import Plan


def write_batches(plan: Plan) -> None:
    """To come."""
