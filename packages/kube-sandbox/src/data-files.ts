import { readFileSync } from "node:fs";

import { isTree, type Tree } from "./json-tree.ts";

/**
 * The JSON objects of a file in `data/`, one a line (made by `scripts/extract-data.ts` from a real API server).
 *
 * @throws when the file is missing or a line is not a JSON object
 */
export function readDataLines(file: string): Tree[] {
  const text = readFileSync(new URL(`../data/${file}`, import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const value: unknown = JSON.parse(line);
      if (!isTree(value)) throw new Error(`data/${file} has a line that is not an object`);
      return value;
    });
}
