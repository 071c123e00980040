// The rulebook of a game, as a server has it.

import * as api from "../api.js";
import { labelLanguage } from "../i18n.js";
import { contentOf } from "./rules_panel.js";

/** The rulebook of a game, as the content of its page. */
export async function loadRules(game, seats, options, languages) {
    const spoken = languages?.length ? { lang: labelLanguage({ languages }) } : {};
    return contentOf(await api.rulebook(game, seats, { ...options, ...spoken }));
}
