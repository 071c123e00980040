"""The level of WebAssembly: instructions, functions, and the builder of a module."""
