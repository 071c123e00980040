-- Drives the language server from Neovim: findings, hover, definition, renaming, completion, formatting.
-- Usage: nvim --headless --clean -l neovim.lua SETTINGS FOLDER, with `rulewright` in the path

local settings, folder = arg[1], arg[2]
vim.cmd.source(settings)
vim.cmd.filetype("on")
vim.cmd.edit(folder .. "/pig.rules")
local buffer = vim.api.nvim_get_current_buf()
assert(vim.bo[buffer].filetype == "rulewright", "the kind of file is not known")
assert(vim.bo[buffer].shiftwidth == 4, "indentation")
assert(vim.wait(30000, function()
  local found = vim.lsp.get_clients({ bufnr = buffer, name = "rulewright" })[1]
  return found and found.initialized
end, 50), "the server does not answer")
local client = vim.lsp.get_clients({ bufnr = buffer, name = "rulewright" })[1]

local function ask(method, text, more)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  for number, line in ipairs(lines) do
    local column = line:find(text, 1, true)
    if column then
      local params = {
        textDocument = { uri = vim.uri_from_bufnr(buffer) },
        position = { line = number - 1, character = column - 1 },
      }
      local answer, why = client:request_sync(method, vim.tbl_extend("force", params, more or {}), 30000, buffer)
      assert(answer, why)
      assert(not answer.err, vim.inspect(answer.err))
      return answer.result
    end
  end
  error("no such text: " .. text)
end

local function findings(number)
  assert(vim.wait(30000, function() return #vim.diagnostic.get(buffer) == number end, 50),
    "findings: " .. vim.inspect(vim.diagnostic.get(buffer)))
end

assert(ask("textDocument/hover", "pot").contents.value:find("a counter", 1, true), "hover")
assert(ask("textDocument/definition", "pot")[1].uri:find("game.yaml", 1, true), "definition")

vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { "", "value   twice=pott*2" })
findings(1)
local last = vim.api.nvim_buf_line_count(buffer)
vim.api.nvim_buf_set_lines(buffer, last - 1, last, false, { "value   twice=pot*2" })
vim.wait(30000, function() return #vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR }) == 0 end, 50)

vim.lsp.buf.format({ async = false, timeout_ms = 30000 })
local formatted = vim.api.nvim_buf_get_lines(buffer, -2, -1, false)[1]
assert(formatted == "value twice = pot * 2", "format: " .. formatted)

local edit = ask("textDocument/rename", "pot", { newName = "kitty" })
vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)
local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
assert(not text:find("%f[%w]pot%f[%W]") and text:find("kitty", 1, true), "rename")

local items = ask("textDocument/completion", "kitty")
assert(#(items.items or items) > 0, "completion")
client:stop()
print("all answered")
