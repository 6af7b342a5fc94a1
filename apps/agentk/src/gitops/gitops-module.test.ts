import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

/** Files that are loaded with a file: imports that are types only are not. */
function loadedWith(entry: URL, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(entry.pathname)) return loaded;
  loaded.add(entry.pathname);
  const text = readFileSync(entry, "utf8");
  for (const [, type, from] of text.matchAll(/^(?:import|export) (type )?[^;]*?from "(\.[^"]+)";/gm)) {
    if (type === undefined && from !== undefined) loadedWith(new URL(from, entry), loaded);
  }
  return loaded;
}

test("an agent without manifest projects loads nothing of GitOps but what waits for them", () => {
  const files = [...loadedWith(new URL("../main.ts", import.meta.url))].map((path) => path.slice(path.indexOf("/src/") + 5));
  expect(files).toContain("kas-link/kas-link.ts");
  expect(files.filter((path) => path.startsWith("gitops/"))).toEqual(["gitops/gitops-module.ts"]);
});
