import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, expect, test } from "vitest";

import { parseRenameList } from "./rename-list.ts";
import { runRenames } from "./run-renames.ts";

const roots: string[] = [];
/** Of a package; only this test has it. */
const README = join("packages/a", "README.md");

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

/** A git working tree of two packages, of which `b` imports `a`. */
function treeOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "rename-"));
  roots.push(root);
  const compilerOptions = {
    module: "nodenext",
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: [],
  };
  const config = JSON.stringify({ compilerOptions, include: ["src"] });
  const all = {
    ".gitignore": "node_modules\n",
    "packages/a/tsconfig.json": config,
    "packages/a/package.json": JSON.stringify({ name: "@x/a", type: "module", exports: { ".": "./src/index.ts" } }),
    "packages/b/tsconfig.json": config,
    "packages/b/package.json": JSON.stringify({ name: "@x/b", type: "module" }),
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  mkdirSync(join(root, "node_modules/@x"), { recursive: true });
  symlinkSync("../../packages/a", join(root, "node_modules/@x/a"));
  execFileSync("git", ["init", "-q"], { cwd: root });
  execFileSync("git", ["add", "-A"], { cwd: root });
  return root;
}

const textOf = (root: string, path: string): string => readFileSync(join(root, path), "utf8");

test("a moved file is found by imports, URLs, faults, configuration and documents; a second run changes nothing", async () => {
  const root = treeOf({
    "packages/a/src/index.ts": 'export { told } from "./told.ts";\n',
    "packages/a/src/told.ts": 'import { base } from "./base/base.ts";\nexport const told = base;\n',
    "packages/a/src/base/base.ts": 'export const base = new URL("../told.ts", import.meta.url);\n',
    "packages/a/faults/told.json": '[{ "id": "x", "what": "x", "file": "src/told.ts", "find": "= base", "replace": "= 1" }]\n',
    "knip.json": '{ "entry": ["packages/a/src/told.ts"] }\n',
    "docs/security.md": "See [it](../packages/a/src/told.ts), `packages/a/src/told.ts` and packages/a/src/base.\n",
    [README]: "`src/told.ts` is one file, `src/untold.ts` none.\n",
  });
  const list = parseRenameList(
    JSON.stringify({ paths: { "packages/a/src/told.ts": "packages/a/src/sent/sent.ts", "packages/a/src/base": "packages/a/src/ground" } }),
  );
  await runRenames(root, list);
  expect(textOf(root, "packages/a/src/index.ts")).toBe('export { told } from "./sent/sent.ts";\n');
  expect(textOf(root, "packages/a/src/sent/sent.ts")).toContain('from "../ground/base.ts"');
  expect(textOf(root, "packages/a/src/ground/base.ts")).toContain('new URL("../sent/sent.ts", import.meta.url)');
  expect(textOf(root, "packages/a/faults/told.json")).toContain('"src/sent/sent.ts"');
  expect(textOf(root, "knip.json")).toContain('"packages/a/src/sent/sent.ts"');
  expect(textOf(root, "docs/security.md")).toBe(
    "See [it](../packages/a/src/sent/sent.ts), `packages/a/src/sent/sent.ts` and packages/a/src/ground.\n",
  );
  expect(textOf(root, README)).toBe("`src/sent/sent.ts` is one file, `src/untold.ts` none.\n");
  expect((await runRenames(root, list)).changed).toEqual([]);
});

