// The rulebook of a game, as a server has it.

import * as api from "../api.js";
import { language } from "../i18n.js";
import { contentOf } from "./rules_panel.js";

/** The rulebook of a game, as the content of its page. */
export async function loadRules(game, seats, options, languages) {
    const spoken = languages?.includes(language.peek()) ? { lang: language.peek() } : {};
    return contentOf(await api.rulebook(game, seats, { ...options, ...spoken }));
}
