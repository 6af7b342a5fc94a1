import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { certificateFileName, ConfigError, parseYaml, passwordFileName, privateKeyFileName, secretFileName } from "./index.ts";

const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const files: Record<string, string> = {
  secret: `${Buffer.alloc(32, 7).toString("base64")}\n`,
  short: Buffer.alloc(8, 7).toString("base64"),
  text: "no base64 at all!",
  lines: "one\ntwo\n",
  line: "hunter2\n",
  empty: "",
  key,
  broken: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
};

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "file-name-"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  { schema: secretFileName(), name: "secret" },
  { schema: secretFileName(8), name: "short" },
  { schema: passwordFileName, name: "line" },
  { schema: privateKeyFileName, name: "key" },
])("a good file leaves its name: $name", ({ schema, name }) => {
  expect(schema.parse(join(folder, name))).toBe(join(folder, name));
});

test.each([
  { schema: secretFileName(), name: "short", problem: /at least 32 bytes/ },
  { schema: secretFileName(), name: "text", problem: /base64/ },
  { schema: secretFileName(), name: "absent", problem: /cannot be read/ },
  { schema: passwordFileName, name: "lines", problem: /exactly one line/ },
  { schema: passwordFileName, name: "empty", problem: /exactly one line/ },
  { schema: privateKeyFileName, name: "line", problem: /no private key/ },
  { schema: certificateFileName, name: "key", problem: /no certificate/ },
  { schema: certificateFileName, name: "broken", problem: /broken certificate/ },
  { schema: certificateFileName, name: "absent", problem: /cannot be read/ },
])("a bad file is a mistake: $name, $problem", ({ schema, name, problem }) => {
  expect(schema.safeParse(join(folder, name)).error?.issues[0]?.message).toMatch(problem);
});

test("what a file holds is never in the message", () => {
  for (const schema of [secretFileName(64), certificateFileName, privateKeyFileName]) {
    expect(schema.safeParse(join(folder, "line")).error?.message).not.toContain("hunter2");
  }
});

test("a YAML text that is too long is not parsed", () => {
  expect(() => parseYaml("a: b", "text", 3)).toThrow(ConfigError);
  expect(parseYaml("a: b", "text", 4)).toEqual({ a: "b" });
});
