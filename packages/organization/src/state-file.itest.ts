import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { systemClock } from "@binnacle/rpc";
import { afterEach, beforeEach, expect, test } from "vitest";

import { StateFile, type StateToken } from "./state-file.ts";
import { hashToken } from "./token-hash.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "binnacle-state-"));
  path = join(folder, "state.json");
});
afterEach(() => rm(folder, { recursive: true }));

const token = (id: string): StateToken => ({
  id,
  user: "alice",
  name: "laptop",
  hash: hashToken(id),
  created_at: "2026-01-01T00:00:00Z",
  expires_at: "2026-02-01T00:00:00Z",
});
const add = (file: StateFile, id: string) => file.change((state) => ({ ...state, tokens: [...state.tokens, token(id)] }));
const idsOf = async (file: StateFile) => (await file.read()).tokens.map(({ id }) => id);

test("a file that does not exist yet is empty, and is written for its owner alone", async () => {
  const file = new StateFile(path, systemClock);
  expect(await idsOf(file)).toEqual([]);
  await add(file, "a");
  expect(await idsOf(file)).toEqual(["a"]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["state.json"]);
});

test("T79: of many processes that write at once none loses what another wrote", async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `t${index}`);
  await Promise.all(ids.map((id) => add(new StateFile(path, systemClock), id)));
  expect((await idsOf(new StateFile(path, systemClock))).toSorted()).toEqual(ids.toSorted());
});

test("a change that fails leaves the file as it is, and releases the lock", async () => {
  const file = new StateFile(path, systemClock);
  await add(file, "a");
  const failing = file.change(() => {
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  await add(file, "b");
  expect(await idsOf(file)).toEqual(["a", "b"]);
});

test("T79: a file that cannot be used is neither overwritten nor shown", async () => {
  await writeFile(path, '{ "version": 1, "tokens": ["canary"] }');
  const file = new StateFile(path, systemClock);
  const error: unknown = await add(file, "a").catch((failure: unknown) => failure);
  expect(String(error)).toContain("state.json: tokens.0");
  expect(String(error)).not.toContain("canary");
  expect(await readFile(path, "utf8")).toContain("canary");
});

test("the lock of a process that ended under it is taken away", async () => {
  const lock = `${path}.lock`;
  await writeFile(lock, "");
  await utimes(lock, 0, 0);
  const file = new StateFile(path, systemClock);
  await add(file, "a");
  expect(await idsOf(file)).toEqual(["a"]);
});
