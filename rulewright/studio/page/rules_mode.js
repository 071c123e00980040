// Colours of rules, of YAML and of tables, before the server has said what the names are.

import { StreamLanguage } from "./vendor/codemirror.js";

const WORDS = new Set(
    ("action effect procedure value modify when score tiebreak always never eventually enters leaves nests let gain pay lose gains pays loses move draw roll shuffle chance " +
        "show swap set clear record needs end wins win nothing choose chooses may keep choosing do does doing one from where several secretly up most times if else while repeat " +
        "until changes for each turn together of at to by as with all any count those sum distinct min max lowest highest first can is in not and or exists empty div mod none " +
        "true false otherwise top bottom game weight me active self opponent opponents seats nobody pass").split(" "),
);

const rules = {
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
        if (stream.match(/-?\d+/)) {
            return "number";
        }
        const word = stream.match(/[A-Za-z_]\w*/);
        if (word) {
            return WORDS.has(word[0]) ? "keyword" : "variableName";
        }
        stream.next();
        return null;
    },
    languageData: { commentTokens: { line: "#" } },
};

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

const languages = { rules: StreamLanguage.define(rules), yaml: StreamLanguage.define(yaml) };

/** The language of a file, by its name; or nothing. */
export const languageOf = (path) => languages[path.slice(path.lastIndexOf(".") + 1)] ?? [];
