// The page of a game in one file, which also is the referee of a physical table.

import { start } from "./file_page.js";
import { told } from "./shell/told.js";

start(told);
