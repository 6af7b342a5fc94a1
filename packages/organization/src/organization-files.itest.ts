import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Logger } from "@binnacle/telemetry";
import { ManualClock, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { OrganizationFiles } from "./organization-files.ts";
import { hashToken } from "./token-hash.ts";

const clock = new ManualClock();
let folder: string;
let errors: { readonly problems: readonly string[] }[];
let opened: OrganizationFiles[];
const log = {
  info: () => undefined,
  error: (fields: (typeof errors)[number]) => void errors.push(fields),
} as unknown as Logger;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "binnacle-organization-"));
  errors = [];
  opened = [];
});
afterEach(async () => {
  for (const files of opened) files.close();
  await rm(folder, { recursive: true });
});

async function open(path = folder): Promise<OrganizationFiles> {
  const files = await OrganizationFiles.open({ path, clock, log });
  opened.push(files);
  return files;
}

/** A file with agents of these names, numbered from 1. */
const agents = (...names: readonly string[]): string => {
  const lines = names.map((name, index) => `  - { id: ${index + 1}, name: ${name}, project: shop/infra }\n`);
  return `projects: [{ id: 1, path: shop/infra }]\nagents:\n${lines.join("")}`;
};
const idOf = (files: OrganizationFiles, name: string): number | undefined => files.current.agents.find((agent) => agent.name === name)?.id;

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

/** One poll, and what it has read. */
async function poll(done: () => boolean): Promise<void> {
  clock.advance(5_000);
  await until(done);
}

test("a folder is all of its YAML files; other files, hidden ones and folders are not read", async () => {
  await write("a.yaml", agents("store"));
  await write("b.yml", "agents: [{ id: 9, name: site, project: shop/infra }]");
  await write("notes.txt", "not YAML: [");
  await write(".hidden.yaml", "not: [");
  await mkdir(join(folder, "folder"));
  const files = await open();
  expect([idOf(files, "store"), idOf(files, "site")]).toEqual([1, 9]);
});

test("a change is in use after one poll, and subscribers get it", async () => {
  await write("a.yaml", agents("store"));
  const files = await open();
  const received: number[] = [];
  files.subscribe((organization) => received.push(organization.agents.length));
  await write("a.yaml", agents("store", "site"));
  await poll(() => received.length > 0);
  expect(received).toEqual([2]);
  expect(idOf(files, "site")).toBe(2);
});

test("a removed subscriber gets nothing", async () => {
  await write("a.yaml", agents("store"));
  const files = await open();
  let isCalled = false;
  files.subscribe(() => (isCalled = true))();
  await write("a.yaml", agents("site"));
  await poll(() => idOf(files, "site") !== undefined);
  expect(isCalled).toBe(false);
});

test("T67: files that cannot be used change nothing and are logged once with line and column, until they are others", async () => {
  await write("a.yaml", agents("store"));
  const files = await open();
  await write("a.yaml", "projects: 7");
  await poll(() => errors.length > 0);
  await poll(() => clock.pending > 0);
  expect(errors.map(({ problems }) => problems)).toEqual([[expect.stringMatching(/a\.yaml:1:11: projects: /)]]);
  expect(idOf(files, "store")).toBe(1);
  await write("a.yaml", "projects: 8");
  await poll(() => errors.length > 1);
  await write("a.yaml", agents("site"));
  await poll(() => idOf(files, "site") !== undefined);
  expect(errors).toHaveLength(2);
});

test("files that are gone for a moment change nothing", async () => {
  await write("a.yaml", agents("store"));
  const files = await open(join(folder, "a.yaml"));
  await rename(join(folder, "a.yaml"), join(folder, "b"));
  await poll(() => errors.length > 0);
  expect(idOf(files, "store")).toBe(1);
  await rename(join(folder, "b"), join(folder, "a.yaml"));
  await write("a.yaml", agents("site"));
  await poll(() => idOf(files, "site") !== undefined);
});

test("a file that Kubernetes mounts is replaced by a symbolic link", async () => {
  for (const [name, project] of [
    ["1", "store"],
    ["2", "site"],
  ] as const) {
    await mkdir(join(folder, name));
    await write(`${name}/a.yaml`, agents(project));
  }
  await symlink("1", join(folder, "data"));
  const files = await open(join(folder, "data", "a.yaml"));
  await symlink("2", join(folder, "next"));
  await rename(join(folder, "next"), join(folder, "data"));
  await poll(() => idOf(files, "site") !== undefined);
  expect(idOf(files, "store")).toBeUndefined();
});

test("a start with files that cannot be used fails and says where", async () => {
  await expect(open()).rejects.toThrow("has no file that ends with .yaml or .yml");
  await expect(open(join(folder, "none.yaml"))).rejects.toThrow(/none\.yaml: cannot be read: ENOENT/);
  await write("a.yaml", "projects: [{}]");
  await expect(open()).rejects.toThrow(/a\.yaml:1:12: projects\.0\.id: is missing/);
});

test("T79: a token of the state file is its user's after one poll, and no user's who is not in the files", async () => {
  const state = join(folder, "state.json");
  const token = (user: string, value: string) => ({
    id: value,
    user,
    name: "laptop",
    hash: hashToken(value),
    created_at: "2026-01-01T00:00:00Z",
    expires_at: "2027-01-01T00:00:00Z",
  });
  await write("a.yaml", "users: [{ name: olga }]");
  const files = await OrganizationFiles.open({ path: join(folder, "a.yaml"), statePath: state, clock, log });
  opened.push(files);
  const now = Date.UTC(2026, 5, 1);
  await write("state.json", JSON.stringify({ version: 1, tokens: [token("olga", "mine"), token("ghost", "other")] }));
  await poll(() => files.current.userOfToken("mine", now) !== undefined);
  expect(files.current.userOfToken("mine", now)?.name).toBe("olga");
  expect(files.current.userOfToken("mine", Date.UTC(2027, 0, 1))).toBeUndefined();
  expect(files.current.userOfToken("other", now)).toBeUndefined();
  await write("state.json", "{");
  await poll(() => errors.length > 0);
  expect(files.current.userOfToken("mine", now)?.name).toBe("olga");
});
