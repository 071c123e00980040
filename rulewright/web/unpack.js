// Begins a page that is one file: unpacks what it carries, and starts its script. Not a module of the page:
// it stands in the file itself, before anything else can be read.

{
    const text = /** @type {string} */ (document.getElementById("packed")?.textContent);
    const [, packedSize, size] = /** @type {RegExpExecArray} */ (/^(\d+) (\d+) /.exec(text)).map(Number);
    const packed = new Uint8Array(packedSize);
    unfold(text.slice(text.indexOf(" ", text.indexOf(" ") + 1) + 1), packed);
    const bytes = decompress(packed, size);
    /** @type {Record<string, Uint8Array<ArrayBuffer>>} */
    const parts = {};
    const utf8 = new TextDecoder();
    const end = bytes.indexOf(10);
    let at = end + 1;
    for (const [name, length] of JSON.parse(utf8.decode(bytes.subarray(0, end)))) {
        parts[name] = bytes.subarray(at, (at += length));
    }
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(utf8.decode(parts.style));
    document.adoptedStyleSheets = [sheet];
    /** @type {import("./types.d.ts").Carried} */
    const carried = JSON.parse(utf8.decode(parts.data));
    carried.games.forEach((game, i) => (game.module = parts[`module ${i}`]));
    globalThis.carried = carried;
    const script = document.createElement("script");
    script.type = "module";
    script.textContent = utf8.decode(parts.script);
    document.head.append(script);

    /**
     * So many characters are the digits of a number, the last one of fewer; three digits are taken at once.
     * @param {string} characters
     * @param {Uint8Array} into
     */
    function unfold(characters, into) {
        const [letters, base] = [174, 63485];
        /** @param {number} at */
        const digit = (at) => {
            const code = characters.charCodeAt(at);
            return code - 1 - +(code > 13) - +(code > 60) - +(code > 0xdfff) * 2048;
        };
        for (let at = 0, next = 0; at < characters.length; ) {
            let number = 0n;
            const end = Math.min(at + letters, characters.length);
            const bytes = Math.floor((end - at) * 1.99426);
            for (; at < end; at += 3) {
                const three = (digit(at) * base + digit(at + 1)) * base + digit(at + 2);
                number = number * BigInt(base ** 3) + BigInt(three);
            }
            const digits = number.toString(16).padStart(2 * bytes, "0");
            for (let i = 0; i < bytes; i++) {
                into[next++] = parseInt(digits.slice(2 * i, 2 * i + 2), 16);
            }
        }
    }

    /** LZMA, as its specification says, with lc 3, lp 0, pb 0. @param {Uint8Array} source @param {number} length */
    function decompress(source, length) {
        const out = new Uint8Array(length);
        const odds = new Uint16Array(8192).fill(1024);
        const [MATCH, REP, REP0, REP1, REP2, LONG, SLOT, SPECIAL, ALIGN, LENGTH, REP_LENGTH, LITERAL] = [
            0, 192, 204, 216, 228, 240, 432, 688, 816, 832, 1346, 1860,
        ];
        let range = 0xffffffff;
        let code = 0;
        let from = 1;
        while (from < 5) {
            code = ((code << 8) | source[from++]) >>> 0;
        }
        const normalize = () => {
            if (range < 0x1000000) {
                range = (range << 8) >>> 0;
                code = ((code << 8) | source[from++]) >>> 0;
            }
        };
        /** @param {number} index @returns {number} */
        const bit = (index) => {
            const odd = odds[index];
            const bound = (range >>> 11) * odd;
            const found = code < bound ? 0 : 1;
            if (found) {
                range -= bound;
                code -= bound;
                odds[index] = odd - (odd >> 5);
            } else {
                range = bound;
                odds[index] = odd + ((2048 - odd) >> 5);
            }
            normalize();
            return found;
        };
        /** @param {number} first @param {number} bits */
        const tree = (first, bits) => {
            let symbol = 1;
            for (let i = 0; i < bits; i++) {
                symbol = (symbol << 1) | bit(first + symbol);
            }
            return symbol - (1 << bits);
        };
        /** @param {number} first @param {number} bits */
        const reversed = (first, bits) => {
            let symbol = 1;
            let found = 0;
            for (let i = 0; i < bits; i++) {
                const one = bit(first + symbol);
                symbol = (symbol << 1) | one;
                found |= one << i;
            }
            return found;
        };
        /** @param {number} bits */
        const direct = (bits) => {
            let found = 0;
            for (let i = 0; i < bits; i++) {
                range >>>= 1;
                const one = code >= range ? 1 : 0;
                code -= one * range;
                found = (found << 1) | one;
                normalize();
            }
            return found;
        };
        /** @param {number} first */
        const lengthOf = (first) => {
            if (!bit(first)) {
                return 2 + tree(first + 2, 3);
            }
            return bit(first + 1) ? 18 + tree(first + 258, 8) : 10 + tree(first + 130, 3);
        };
        /** @param {number} number */
        const distance = (number) => {
            const slot = tree(SLOT + 64 * Math.min(number - 2, 3), 6);
            if (slot < 4) {
                return slot;
            }
            const bits = (slot >> 1) - 1;
            const base = (2 | (slot & 1)) << bits;
            if (slot < 14) {
                return base + reversed(SPECIAL + base - slot, bits);
            }
            return base + (direct(bits - 4) << 4) + reversed(ALIGN, 4);
        };
        /** @param {number} first @param {number} like */
        const literal = (first, like) => {
            let symbol = 1;
            while (like >= 0 && symbol < 256) {
                const wanted = (like >> 7) & 1;
                like = (like << 1) & 255;
                const one = bit(first + ((1 + wanted) << 8) + symbol);
                symbol = (symbol << 1) | one;
                if (one !== wanted) {
                    break;
                }
            }
            while (symbol < 256) {
                symbol = (symbol << 1) | bit(first + symbol);
            }
            return symbol;
        };
        /** Which of the last distances comes again; false: the last one, for one byte. */
        const repeats = () => {
            if (!bit(REP0 + state)) {
                return bit(LONG + (state << 4)) === 1;
            }
            if (!bit(REP1 + state)) {
                [rep0, rep1] = [rep1, rep0];
            } else if (!bit(REP2 + state)) {
                [rep0, rep1, rep2] = [rep2, rep0, rep1];
            } else {
                [rep0, rep1, rep2, rep3] = [rep3, rep0, rep1, rep2];
            }
            return true;
        };
        let state = 0;
        let [rep0, rep1, rep2, rep3] = [0, 0, 0, 0];
        let next = 0;
        let number = 0;
        while (next < length) {
            if (!bit(MATCH + (state << 4))) {
                const first = LITERAL + 0x300 * ((next ? out[next - 1] : 0) >> 5);
                out[next] = literal(first, state < 7 ? -1 : out[next - rep0 - 1]);
                next++;
                state = state < 4 ? 0 : state - (state < 10 ? 3 : 6);
                continue;
            }
            if (!bit(REP + state)) {
                [rep1, rep2, rep3] = [rep0, rep1, rep2];
                number = lengthOf(LENGTH);
                state = state < 7 ? 7 : 10;
                rep0 = distance(number);
            } else if (repeats()) {
                number = lengthOf(REP_LENGTH);
                state = state < 7 ? 8 : 11;
            } else {
                number = 1;
                state = state < 7 ? 9 : 11;
            }
            for (; number > 0; number--, next++) {
                out[next] = out[next - rep0 - 1];
            }
        }
        return out;
    }
}
