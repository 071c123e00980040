// A match in this page: who plays, handing the device over, logs that are opened and downloaded.

import { begun, isTold, opened, resumed } from "../backend/opening.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { described, language, t } from "../i18n.js";
import { announce, complain } from "./announce.js";
import { Frame } from "./frame.js";
import { HandOver } from "./hand_over.js";
import { readRules } from "./local_rules.js";
import { NewLocalMatch } from "./new_local_match.js";

/**
 * The match of a file. `games` are functions that open the game of each configuration; `rulebooks` are HTML.
 * `companion` is what follows a physical table, in a file that has it.
 * @param {{variants: {description: object, open: () => Promise<object>}[], rulebooks: Record<string, string>, companion: typeof import("./told.js").told | null}} props
 */
export function LocalMatch({ variants, rulebooks, companion }) {
    const [backend, setBackend] = useState(null);
    const [choosing, setChoosing] = useState(false);
    /** While another match opens, nothing can be chosen in the one before; it stays if the other cannot be opened. */
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
    const openLog = async (text) => {
        if (!companion && isTold(text)) {
            complain({ code: "no-companion" });
            return;
        }
        const whyNot = whyNotOpened(text, variants);
        if (whyNot) {
            complain({ code: whyNot });
            return;
        }
        const begun = backend?.position.peek().over === false && backend.entries.peek().some(({ words }) => words !== null);
        if (begun && !confirm(t("replace-match"))) {
            return;
        }
        for (const variant of variants) {
            try {
                const made = await opened(await variant.open(), text, companion?.Backend);
                backend?.close();
                described.value = variant.description;
                setBackend(made);
                announce(t("log-opened"));
                return;
            } catch {
                // It may be a log of another configuration in this file.
            }
        }
        complain({ code: "broken-log" });
    };
    useDrop(openLog);
    if (!backend) {
        return html`<p class="quiet waiting-for"><span class="spinner" aria-hidden="true"></span>${t("loading")}</p>`;
    }
    const rules = async () => readRules(rulebooks[language.peek()] ?? rulebooks.en ?? Object.values(rulebooks)[0] ?? "");
    const fresh = () => setChoosing(true);
    const begin = (variant, settings) => {
        setChoosing(false);
        start(variant, settings).catch(complain);
    };
    return html`<${Frame} key=${backend} backend=${backend} companion=${companion?.Panel} rules=${rules} rulesKeys=${[]} onNew=${fresh} onRematch=${fresh}
            onLog=${() => download(backend)} onOpenLog=${(event) => readFile(event.currentTarget.files[0], openLog)} />
        <${HandOver} backend=${backend} seat=${backend.handover.value} onTake=${(seat) => backend.look(seat)} />
        ${choosing && html`<${NewLocalMatch} variants=${variants} Choice=${companion?.Choice} backend=${backend} onBegin=${begin} onClose=${() => setChoosing(false)} />`}`;
}

/** Logs that are dropped on the page. */
function useDrop(open) {
    const latest = useRef(open);
    latest.current = open;
    useEffect(() => {
        const mark = (on) => document.body.classList.toggle("dropping", on);
        const over = (event) => {
            event.preventDefault();
            mark(true);
        };
        const left = (event) => event.relatedTarget === null && mark(false);
        const dropped = (event) => {
            event.preventDefault();
            mark(false);
            readFile(event.dataTransfer.files[0], latest.current);
        };
        addEventListener("dragover", over);
        addEventListener("dragleave", left);
        addEventListener("drop", dropped);
        return () => {
            removeEventListener("dragover", over);
            removeEventListener("dragleave", left);
            removeEventListener("drop", dropped);
        };
    }, []);
}

/** Why no game of this file can open a text as the log of a match: a code; null if one may, by what the log says of itself. */
function whyNotOpened(text, variants) {
    let header = null;
    try {
        header = JSON.parse(text.slice(0, text.indexOf("\n") + 1) || text);
    } catch {
        // A text without a header is no log.
    }
    if (!header?.rulewright) {
        return "not-a-log";
    }
    const same = (one, other) => Object.entries(one ?? {}).every(([name, value]) => String(other[name]) === String(value));
    const about = variants.map(({ description }) => description);
    if (about.every(({ game }) => game !== header.game)) {
        return "other-game";
    }
    if (about.every(({ digest }) => digest !== header.rules)) {
        return "other-rules";
    }
    return about.some(({ seats, options }) => seats === header.seats && same(header.options, options)) ? null : "other-table";
}

/** Logs are small; what is larger is none. */
const LARGEST = 16 << 20;

async function readFile(file, open) {
    if (!file) {
        complain({ code: "not-a-log" }); // a text or a picture was dropped, not a file
        return;
    }
    if (file.size > LARGEST) {
        complain({ code: "too-large" });
        return;
    }
    const text = await file.text().catch(() => "");
    await open(text);
}

function download(backend) {
    const address = URL.createObjectURL(new Blob([backend.log()], { type: "application/x-ndjson" }));
    const link = Object.assign(document.createElement("a"), { href: address, download: `${backend.description.game}.log` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
}
