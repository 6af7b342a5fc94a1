/** `node scripts/rules/main.ts`: writes the list of all health rules from the files of rules/. Part of `npm run gen` and `npm run check`. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const source = join(import.meta.dirname, "..", "..", "packages", "health", "src");
const ids = readdirSync(join(source, "rules"))
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => name.slice(0, -".ts".length))
  .toSorted();

/** "cron-job" as the name of a variable. */
const variableOf = (id: string): string => id.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

writeFileSync(
  join(source, "all-rules.ts"),
  `// Written by scripts/rules/main.ts ("npm run gen") from the files of rules/, each of which exports one \`rule\`.
${ids.map((id) => `import { rule as ${variableOf(id)} } from "./rules/${id}.ts";`).join("\n")}
import type { KindRule } from "./verdict.ts";

/** All rules of built-in kinds with their ids, the names of their files. */
export const ALL_RULES: readonly (readonly [id: string, rule: KindRule])[] = [
${ids.map((id) => `  ["${id}", ${variableOf(id)}],`).join("\n")}
];
`,
);
