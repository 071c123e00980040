// A match in this page: who plays, handing the device over, logs that are opened and downloaded.

import { begun, isTold, opened, resumed } from "../backend/opening.js";
import { html, useEffect, useState } from "../html.js";
import { described, language, t } from "../i18n.js";
import { VERSION } from "../match/log.js";
import { BrokenLog, wholeLines } from "../match/log_reading.js";
import { NOTATION } from "../match/notation.js";
import { announce, complain } from "./announce.js";
import { headerOf, readFile, useDroppedLogs } from "./dropped_logs.js";
import { Frame } from "./frame.js";
import { HandOver } from "./hand_over.js";
import { readRules } from "./local_rules.js";
import { NewLocalMatch } from "./new_local_match.js";

/** @import { Settings } from "../backend/local_settings.js" */
/** @import { Game } from "../match/game.js" */
/** @import { Description, FieldEvent } from "../types.d.ts" */
/** @typedef {{ description: Description, open: () => Promise<Game> }} Variant a configuration of the game of a file */
/** @typedef {Awaited<ReturnType<typeof begun>>} Local the backend of a match in this page */

/**
 * The match of a file. `rulebooks` are HTML by language. `companion` is what follows a physical table, in a file that has it.
 * @param {{ variants: Variant[], rulebooks: Record<string, string>, companion: typeof import("./told.js").told | null }} props
 */
export function LocalMatch({ variants, rulebooks, companion }) {
    const [backend, setBackend] = useState(/** @type {Local | null} */ (null));
    const [choosing, setChoosing] = useState(false);
    /**
     * While another match opens, nothing can be chosen in the one before; it stays if the other cannot be opened.
     * @param {Variant} variant
     * @param {Settings | null} settings
     */
    const start = async (variant, settings) => {
        setBackend(null);
        try {
            const game = await variant.open();
            const made = await (settings ? begun(game, settings, companion?.Backend) : resumed(game, companion?.Backend));
            backend?.close();
            described.value = variant.description;
            setBackend(made);
        } catch (error) {
            setBackend((now) => now ?? backend);
            throw error;
        }
    };
    useEffect(() => void start(variants[0], null).catch(complain), []);
    const openLog = async (/** @type {string} */ text) => {
        if (!companion && isTold(text)) {
            complain({ code: "no-companion" });
            return;
        }
        const whyNot = whyNotOpened(text, variants);
        if (whyNot) {
            complain({ code: whyNot });
            return;
        }
        const begun = backend?.position.peek()?.over === false && backend.entries.peek().some(({ words }) => words !== null);
        if (begun && !confirm(t("replace-match"))) {
            return;
        }
        let line = 0;
        for (const variant of variants) {
            try {
                const made = await opened(await variant.open(), text, companion?.Backend);
                backend?.close();
                described.value = variant.description;
                setBackend(made);
                const torn = wholeLines(text)[1];
                torn === null ? announce(t("log-opened")) : complain(t("log-torn", { line: torn }));
                return;
            } catch (error) {
                // It may be a log of another configuration in this file.
                line = Math.max(line, error instanceof BrokenLog ? error.line : 0);
            }
        }
        complain([t("error-broken-log"), line > 1 && t("log-line", { line })].filter(Boolean).join(" "));
    };
    useDroppedLogs(openLog);
    if (!backend) {
        return html`<p class="quiet waiting-for"><span class="spinner" aria-hidden="true"></span>${t("loading")}</p>`;
    }
    const rules = async () => readRules(rulebooks[language.peek()] ?? rulebooks.en ?? Object.values(rulebooks)[0] ?? "");
    const fresh = () => setChoosing(true);
    const begin = (/** @type {Variant} */ variant, /** @type {Settings} */ settings) => {
        setChoosing(false);
        start(variant, settings).catch(complain);
    };
    return html`<${Frame} key=${backend} backend=${backend} companion=${companion?.Panel} rules=${rules} rulesKeys=${[]} onNew=${fresh} onRematch=${() => ("next" in backend && backend.position.peek()?.next ? backend.next().catch(complain) : fresh())}
            onLog=${() => download(backend)} notation=${() => backend.log()} onOpenLog=${(/** @type {FieldEvent} */ event) => readFile(event.currentTarget.files?.[0], openLog)} />
        <${HandOver} backend=${backend} seat=${backend.handover.value} onTake=${(/** @type {number} */ seat) => backend.look(seat)} />
        ${choosing && html`<${NewLocalMatch} variants=${variants} Choice=${companion?.Choice} backend=${backend} onBegin=${begin} onClose=${() => setChoosing(false)} />`}`;
}

/**
 * Why no game of this file can open a text as the log of a match: a code; null if one may, by what the log says of itself.
 * @param {string} text
 * @param {Variant[]} variants
 */
function whyNotOpened(text, variants) {
    const header = headerOf(text);
    if (!header) {
        return text.startsWith(NOTATION) ? "notation" : "not-a-log";
    }
    if (header.rulewright !== VERSION) {
        return "other-version";
    }
    const inOrder = (/** @type {unknown} */ value) => String(value).split(/\s*,\s*/u).sort().join();
    const same = (/** @type {Record<string, unknown>} */ one, /** @type {Record<string, unknown>} */ other) => Object.entries(one).every(([name, value]) => inOrder(other[name]) === inOrder(value));
    const about = variants.map(({ description }) => description);
    if (about.every(({ game }) => game !== header.game)) {
        return "other-game";
    }
    if (about.every(({ digest }) => digest !== header.rules)) {
        return "other-rules";
    }
    return about.some(({ seats, options }) => seats === header.seats && same(header.options ?? {}, options)) ? null : "other-table";
}

/** @param {Local} backend */
function download(backend) {
    const address = URL.createObjectURL(new Blob([backend.log()], { type: "application/x-ndjson" }));
    const link = Object.assign(document.createElement("a"), { href: address, download: `${backend.description.game}.log` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
}
