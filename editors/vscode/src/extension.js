"use strict";

const { execFile, spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LARGEST = 64 * 1024 * 1024;
const DEEPEST = 5;

let client;
let started; // the command that the server was started with
const servers = new Map();

async function activate(context) {
  const run = (name) => () => inTerminal(name);
  const commands = { create, graph, table, serve, test: run("test"), check: run("check"), simulate: run("simulate"), restart };
  for (const [name, does] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(`rulewright.${name}`, does));
  }
  context.subscriptions.push(
    vscode.tasks.registerTaskProvider("rulewright", { provideTasks, resolveTask }),
    vscode.workspace.onDidChangeConfiguration((changed) => {
      if (changed.affectsConfiguration("rulewright.command") && client !== undefined && String(command()) !== started) restart();
    }),
  );
  const [game] = await vscode.workspace.findFiles("**/game.yaml", undefined, 1);
  if (game !== undefined || vscode.workspace.textDocuments.some(isOfRuleset)) await start();
  else startLater(context);
}

async function deactivate() {
  for (const server of servers.values()) server.kill("SIGINT");
  servers.clear();
  await stop();
}

function command() {
  return vscode.workspace.getConfiguration("rulewright").get("command");
}

// ---- the language server

// Where there is no ruleset yet, the server starts with the first file of one.
function startLater(context) {
  const waiting = vscode.workspace.onDidOpenTextDocument((document) => {
    if (!isOfRuleset(document)) return;
    waiting.dispose();
    if (client === undefined) start();
  });
  context.subscriptions.push(waiting);
}

function isOfRuleset(document) {
  const { languageId, uri } = document;
  return languageId === "rulewright" || (uri.scheme === "file" && path.basename(uri.fsPath) === "game.yaml");
}

async function start() {
  const [program, ...first] = command();
  const run = { command: program, args: [...first, "lsp"] };
  started = String(command());
  const watcher = vscode.workspace.createFileSystemWatcher("**/*.{rules,yaml,csv}");
  client = new LanguageClient("rulewright", "Rulewright", run, {
    documentSelector: [
      { scheme: "file", language: "rulewright" },
      { scheme: "file", pattern: "**/*.{yaml,csv}" },
    ],
    synchronize: { fileEvents: watcher },
    initializationOptions: { showsPlaces: true },
    initializationFailedHandler: () => false, // it is said below
    middleware: { executeCommand: showingPlaces },
  });
  try {
    await client.start();
  } catch (error) {
    watcher.dispose();
    const help = "install it with `uv tool install \"rulewright[lsp,pages,serve]\"`, or set `rulewright.command`";
    const chosen = await vscode.window.showErrorMessage(`${program} cannot be started; ${help}. ${reason(error)}`, "Open the setting");
    if (chosen !== undefined) vscode.commands.executeCommand("workbench.action.openSettings", "rulewright.command");
  }
}

function reason(error) {
  return (error && error.message) || (typeof error === "string" ? error : "");
}

async function stop() {
  if (client !== undefined && client.isRunning()) await client.stop();
}

// The scenarios that a lens names are shown beside it, as a list of places.
async function showingPlaces(name, words, next) {
  const found = await next(name, words);
  if (name === "rulewright.asserting" && Array.isArray(found) && found.length > 0) {
    const [document, , at] = words;
    const places = found.map((each) => client.protocol2CodeConverter.asLocation(each));
    const here = client.protocol2CodeConverter.asPosition(at);
    await vscode.commands.executeCommand("editor.action.peekLocations", vscode.Uri.parse(document), here, places, "peek");
  }
  return found;
}

async function restart() {
  await stop();
  await start();
}

// ---- the ruleset of the document that is looked at

function ruleset() {
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined && editor.document.uri.scheme === "file") {
    let folder = path.dirname(editor.document.uri.fsPath);
    for (let depth = 0; depth <= DEEPEST; depth += 1) {
      if (fs.existsSync(path.join(folder, "game.yaml"))) return folder;
      folder = path.dirname(folder);
    }
  }
  vscode.window.showInformationMessage("Open a file of a ruleset first: there is no game.yaml above this one.");
  return undefined;
}

