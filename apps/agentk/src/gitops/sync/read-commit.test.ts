import { expect, test } from "vitest";

import type { ServedKinds } from "../cluster/served-kinds.ts";
import { Turns } from "../manifests/turns.ts";
import { readCommit } from "./read-commit.ts";
import type { StopOn } from "./sync-options.ts";

const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

const CONFIG_MAPS = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  resource: "configmaps",
  namespaced: true,
  verbs: [],
  subresources: [],
  shortNames: [],
};

/** Names of what is applied, and what is wrong; `undefined` where nothing may be applied. */
async function read(stopOn: StopOn, files: Readonly<Record<string, string | { readonly refused: string }>>) {
  const commit = {
    commitId: "c1",
    projectId: 7n,
    files: Object.entries(files).map(([source, file]) =>
      typeof file === "string" ? { source, data: Buffer.from(file) } : { source, data: Buffer.alloc(0), ...file },
    ),
  };
  // A cluster that serves ConfigMaps and nothing else.
  const kinds: Pick<ServedKinds, "find"> = {
    find: async ({ kind }) => (kind === "ConfigMap" ? CONFIG_MAPS : undefined),
  };
  const inventory = { namespace: "shop", name: "i", id: "i", formerId: "" };
  const signal = new AbortController().signal;
  const by = { inventory, defaultNamespace: "shop", kinds: kinds as ServedKinds, stopOn, maxObjects: 5_000, turns: new Turns(), signal };
  const answer = await readCommit(commit, by);
  if ("tooMany" in answer) throw new Error("too many objects");
  return {
    applied: "waves" in answer ? answer.waves.flat().map(({ key }) => key.name) : undefined,
    errors: answer.errors.map(({ source, message }) => `${source}: ${message}`),
  };
}

const BROKEN = { "a.yaml": map("a"), "b.yaml": `${map("b")}---\nkind: Pod\n---\n${map("c")}` };
const UNSERVED = { "a.yaml": map("a"), "b.yaml": "apiVersion: sea/v1\nkind: Boat\nmetadata: {name: b}\n" };

test("a file that cannot be read stops the commit, and an object without a place does not", async () => {
  expect(await read("unreadable_file", BROKEN)).toEqual({ applied: undefined, errors: ["b.yaml: the object has no apiVersion"] });
  expect(await read("unreadable_file", UNSERVED)).toEqual({
    applied: ["a"],
    errors: ["b.yaml: the cluster does not serve Boat of sea/v1"],
  });
});

test("any_error: either stops it", async () => {
  expect((await read("any_error", BROKEN)).applied).toBeUndefined();
  expect((await read("any_error", UNSERVED)).applied).toBeUndefined();
  expect(await read("any_error", { "a.yaml": map("a") })).toEqual({ applied: ["a"], errors: [] });
});

test("nothing: files with an error are left out whole, the rest goes on", async () => {
  expect(await read("nothing", BROKEN)).toEqual({ applied: ["a"], errors: ["b.yaml: the object has no apiVersion"] });
  expect((await read("nothing", UNSERVED)).applied).toEqual(["a"]);
});

test("two inventories among the manifests stop it always", async () => {
  const template = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, labels: {cli-utils.sigs.k8s.io/inventory-id: x}}\n";
  expect((await read("nothing", { "a.yaml": map("a"), "b.yaml": template, "c.yaml": template })).applied).toBeUndefined();
});

test("security-3 A5: a file that kas refuses counts as one that cannot be read", async () => {
  const files = { "a.yaml": map("a"), "link.yaml": { refused: "is a symbolic link" } };
  const errors = ["link.yaml: the file is a symbolic link"];
  expect(await read("unreadable_file", files)).toEqual({ applied: undefined, errors });
  expect(await read("any_error", files)).toEqual({ applied: undefined, errors });
  expect(await read("nothing", files)).toEqual({ applied: ["a"], errors });
});
