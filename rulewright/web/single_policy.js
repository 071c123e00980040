// The page of a game in one file in which a trained policy plays; it follows a physical table where it was asked to.

import { addPolicy } from "./backend/policy_seats.js";
import { start } from "./file_page.js";
import { told } from "./shell/told.js";

addPolicy();
start(globalThis.carried.companion ? told : null);
