/** `node scripts/check/main.ts`: what documents promise about each other and about the code. Part of `npm run check`. */
import { join } from "node:path";

import { documentProblems } from "./document-problems.ts";

const { problems, open } = documentProblems(join(import.meta.dirname, "..", ".."));

for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`docs/security.md: ${open.length} open${open.length === 0 ? "" : `: ${open.join(", ")}`}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
