import { globSync, mkdtempSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { ExampleFiles, type Ended, type PackageExample } from "./example-files.ts";
import { exampleOf } from "./readme-example.ts";

const root = join(import.meta.dirname, "..", "..");

/** Packages that others are invited to use on their own: an example that cannot be run is a fault. */
const MUST_RUN = ["environment-view", "graph", "health", "health-lua"];

const RUN_MS = 30_000;

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

describe("the README of a package", () => {
  const examples: PackageExample[] = [];
  for (const readme of globSync("packages/*/README.md", { cwd: root }).sort()) {
    const example = exampleOf(readFileSync(join(root, readme), "utf8"));
    if (example !== undefined) examples.push({ directory: join(root, dirname(readme)), example });
  }
  const files = new ExampleFiles(root, examples);
  afterAll(() => files.remove());

  test.each(MUST_RUN)("%s begins with an example that says what it prints", (name) => {
    expect(examples.map(({ directory }) => basename(directory))).toContain(name);
  });

  test("has an example that compiles as strictly as our own sources", { timeout: 70_000 }, async () => {
    expect(await files.check()).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  const named = examples.map((each) => ({ name: basename(each.directory), each }));
  test.each(named)("$name has an example that prints what it says", { timeout: 2 * RUN_MS }, async ({ each }) => {
    const { code, stdout, stderr } = await files.run(each, RUN_MS);
    expect({ code, stderr: code === 0 ? "" : stderr, lines: linesOf(stdout) }).toEqual({ code: 0, stderr: "", lines: each.example.prints });
  });
});

describe("the runner of examples", () => {
  test("takes the first ts block, and the promises at the end of lines and below them", () => {
    const markdown =
      'Text\n```sh\nls\n```\n\n```ts\nconsole.log(1); // => 1\nconsole.log("a\\nb c");\n// => a\n// => b c\n```\n```ts\n// => no\n```\n';
    expect(exampleOf(markdown)?.prints).toEqual(["1", "a", "b c"]);
  });

  test.each([
    ["has no ts block", "```sh\n# => x\n```\n"],
    ["promises nothing", "```ts\nconsole.log(1); // 1\n```\n"],
  ])("refuses a README that %s", (_name, markdown) => expect(exampleOf(markdown)).toBeUndefined());

  describe("with examples that are not well", () => {
    const blocks = {
      well: 'import { listAt } from "@binnacle/kube";\nconsole.log(listAt({ a: [1, 2] }, "a").length); // => 2',
      mistyped: 'import { listAt } from "@binnacle/kube";\nconst length: string = listAt({}, "a").length;\nconsole.log(length); // => 0',
      throwing: 'console.log("x"); // => x\nthrow new Error("boom");',
      endless: 'console.log("x"); // => x\nsetInterval(() => undefined, 1_000);',
    };
    let directory = "";
    let files: ExampleFiles;
    const examples = new Map<string, PackageExample>();
    beforeAll(() => {
      mkdirSync(join(root, ".turbo"), { recursive: true });
      directory = mkdtempSync(join(root, ".turbo", "readme-test-"));
      for (const [name, code] of Object.entries(blocks)) {
        const example = exampleOf(`\`\`\`ts\n${code}\n\`\`\`\n`);
        if (example !== undefined) examples.set(name, { directory, example });
      }
      files = new ExampleFiles(root, [...examples.values()]);
    });
    afterAll(() => {
      files.remove();
      rmSync(directory, { recursive: true, force: true });
    });

    const run = (name: string, timeoutMs = RUN_MS): Promise<Ended> => {
      const each = examples.get(name);
      if (each === undefined) throw new Error(`no example ${name}`);
      return files.run(each, timeoutMs);
    };

    test("only the mistyped one fails to compile", { timeout: 70_000 }, async () => {
      const { code, stdout } = await files.check();
      expect(code).not.toBe(0);
      expect(stdout.match(/error TS\d+/g)).toEqual(["error TS2322"]);
    });

    test("a good one ends with 0 and its lines", { timeout: 2 * RUN_MS }, async () => {
      expect(await run("well")).toEqual({ code: 0, stdout: "2\n", stderr: "" });
    });

    test("one that throws does not end with 0", { timeout: 2 * RUN_MS }, async () => {
      expect(await run("throwing")).toMatchObject({ code: 1, stdout: "x\n" });
    });

    test("one that does not end is killed", { timeout: 2 * RUN_MS }, async () => {
      expect(await run("endless", 2_000)).toMatchObject({ code: null });
    });
  });
});