test("names change where they are declared and used, in other packages too; texts and other names stay", async () => {
  const root = treeOf({
    "packages/a/src/index.ts": 'export { told, type Note } from "./told.ts";\n',
    "packages/a/src/told.ts":
      'export interface Note {\n  readonly said: number;\n}\n\n/** "told" */\nexport function told(): Note {\n  const said = 3;\n  return { said };\n}\n',
    "packages/a/faults/told.json":
      '[{ "id": "x", "what": "x", "file": "src/told.ts", "find": "const said = 3", "replace": "const said = 4" }]\n',
    "packages/b/src/b.ts":
      'import { told } from "@x/a";\n\nexport const all = { told, y: told().said, text: "told said" };\nexport function f({ said } = told()): number {\n  const latest = all.told();\n  return said + latest.said;\n}\n',
  });
  const file = "packages/a/src/told.ts";
  const list = parseRenameList(
    JSON.stringify({
      names: [
        { file, from: "told", to: "latest" },
        { file, from: "Note.said", to: "count" },
        { file, from: "latest.said", to: "three" },
      ],
    }),
  );
  const { changed, left } = await runRenames(root, list);
  expect(left).toEqual(["packages/b/src/b.ts: latest was there before; look whether two are one now"]);
  expect(changed).toEqual(["packages/a/faults/told.json", "packages/a/src/index.ts", file, "packages/b/src/b.ts"]);
  expect(textOf(root, "packages/a/src/index.ts")).toBe('export { latest, type Note } from "./told.ts";\n');
  expect(textOf(root, file)).toBe(
    'export interface Note {\n  readonly count: number;\n}\n\n/** "told" */\nexport function latest(): Note {\n  const three = 3;\n  return { count: three };\n}\n',
  );
  expect(textOf(root, "packages/b/src/b.ts")).toBe(
    'import { latest } from "@x/a";\n\nexport const all = { told: latest, y: latest().count, text: "told said" };\nexport function f({ count: said } = latest()): number {\n  const latest = all.told();\n  return said + latest.count;\n}\n',
  );
  expect(JSON.parse(textOf(root, "packages/a/faults/told.json"))).toMatchObject([{ find: "const three = 3", replace: "const three = 4" }]);
  expect((await runRenames(root, list)).changed).toEqual([]);
});

test("comments and documents follow a name of several words, unless something else is called so; texts do not", async () => {
  const root = treeOf({
    "packages/a/src/index.ts":
      '/** As `lastTold` and `mostBytes` say. */\nexport const lastTold = "lastTold";\nexport const mostBytes = 1;\n',
    "packages/b/src/b.ts": "export const mostBytes = 2;\n",
    "README.md": "`lastTold`, `lastToldAt` and `mostBytes`\n",
    "CHANGELOG.md": "`lastTold`\n",
  });
  const file = "packages/a/src/index.ts";
  const list = parseRenameList(
    JSON.stringify({
      names: [
        { file, from: "lastTold", to: "lastSent" },
        { file, from: "mostBytes", to: "maxBytes" },
      ],
    }),
  );
  const { left } = await runRenames(root, list);
  expect(textOf(root, file)).toBe(
    '/** As `lastSent` and `mostBytes` say. */\nexport const lastSent = "lastTold";\nexport const maxBytes = 1;\n',
  );
  expect(textOf(root, "README.md")).toBe("`lastSent`, `lastToldAt` and `mostBytes`\n");
  expect(textOf(root, "CHANGELOG.md")).toBe("`lastTold`\n");
  expect(left).toEqual([`${file}: lastTold`, `${file}: mostBytes`]);
});

test("a list that does not fit the sources, or fits two things, changes nothing", async () => {
  const root = treeOf({ "packages/a/src/index.ts": "export const a = 1;\n" });
  const names = [{ file: "packages/a/src/index.ts", from: "b", to: "c" }];
  await expect(runRenames(root, { paths: {}, names })).rejects.toThrow("declares neither b nor c");
  const twice = treeOf({ "packages/a/src/index.ts": "export function f() {\n  const said = 1;\n  return { said: String(said) };\n}\n" });
  const said = { file: "packages/a/src/index.ts", from: "said", to: "count" };
  await expect(runRenames(twice, { paths: {}, names: [said] })).rejects.toThrow("is a variable and a member");
  await runRenames(twice, { paths: {}, names: [{ ...said, scope: "local" }] });
  expect(textOf(twice, "packages/a/src/index.ts")).toContain("return { said: String(count) };");
  await expect(runRenames(root, { paths: { "packages/a/src/x.ts": "packages/a/src/y.ts" }, names: [] })).rejects.toThrow(
    "there is neither",
  );
  expect(() => parseRenameList('{"names": [{"file": "x.ts", "from": "a", "to": "not a name"}]}')).toThrow("names:");
  expect(() => parseRenameList('{"paths": {"a": "a"}}')).toThrow("a has no new path");
});
