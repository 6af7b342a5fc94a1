/** `node scripts/engine/main.ts`: writes the name of what makes views, from all of its code. Part of `npm run reference` and `npm run check`. */
import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What decides which entries a view has: the contract, objects as they are cut, rules, edges, words, and what puts them together. */
const MADE_OF = [
  "packages/proto/proto/dashboard/**/*.proto",
  "packages/{kube,health,health-lua,graph,words,environment-view}/src/**/*.{ts,json}",
] as const;
const TARGET = "packages/environment-view/src/engine/view-engine.ts";
const NOT_PART = /\.(?:test|itest|conformance|bench)\.ts$/;
const LETTERS = 12;

const root = join(import.meta.dirname, "..", "..");
const hash = createHash("sha256");
const files = globSync(MADE_OF, { cwd: root })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file !== TARGET && !NOT_PART.test(file))
  .toSorted();
for (const file of files)
  hash
    .update(`${file}\0`)
    .update(readFileSync(join(root, file)))
    .update("\0");

writeFileSync(
  join(root, TARGET),
  `/**
 * Names what makes the messages of a view: the contract, the rules of health, the edges and their words. A view that another program has made
 * is only shown by one that names the same: it would have made it alike (docs/design/views.md "Engine").
 *
 * Written by scripts/engine/main.ts ("npm run reference") from all of that code: who changes it gets another name.
 */
export const VIEW_ENGINE = "dashboard.v1+${hash.digest("hex").slice(0, LETTERS)}";
`,
);