function ask(folder, ...words) {
  const [program, ...first] = command();
  return new Promise((resolve, reject) => {
    const options = { cwd: path.dirname(folder), maxBuffer: LARGEST };
    execFile(program, [...first, ...words], options, (error, output, complaint) => {
      if (error === null) resolve(output);
      else reject(new Error(complaint.trim() || error.message));
    });
  });
}

// ---- panels: drawn anew whenever a file of the ruleset is saved

function panel(folder, kind, title, scripts, draw) {
  const name = `${path.basename(folder)}: ${title}`;
  const options = { enableScripts: scripts, retainContextWhenHidden: true, localResourceRoots: [] };
  const shown = vscode.window.createWebviewPanel(`rulewright.${kind}`, name, vscode.ViewColumn.Beside, options);
  shown.webview.html = said(`The ${title} of ${path.basename(folder)} ${title === "phases" ? "are" : "is"} being made…`);
  let latest = 0;
  const update = async () => {
    const number = ++latest;
    const page = await draw().catch((error) => said(error.message));
    if (number === latest) shown.webview.html = page; // an older drawing may come later
  };
  const saved = vscode.workspace.onDidSaveTextDocument((document) => {
    if (!path.relative(folder, document.uri.fsPath).startsWith("..")) update();
  });
  shown.onDidDispose(() => {
    latest = NaN; // nothing is drawn any more
    saved.dispose();
  });
  return update();
}

// A page that says something, in the colours of the editor.
function said(text) {
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  const style = "pre { white-space: pre-wrap; font: var(--vscode-editor-font-size) var(--vscode-editor-font-family) }";
  return `<!doctype html><head><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style></head>
    <body><pre role="status">${escaped(text)}</pre></body>`;
}

function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}

// A drawing is as wide as the panel, but never too small to be read, and dark where the editor is.
const GRAPH_STYLE = `<style>body { padding: 0 } svg { max-width: max(100%, 40rem); height: auto }
  .vscode-dark svg, .vscode-high-contrast:not(.vscode-high-contrast-light) svg { filter: invert(.88) hue-rotate(180deg) }</style>`;

function graph() {
  const folder = ruleset();
  if (folder === undefined) return undefined;
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
  return panel(folder, "graph", "phases", false, async () => {
    const picture = await ask(folder, "graph", folder, "--format", "svg");
    const head = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
    return `<!doctype html><head>${head}${GRAPH_STYLE}</head><body>${picture}</body>`;
  });
}

function table() {
  const folder = ruleset();
  if (folder === undefined) return undefined;
  return panel(folder, "table", "table", true, async () => {
    const scratch = fs.mkdtempSync(path.join(require("node:os").tmpdir(), "rulewright-"));
    try {
      const page = path.join(scratch, "table.html");
      await ask(folder, "export", folder, "--into", page);
      return decoded(fs.readFileSync(page)).replace("<div id=page>", `${TABLE_STYLE}$&`);
    } finally {
      fs.rmSync(scratch, { recursive: true, force: true });
    }
  });
}

// A table is dark where the editor is, whatever the system prefers; of the editor's own style for panels nothing is left.
// It is pale as long as presses do not count yet.
const TABLE_STYLE = `<style>body { color: inherit; padding: 0 }
  #page:empty::before { content: "The table is being laid…"; display: block; padding: 1rem }
  .table-root { animation: laid .6s } @keyframes laid { 0%, 99% { opacity: .4; pointer-events: none } }
  :root:not([data-theme]):has(.vscode-light, .vscode-high-contrast-light) { color-scheme: light }
  :root:not([data-theme]):has(.vscode-dark, .vscode-high-contrast:not(.vscode-high-contrast-light)) { color-scheme: dark }</style>`;

// A table is UTF-16 with a mark, in which its packed parts are shorter.
function decoded(data) {
  return new TextDecoder(data[0] === 0xff && data[1] === 0xfe ? "utf-16le" : "utf-8").decode(data);
}

// ---- tables in a browser, commands in a terminal: as processes, so that no shell reads the names of folders

