import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { expect, test } from "vitest";

// @boundaries-ignore scripts are no package: they belong to the repository, as this test does
import { needsOf } from "../../scripts/test/plan.ts";

const E2E = join(import.meta.dirname, "..");

/** The file and all of e2e that it imports, at any depth. */
function filesBehind(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/\bfrom "(\.[^"]+\.ts)"/g)) {
    const imported = resolve(dirname(file), path);
    if (imported.startsWith(E2E) && existsSync(imported)) filesBehind(imported, found);
  }
  return found;
}

// Without it the specification would fail on a machine without the programs of a control plane, instead of being left out with its reason.
test("every specification that runs kubectl says that it needs the programs of a control plane", () => {
  const specifications = globSync("{tests,notifications,services,leave,thousand}/**/*.{spec,itest}.ts", { cwd: E2E });
  expect(specifications.length).toBeGreaterThan(50);
  const kubectl = join(E2E, "support", "kubectl.ts");
  const silent = specifications.filter(
    (file) => filesBehind(join(E2E, file)).has(kubectl) && !needsOf(readFileSync(join(E2E, file), "utf8")).includes("control-plane"),
  );
  expect(silent).toEqual([]);
});
