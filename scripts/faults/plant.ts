/**
 * Loaded into every Node of a test run with NODE_OPTIONS=--import: programs that tests start as processes of their own load the sources
 * of the file that PLANTED_FAULT names instead of those on disk. Nothing is written to disk where others work.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const file = process.env["PLANTED_FAULT"];
if (file !== undefined) {
  // program-faults.ts writes it: absolute path → source.
  const planted = Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>);
  const sources = new Map(planted.map(([path, source]) => [pathToFileURL(path).href, source]));
  registerHooks({
    load(url, context, nextLoad) {
      const source = sources.get(url);
      return source === undefined ? nextLoad(url, context) : { format: "module-typescript", source, shortCircuit: true };
    },
  });
}
