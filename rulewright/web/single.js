// The page of a game in one file.

import { start } from "./file_page.js";

start();
