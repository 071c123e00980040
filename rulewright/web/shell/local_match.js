// A match in this page: who plays, handing the device over, logs that are opened and downloaded.

import { begun, isTold, opened, resumed } from "../backend/opening.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { described, language, t } from "../i18n.js";
import { announce, complain } from "./announce.js";
import { Frame } from "./frame.js";
import { readRules } from "./local_rules.js";
import { NewLocalMatch } from "./new_local_match.js";
import { nameAt } from "./players.js";
import { seatColours } from "../table/seat_colours.js";

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
        if (backend?.position.peek().over === false && backend.entries.peek().length && !confirm(t("replace-match"))) {
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
        <${HandOver} backend=${backend} />
        ${choosing && html`<${NewLocalMatch} variants=${variants} Choice=${companion?.Choice} backend=${backend} onBegin=${begin} onClose=${() => setChoosing(false)} />`}`;
}

/** The screen between two players of a game with secrets. */
function HandOver({ backend }) {
    const seat = backend.handover.value;
    return seat !== null && html`<${Cover} key=${seat} backend=${backend} seat=${seat} />`;
}

function Cover({ backend, seat }) {
    const ref = useRef(null);
    useLayoutEffect(() => {
        const dialog = ref.current;
        dialog.showModal();
        return () => dialog.close();
    }, []);
    // A second Escape closes it whatever the page says, and nobody could take the screen any more.
    const closed = () => ref.current?.isConnected && ref.current.showModal();
    const name = nameAt(backend.table.value, seat);
    const take = () => {
        backend.look(seat);
        document.getElementById("table")?.focus();
    };
    return html`<dialog class="cover" style=${seatColours(backend.description.scene.seats, seat)} ref=${ref} aria-labelledby="hand-over" onCancel=${(event) => event.preventDefault()} onClose=${closed}>
        <span class="disc" aria-hidden="true">${String.fromCharCode(65 + seat)}</span>
        <h2 id="hand-over">${t("hand-over", { name })}</h2>
        <p>${t("hand-over-about", { name })}</p>
        <button type="button" class="main big" onClick=${take}>${t("hand-over-take", { name })}</button>
    </dialog>`;
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

/** Logs are small; what is larger is none. */
const LARGEST = 16 << 20;

async function readFile(file, open) {
    if (!file) {
        return;
    }
    if (file.size > LARGEST) {
        complain({ code: "too-large" });
        return;
    }
    await open(await file.text());
}

function download(backend) {
    const address = URL.createObjectURL(new Blob([backend.log()], { type: "application/x-ndjson" }));
    const link = Object.assign(document.createElement("a"), { href: address, download: `${backend.description.game}.log` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
}
