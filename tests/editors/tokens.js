// Prints the tokens of a text by the grammar as Visual Studio Code reads it: [start, end, scope] each.
// Usage: node tokens.js MODULES GRAMMAR TEXT
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const [modules, grammarFile, textFile] = process.argv.slice(2);
const textmate = require(path.join(modules, "vscode-textmate"));
const oniguruma = require(path.join(modules, "vscode-oniguruma"));

async function main() {
  const wasm = fs.readFileSync(path.join(modules, "vscode-oniguruma", "release", "onig.wasm"));
  await oniguruma.loadWASM({ data: wasm });
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(grammarFile, "utf8"), grammarFile),
  });
  const grammar = await registry.loadGrammar("source.rulewright");
  const found = [];
  let state = textmate.INITIAL;
  let start = 0;
  for (const line of fs.readFileSync(textFile, "utf8").split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    for (const token of tokens) {
      const scope = token.scopes[token.scopes.length - 1];
      if (scope !== "source.rulewright") {
        found.push([start + token.startIndex, start + Math.min(token.endIndex, line.length), scope]);
      }
    }
    state = ruleStack;
    start += line.length + 1;
  }
  console.log(JSON.stringify(found));
}

main();
