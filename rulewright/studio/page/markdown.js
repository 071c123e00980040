// The little Markdown that the server writes: bold, emphasis, code, lists, blocks of code.

/** An element with a text. What is not understood is shown as it is. @param {string} text */
export function markdown(text) {
    const found = document.createElement("div");
    found.className = "said";
    for (const block of text.split("\n\n")) {
        const code = /^```\w*\n([\s\S]*?)\n?```$/.exec(block.trim());
        if (code) {
            found.append(Object.assign(document.createElement("pre"), { textContent: code[1] }));
            continue;
        }
        for (const line of block.split("\n")) {
            const paragraph = document.createElement("p");
            paragraph.append(...inline(line.replace(/^- /, "· ")));
            found.append(paragraph);
        }
    }
    return found;
}

/** @param {string} text */
function inline(text) {
    return text.split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/).map((part) => {
        /** @type {[string | null, number]} */
        const [tag, width] = part.startsWith("**") ? ["strong", 2] : part.startsWith("`") ? ["code", 1] : part.startsWith("*") && part.length > 2 ? ["em", 1] : [null, 0];
        return tag ? Object.assign(document.createElement(tag), { textContent: part.slice(width, -width) }) : part;
    });
}
