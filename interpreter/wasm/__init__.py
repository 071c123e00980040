"""The fast executor: a machine lowered to one WebAssembly module, and run by wasmtime."""
