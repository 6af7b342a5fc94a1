// long: packs, installs and compiles every published package, two minutes
import { execFile } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openPackedProject, type InstalledPackage, type PackedProject } from "./packed-project.ts";

const ROOT = join(import.meta.dirname, "../..");
const TSC = join(ROOT, "node_modules/typescript/bin/tsc");
/** All published packages; a new one is added here. */
const NAMES = ["@binnacle/graph", "@binnacle/health", "@binnacle/health-lua", "@binnacle/kube", "@binnacle/words"];
/** npm and the compiler are programs of their own, and a machine may be busy with other things. */
const SLOW = { timeout: 600_000 };

let project: PackedProject;
beforeAll(async () => {
  project = await openPackedProject(ROOT);
}, SLOW.timeout);
afterAll(() => project.remove());

const packageOf = (name: string): InstalledPackage => {
  const found = project.packages.find((each) => each.name === name);
  if (found === undefined) throw new Error(`${name} was not packed`);
  return found;
};
const filesOf = (name: string): string[] => {
  const { directory } = packageOf(name);
  return globSync("**/*", { cwd: directory, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
};

/** Runs one of Node's programs in the project, without the environment of the test run. */
function run(args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const options = { cwd: project.directory, env: { NO_COLOR: "1" } };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr });
    });
  });
}

/** Compiles the examples in a project without the types of Node, whose compiler checks libraries too. */
function compile(compilerOptions: object): ReturnType<typeof run> {
  const files = project.packages.map(({ file }) => file);
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false };
  const target = { target: "es2024", lib: ["es2024", "dom"], types: [] };
  const config = { compilerOptions: { ...target, ...strict, ...compilerOptions }, files };
  writeFileSync(join(project.directory, "tsconfig.json"), JSON.stringify(config));
  return run([TSC, "-p", project.directory]);
}

test("what is published is packed, and nothing else", () => {
  expect(project.packages.map(({ name }) => name).toSorted()).toEqual(NAMES);
});

describe.each(NAMES)("%s, packed", (name) => {
  test("has a manifest, a README, the licence, JavaScript and declarations, and no other file", () => {
    const others = filesOf(name).filter((file) => !/^dist\/.+\.(js|d\.ts)$/.test(file));
    expect(others.toSorted()).toEqual(["LICENSE", "README.md", "package.json"]);
  });

  test("has a declaration for each module", () => {
    const files = filesOf(name).filter((file) => file.startsWith("dist/"));
    const modules = files.filter((file) => file.endsWith(".js")).map((file) => file.replace(/\.js$/, ""));
    expect(files.filter((file) => file.endsWith(".d.ts")).map((file) => file.replace(/\.d\.ts$/, ""))).toEqual(modules);
  });

  test("has no test and nothing that only tests use", () => {
    expect(filesOf(name).filter((file) => /test|fixture|testing|odd-objects|random-objects/.test(file))).toEqual([]);
  });

  test("names no source", () => {
    const { directory } = packageOf(name);
    const naming = filesOf(name).filter((file) =>
      /["']\.{1,2}\/[^"'\n]*(?<!\.d)\.ts["']/.test(readFileSync(join(directory, file), "utf8")),
    );
    expect(naming).toEqual([]);
  });

  test("can be published: not private, with what it needs and by which versions", () => {
    const manifest: Record<string, unknown> = JSON.parse(readFileSync(join(packageOf(name).directory, "package.json"), "utf8"));
    expect(manifest).toMatchObject({ name, type: "module", license: "MIT", engines: { node: ">=22" }, types: "./dist/index.d.ts" });
    expect(manifest).not.toHaveProperty("private");
    expect(manifest).not.toHaveProperty("scripts");
    expect(Object.values(manifest["dependencies"] ?? {}).filter((range) => !/^\^?\d+\.\d+\.\d+$/.test(String(range)))).toEqual([]);
  });
});

test("the examples compile with moduleResolution nodenext, and print with this Node what they promise", SLOW, async () => {
  expect(await compile({ module: "nodenext" })).toEqual({ code: 0, stdout: "", stderr: "" });
  for (const { name, example, file } of project.packages) {
    const { code, stdout, stderr } = await run([file.replace(/\.ts$/, ".js")]);
    expect({ name, code, stderr, lines: stdout.trimEnd().split("\n") }).toEqual({ name, code: 0, stderr: "", lines: example.prints });
  }
});

test("the examples compile with moduleResolution bundler", SLOW, async () => {
  expect(await compile({ module: "esnext", moduleResolution: "bundler", noEmit: true })).toEqual({ code: 0, stdout: "", stderr: "" });
});
