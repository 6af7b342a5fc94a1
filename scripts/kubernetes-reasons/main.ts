/**
 * `node scripts/kubernetes-reasons/main.ts`: reads the condition types and reasons that Kubernetes writes for the kinds that have a health
 * rule, out of the source of its Go modules, and writes packages/health/fixtures/kubernetes/reasons.json. Needs `go`, and nothing at test
 * time: run it by hand when `MODULES` of kinds.ts names a newer version.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { downloadModule } from "./go-module.ts";
import { KINDS, MODULES } from "./kinds.ts";
import { KindReader } from "./read-kind.ts";

const TARGET = join(import.meta.dirname, "../../packages/health/fixtures/kubernetes/reasons.json");

const modules = Object.entries(MODULES).map(([key, { path, version }]) => ({ key, ...downloadModule(path, version) }));
const reader = new KindReader(new Map(modules.map(({ key, directory }) => [key, directory])));
const content = {
  modules: Object.fromEntries(modules.map(({ path, version }) => [path, version])),
  kinds: Object.fromEntries(KINDS.map((source) => [source.kind, reader.reasonsOf(source)])),
};
writeFileSync(TARGET, `${JSON.stringify(content, null, 2)}\n`);
for (const [kind, reasons] of Object.entries(content.kinds)) process.stdout.write(`${kind}: ${reasons.length}\n`);
