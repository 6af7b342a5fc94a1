import { projectObject, projectFull, type KubeObject } from "@binnacle/kube";
import { expect, test } from "vitest";

import { ChangeReader } from "./change-reader.ts";
import { FieldDigests } from "../objects/field-digests.ts";

const UNSHARED = { share: (text: string): string => text };
const digests = new FieldDigests();
const whole = new WeakSet<KubeObject>();
const reader = new ChangeReader({ digests, keeper: { isWhole: (object) => whole.has(object) }, now: () => 0 });

function deployment(version: string, replicas: number): KubeObject {
  const container = { name: "web", image: "app:1", args: ["--a"], env: [{ name: "A", value: "x" }] };
  const metadata = { name: "web", namespace: "app", uid: "u", resourceVersion: version };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { replicas, template: { spec: { containers: [container] } } } };
}

function kept(object: KubeObject, isWhole: boolean): KubeObject {
  const result = isWhole ? projectFull(object) : projectObject(object);
  if (isWhole) whole.add(result);
  else digests.note(object, result, UNSHARED);
  return result;
}

test.each([
  [false, true],
  [true, false],
  [true, true],
  [false, false],
])("kept whole before: %s, and now: %s: only what has changed is reported", (wasWhole, isWhole) => {
  const before = kept(deployment("1", 1), wasWhole);
  const change = reader.read("upsert", kept(deployment("2", 2), isWhole), { way: "gap", before });
  expect(change).toMatchObject({ kind: "changed", isAfterGap: true, fields: [{ path: "spec.replicas", before: "1", after: "2" }] });
});

test("the same version read again is no change, whatever more of it is kept", () => {
  const before = kept(deployment("1", 1), false);
  expect(reader.read("upsert", kept(deployment("1", 1), true), { way: "gap", before })).toBeUndefined();
});

test("what came into sight, cluster-wide objects and kinds that beat like a heart have no changes", () => {
  const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "l", namespace: "app" } };
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n" } };
  for (const object of [lease, node]) expect(reader.read("remove", object, { way: "watch" })).toBeUndefined();
  expect(reader.read("upsert", deployment("1", 1), { way: "sight" })).toBeUndefined();
  expect(reader.read("remove", deployment("1", 1), { way: "sight" })).toBeUndefined();
});

test("a change of an object whose earlier existence is unknown is no creation", () => {
  expect(reader.read("upsert", deployment("1", 1), { way: "watch" })).toBeUndefined();
  expect(reader.read("upsert", deployment("1", 1), { way: "watch", isCreated: true })).toMatchObject({ kind: "created" });
});