function serve() {
  const folder = ruleset();
  if (folder === undefined) return;
  const running = servers.get(folder);
  if (running !== undefined) running.kill("SIGINT");
  const [program, ...first] = command();
  const words = [...first, "serve", folder, "--port", "0", "--no-browser"];
  const server = spawn(program, words, { cwd: path.dirname(folder) });
  servers.set(folder, server);
  let complaint = "";
  server.stderr.on("data", (data) => {
    complaint += data;
  });
  server.stdout.on("data", (data) => {
    const found = /Tables at (\S+)/.exec(String(data));
    if (found !== null) vscode.env.openExternal(vscode.Uri.parse(found[1]));
  });
  server.on("error", (error) => vscode.window.showErrorMessage(`${program}: ${error.message}`));
  server.on("exit", (code) => {
    if (servers.get(folder) === server) servers.delete(folder);
    if (code) vscode.window.showErrorMessage(complaint.trim() || `${program} serve ended with ${code}`);
  });
}

const WORDS = {
  check: (folder) => ["check", folder, "--format", "line"],
  test: (folder) => ["test", folder],
  mutate: (folder) => ["mutate", folder],
  simulate: (folder) => ["simulate", folder, "-n", "1000"],
};

function inTerminal(name) {
  const folder = ruleset();
  return folder === undefined ? undefined : vscode.tasks.executeTask(taskOf(name, folder));
}

function taskOf(name, folder, kind = { type: "rulewright", task: name, game: folder }) {
  const [program, ...first] = command();
  const run = new vscode.ProcessExecution(program, [...first, ...WORDS[name](folder)], { cwd: path.dirname(folder) });
  const title = `${name} ${path.basename(folder)}`;
  const task = new vscode.Task(kind, vscode.TaskScope.Workspace, title, "rulewright", run, name === "check" ? ["$rulewright"] : []);
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true, showReuseMessage: false };
  if (name === "test") task.group = vscode.TaskGroup.Test;
  return task;
}

// Each task for each ruleset of the workspace; folders that overlays and tests bring along are as good as any.
async function provideTasks() {
  const games = await vscode.workspace.findFiles("**/game.yaml", "**/{node_modules,build,dist}/**", 50);
  const folders = games.map((game) => path.dirname(game.fsPath)).sort();
  return folders.flatMap((folder) => Object.keys(WORDS).map((name) => taskOf(name, folder)));
}

// A task of `tasks.json`: its `game` is a folder, by its path or within the workspace.
function resolveTask(task) {
  const { task: name, game = "." } = task.definition;
  const [root] = vscode.workspace.workspaceFolders || [];
  if (!(name in WORDS) || root === undefined) return undefined;
  return taskOf(name, path.resolve(root.uri.fsPath, game), task.definition);
}

// ---- a new ruleset

async function create() {
  const [root] = vscode.workspace.workspaceFolders || [];
  const into = root || (await folderToCreateIn());
  if (into === undefined) return;
  const validateInput = (text) => (/^[a-z][a-z0-9_]*$/.test(text) ? undefined : "a word of small letters, digits and _");
  const name = await vscode.window.showInputBox({ title: "New game", prompt: "Its name: a folder with a small working game is made", placeHolder: "my_game", validateInput });
  if (name === undefined) return;
  const folder = path.join(into.uri.fsPath, name);
  try {
    await ask(folder, "new", name);
  } catch (error) {
    vscode.window.showErrorMessage(reason(error));
    return;
  }
  if (root === undefined) {
    await vscode.commands.executeCommand("vscode.openFolder", vscode.Uri.file(folder));
    return;
  }
  for (const file of ["game.yaml", `${name}.rules`]) {
    await vscode.window.showTextDocument(vscode.Uri.file(path.join(folder, file)), { preview: false });
  }
}

async function folderToCreateIn() {
  const options = { canSelectFiles: false, canSelectFolders: true, openLabel: "Make the game here" };
  const [uri] = (await vscode.window.showOpenDialog(options)) || [];
  return uri && { uri };
}

module.exports = { activate, deactivate };
