vim.filetype.add({ extension = { rules = "rulewright" } })
vim.lsp.config("rulewright", {
  cmd = { "rulewright", "lsp" },
  filetypes = { "rulewright", "yaml", "csv" },
  root_markers = { "game.yaml" },
})
vim.lsp.enable("rulewright")
vim.api.nvim_create_autocmd("FileType", {
  pattern = "rulewright",
  callback = function()
    vim.bo.commentstring = "# %s"
    vim.bo.shiftwidth, vim.bo.expandtab = 4, true
  end,
})
