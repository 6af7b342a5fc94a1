/** `node scripts/figures/main.ts`: figures of size, structure and words of the sources, a line each. */
import { join } from "node:path";

import { readSourceTree } from "../check/source-tree.ts";
import { figuresOf } from "./figures.ts";

const count = new Intl.NumberFormat("en");
const figures = figuresOf(readSourceTree(join(import.meta.dirname, "..", "..")));
const width = Math.max(...figures.map(({ title }) => title.length));
for (const { title, value, of } of figures) {
  const share = of === undefined ? "" : ` (${((100 * value) / of).toFixed(1)} %)`;
  process.stdout.write(`${title.padEnd(width)}  ${count.format(value).padStart(9)}${share}\n`);
}
