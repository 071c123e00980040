"""The level of WebAssembly: instructions, functions, and the plan of a module."""
