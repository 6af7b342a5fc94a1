import { expect, test } from "vitest";

import { mapProblems } from "./map-paths.ts";
import { SourceTree } from "./source-tree.ts";

const FILES = ["apps/kas/src/main.ts", "apps/kas/src/api/a.ts", "apps/kas/src/api/b.ts", "packages/graph/fixtures/edges/pod.json"];

function problemsOf(map: string, folders: readonly string[] = []): string[] {
  return mapProblems(new SourceTree({ "ARCHITECTURE.md": map }, FILES), { page: "ARCHITECTURE.md", folders });
}

test("places are relative to the folder in the heading, or to the root", () => {
  expect(
    problemsOf("## `apps/kas/src`\n\n- the start: `main.ts`; answers: `api/{a,b}.ts`, `packages/graph/fixtures/edges/<row>.json`\n"),
  ).toEqual([]);
  expect(problemsOf("## Tests\n\n- `apps/kas/src/api`\n")).toEqual([]);
});

test("a place that does not exist is reported with its line", () => {
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

test("the page of a folder names places in it, and above its map also what is no file", () => {
  const text = "`src/main.ts` `src/gone.ts` `group/app`\n## `apps/kas/src`\n`group/app`";
  expect(mapProblems(new SourceTree({ "apps/kas/README.md": text }, FILES), { page: "apps/kas/README.md" })).toEqual([
    "apps/kas/README.md:1: src/gone.ts does not exist",
    "apps/kas/README.md:3: apps/kas/src/group/app does not exist",
  ]);
});

test("a short form stands for the folder that the page gives it", () => {
  expect(problemsOf("`kas/` is `apps/kas/src/`.\n\n1. `kas/main.ts`\n2. `kas/gone.ts`")).toEqual([
    "ARCHITECTURE.md:4: apps/kas/src/gone.ts does not exist",
  ]);
});

test("files of a row are relative to the folder in its first cell", () => {
  const row = (file: string): string => `### \`apps/kas/src\`\n\n| Folder | Entry |\n| -- | -- |\n| \`api\` | \`${file}\` |`;
  expect(problemsOf(row("a.ts"))).toEqual([]);
  expect(problemsOf(row("c.ts"))).toEqual(["ARCHITECTURE.md:5: apps/kas/src/c.ts does not exist"]);
});

test("every folder directly in a mapped folder has a row below the heading of the mapped folder", () => {
  const row = "| `api` | answers |";
  expect(problemsOf(`## \`apps/kas/src\`\n\n${row}`, ["apps/kas/src"])).toEqual([]);
  expect(problemsOf("## `apps/kas/src`\n\n- `api`", ["apps/kas/src"])).toEqual(["ARCHITECTURE.md has no row for apps/kas/src/api"]);
  expect(problemsOf(`## \`apps/kas\`\n\n${row}`.replace("api", "src"), ["apps/kas/src"])).toEqual([
    "ARCHITECTURE.md has no row for apps/kas/src/api",
  ]);
});

test("a row has at most 140 characters", () => {
  const row = (length: number): string => `| \`api\` | ${"x".repeat(length - 12)} |`;
  expect(problemsOf(`## \`apps/kas/src\`\n${row(140)}`, ["apps/kas/src"])).toEqual([]);
  expect(problemsOf(`## \`apps/kas/src\`\n${row(141)}`, ["apps/kas/src"])).toEqual([
    "ARCHITECTURE.md:2: a row of 141 characters; at most 140",
  ]);
});

test("commands, addresses, names of code, packages and pictures are no places", () => {
  expect(problemsOf("`npm run check` `/watch` `TunnelRegistry` `@binnacle/kube/x` `endpoints.json`\n```\n`a/b.ts`\n```\n")).toEqual([]);
});

test("a map that is not there is a problem", () => {
  expect(mapProblems(new SourceTree({}), { page: "ARCHITECTURE.md" })).toEqual(["ARCHITECTURE.md does not exist"]);
});
