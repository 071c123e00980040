"""The language server: the functions of `dsl.workspace` over the Language Server Protocol."""
