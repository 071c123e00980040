// Colours of rules, of YAML and of tables, before the server has said what the names are.

import { tokensOf } from "./rule_tokens.js";
import { StreamLanguage } from "./vendor/codemirror.js";

/** @import { Extension, TreeIndentContext, StreamParser } from "./vendor/codemirror.js" @import { Token } from "./rule_tokens.js" */

/** What the classes of tokens are drawn as; what the server says of names comes on top. */
/** @type {Record<string, string>} */
const STYLES = {
    comment: "comment", clause: "meta", number: "number", constant: "number", operator: "operator", punctuation: "punctuation", name: "variableName", builtin: "keyword",
    definition: "keyword", keyword: "keyword", fold: "keyword", logic: "keyword",
};

/** A line that a block follows: a definition without a value, or a statement that is about others. */
const HEADS = /^\s*(?:(?:action|effect|procedure|when)\b(?!.*(?<![<>])=)|(?:if|else|for|while|repeat|together)\b|each\b.*\bin turn\b)/;

/** @type {StreamParser<{ tokens: Token[] }>} */
const rules = {
    /** @param {unknown} _ @param {string} __ @param {TreeIndentContext} context */
    indent(_, __, context) {
        const { text, from } = context.lineAt(context.pos, -1);
        return context.lineIndent(from) + (HEADS.test(text.replace(/\s*(?:#.*)?$/, "")) ? context.unit : 0);
    },
    startState: () => ({ tokens: [] }),
    token(stream, state) {
        if (stream.sol()) {
            state.tokens = tokensOf(stream.string);
        }
        const next = state.tokens.find(({ end }) => end > stream.pos);
        if (!next || next.start > stream.pos) {
            stream.pos = next ? next.start : stream.string.length;
            return null;
        }
        stream.pos = next.end;
        return STYLES[next.kind];
    },
    copyState: ({ tokens }) => ({ tokens }),
    languageData: { commentTokens: { line: "#" } },
};

/** @type {StreamParser<unknown>} */
const yaml = {
    token(stream) {
        if (stream.eatSpace()) {
            return null;
        }
        if (stream.match(/#.*/)) {
            return "comment";
        }
        if (stream.match(/§[A-Za-z0-9_.-]+/)) {
            return "meta";
        }
        if (stream.match(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/)) {
            return "string";
        }
        if (stream.match(/[\w§ +.-]+?(?=:(\s|$))/)) {
            return "propertyName";
        }
        if (stream.match(/-?\d+\b/)) {
            return "number";
        }
        stream.match(/[\w.]+/) || stream.next();
        return null;
    },
    languageData: { commentTokens: { line: "#" } },
};

/** @type {Record<string, Extension>} */
const languages = { rules: StreamLanguage.define(rules), yaml: StreamLanguage.define(yaml) };

/** The language of a file, by its name; or nothing. @param {string} path */
export const languageOf = (path) => languages[path.slice(path.lastIndexOf(".") + 1)] ?? [];
