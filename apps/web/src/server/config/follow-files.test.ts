import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createLogger } from "@binnacle/telemetry";
import { ManualClock, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { ConfigFile } from "./config-files.ts";
import { warnIfOpen } from "./file-permissions.ts";
import { digestOf, followFiles } from "./follow-files.ts";

let folder: string;
let clock: ManualClock;
let used: (readonly string[])[];
let errors: unknown[];
let warnings: unknown[];
let unfollow: (() => void) | undefined;
const log = createLogger("web", "silent");
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "web-files-"));
  clock = new ManualClock();
  [used, errors, warnings] = [[], [], []];
  unfollow = undefined;
  vi.spyOn(log, "error").mockImplementation((line: unknown) => void errors.push(line));
  vi.spyOn(log, "warn").mockImplementation((line: unknown) => void warnings.push(line));
});
afterEach(() => {
  unfollow?.();
  clock.assertIdle();
  rmSync(folder, { recursive: true });
  vi.restoreAllMocks();
});

function put(name: string, text: string): ConfigFile<unknown> {
  writeFileSync(join(folder, name), text);
  return { file: join(folder, name), content: text, digest: digestOf(text) };
}

/** Whatever begins with "bad" is refused. */
function follow(...files: readonly ConfigFile<unknown>[]): void {
  const use = (texts: readonly string[]): void => {
    if (texts.some((text) => text.startsWith("bad"))) throw new Error("it must be good");
    used.push(texts);
  };
  unfollow = followFiles({ files, key: "some.file", use, clock, log });
}

/** The next look, to its end. */
async function look(): Promise<void> {
  clock.advance(10_000);
  await until(() => clock.pending === 1);
}

test("a file that stays is read and not used again", async () => {
  follow(put("a", "one"));
  for (let times = 0; times < 3; times += 1) await look();
  expect(used).toEqual([]);
});

test("a file that has changed is used once, also when it changed before the first look", async () => {
  const file = put("a", "one");
  put("a", "two");
  follow(file);
  await look();
  await look();
  put("a", "three");
  await look();
  expect(used).toEqual([["two"], ["three"]]);
});

test("a link that is laid anew is a change, as Kubernetes replaces a secret", async () => {
  for (const [version, text] of [
    ["v1", "one"],
    ["v2", "two"],
  ] as const) {
    mkdirSync(join(folder, version));
    put(join(version, "key"), text);
  }
  symlinkSync("v1", join(folder, "..data"));
  symlinkSync(join("..data", "key"), join(folder, "key"));
  follow({ file: join(folder, "key"), content: "one", digest: digestOf("one") });
  await look();
  symlinkSync("v2", join(folder, "..next"));
  renameSync(join(folder, "..next"), join(folder, "..data"));
  await look();
  expect(used).toEqual([["two"]]);
});

test("a bad file changes nothing and is logged once, with its name and what it must be; a good one after it is used", async () => {
  follow(put("a", "one"));
  put("a", "bad canary");
  for (let times = 0; times < 4; times += 1) await look();
  expect(errors).toEqual([{ key: "some.file", files: [join(folder, "a")], why: "it must be good" }]);
  expect(used).toEqual([]);
  put("a", "two");
  await look();
  expect(used).toEqual([["two"]]);
});

test("a missing file is logged once and used when it is back", async () => {
  const file = put("a", "one");
  follow(file);
  rmSync(file.file);
  for (let times = 0; times < 3; times += 1) await look();
  expect(errors).toEqual([{ key: "some.file", files: [file.file], why: expect.stringContaining("cannot be read: ENOENT") }]);
  put("a", "two");
  await look();
  expect(used).toEqual([["two"]]);
});

test("two files that belong together are used together; the moment between them is no failure", async () => {
  const files = [put("a", "one"), put("b", "one")];
  follow(...files);
  put("a", "bad until b is there");
  await look();
  put("a", "two");
  put("b", "two");
  await look();
  expect([used, errors]).toEqual([[["two", "two"]], []]);
});

test("nothing is used after it was ended, not even what was being read", async () => {
  follow(put("a", "one"));
  put("a", "two");
  clock.advance(10_000);
  unfollow?.();
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(used).toEqual([]);
});

test.each([
  [0o600, 0],
  [0o400, 0],
  [0o440, 0],
  [0o644, 1],
  [0o660, 1],
  [0o604, 1],
])("of a secret with mode %o it is warned %i times", (mode, times) => {
  const { file } = put("a", "secret");
  chmodSync(file, mode);
  warnIfOpen(file, "some.file", log);
  expect(warnings).toHaveLength(times);
});
