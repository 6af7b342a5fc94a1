import { expect, test } from "vitest";

import { mapProblems } from "./map-paths.ts";
import { SourceTree } from "./source-tree.ts";

const FILES = ["apps/kas/src/main.ts", "apps/kas/src/api/a.ts", "apps/kas/src/api/b.ts", "packages/graph/fixtures/edges/pod.json"];

function problemsOf(map: string): string[] {
  return mapProblems(new SourceTree({ "ARCHITECTURE.md": map }, FILES), "ARCHITECTURE.md");
}

test("places are meant from the folder in the heading, or from the root", () => {
  expect(
    problemsOf("## `apps/kas/src`\n\n- the start: `main.ts`; answers: `api/{a,b}.ts`, `packages/graph/fixtures/edges/<row>.json`\n"),
  ).toEqual([]);
  expect(problemsOf("## Tests\n\n- `apps/kas/src/api`\n")).toEqual([]);
});

test("a place that does not exist is told with its line", () => {
  expect(problemsOf("## `apps/kas/src`\n\n- `gone.ts`\n- `api/{a,c}.ts`\n- `old/folder`, `api`, `old`")).toEqual([
    "ARCHITECTURE.md:3: apps/kas/src/gone.ts does not exist",
    "ARCHITECTURE.md:4: apps/kas/src/api/{a,c}.ts does not exist",
    "ARCHITECTURE.md:5: apps/kas/src/old/folder does not exist",
    "ARCHITECTURE.md:5: apps/kas/src/old does not exist",
  ]);
});

test("a folder of a heading counts up to the next heading", () => {
  expect(problemsOf("## `apps/kas/src`\n`main.ts`\n## Invariants\n`main.ts`")).toEqual(["ARCHITECTURE.md:4: main.ts does not exist"]);
});

test("commands, addresses, names of code, packages and pictures are no places", () => {
  expect(problemsOf("`npm run check` `/watch` `TunnelRegistry` `@binnacle/kube/x` `endpoints.json`\n```\n`a/b.ts`\n```\n")).toEqual([]);
});

test("a map that is not there is a problem", () => {
  expect(mapProblems(new SourceTree({}), "ARCHITECTURE.md")).toEqual(["ARCHITECTURE.md does not exist"]);
});
