/** `node scripts/check/main.ts`: what documents promise about each other and about the code. Part of `npm run check`. */
import { join } from "node:path";

import { citationProblems } from "./citations.ts";
import { mapProblems } from "./map-paths.ts";
import { securityTable } from "./security-table.ts";
import { readSourceTree } from "./source-tree.ts";

const tree = readSourceTree(join(import.meta.dirname, "..", ".."));
const security = securityTable(tree, "docs/security.md");
const problems = [...citationProblems(tree), ...mapProblems(tree, "ARCHITECTURE.md"), ...security.problems];

for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(
  `docs/security.md: ${security.open.length} open${security.open.length === 0 ? "" : `: ${security.open.join(", ")}`}\n`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
