// What components are written with: templates by htm, hooks, signals.

import "./drawing.js";
import { Fragment, h, render } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

export { Fragment, h, render };
export { useCallback, useEffect, useErrorBoundary, useId, useLayoutEffect, useMemo, useRef, useState } from "./vendor/hooks.js";
export { batch, computed, effect, signal } from "./vendor/signals.js";

/** A template: html`<p class="quiet">${text}</p>`. */
export const html = /* @__PURE__ */ htm.bind(h);
