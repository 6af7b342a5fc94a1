import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";

const FILE = process.env["LOADED_FILES"];
const urls: string[] = [];

// Preloaded by tests (`--import`): writes the URL of each module that was loaded, a line each, when the process ends.
registerHooks({
  load(url, context, next) {
    urls.push(url);
    return next(url, context);
  },
});
process.on("exit", () => {
  if (FILE !== undefined) writeFileSync(FILE, urls.join("\n"));
});
