import type { KubeObject } from "@binnacle/kube";
import { expect, test } from "vitest";

import { creatorOf, writerOf } from "./field-writer.ts";

const NOW = Date.parse("2026-01-01T12:00:00Z");

/** @param who "manager", or "manager/subresource" */
function entry(who: string, time: string, fields: object): object {
  const [manager, subresource] = who.split("/");
  const at = time === "" ? {} : { time: `2026-01-01T${time}Z` };
  return { manager, operation: "Update", ...at, fieldsV1: fields, ...(subresource === undefined ? {} : { subresource }) };
}

function object(...managedFields: readonly unknown[]): KubeObject {
  const metadata = { name: "web", managedFields };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata };
}

function by(arrived: KubeObject, paths: readonly string[], before = object()): string | undefined {
  const writer = writerOf(arrived, { paths, before }, NOW);
  return (
    writer &&
    `${writer.manager}/${writer.subresource}@${writer.atMs === undefined ? "-" : new Date(writer.atMs).toISOString().slice(11, 19)}`
  );
}

const REPLICAS = { "f:spec": { "f:replicas": {} } };

test("the writer is who owns what has changed, not who wrote last", () => {
  const arrived = object(entry("helm", "11:00:00", REPLICAS), entry("controller/status", "11:30:00", { "f:status": { "f:replicas": {} } }));
  expect(by(arrived, ["spec.replicas"])).toBe("helm/@11:00:00");
  expect(by(arrived, ["status.replicas"])).toBe("controller/status@11:30:00");
});

test("of two who own it the one who wrote last", () => {
  expect(by(object(entry("a", "11:00:00", REPLICAS), entry("b", "11:30:00", REPLICAS)), ["spec.replicas"])).toBe("b/@11:30:00");
});

test("of several the one who owns most of what has changed: a version has one writer", () => {
  const both = { "f:spec": { "f:replicas": {}, "f:paused": {} } };
  expect(by(object(entry("a", "11:00:00", both), entry("b", "11:30:00", REPLICAS)), ["spec.replicas", "spec.paused"])).toBe("a/@11:00:00");
});

test("what is written through scale has a writer and no time", () => {
  const arrived = object(entry("helm", "11:00:00", { "f:spec": { "f:paused": {} } }), entry("kcm/scale", "", REPLICAS));
  expect(by(arrived, ["spec.replicas"])).toBe("kcm/scale@-");
});

test("items of lists are owned by their keys, and atomic fields as one", () => {
  const fields = {
    "f:spec": { "f:ports": { 'k:{"containerPort":80,"protocol":"TCP"}': { ".": {}, "f:name": {} } }, "f:args": {} },
    "f:metadata": { "f:labels": { "f:app.kubernetes.io/name": {} } },
  };
  const arrived = object(entry("helm", "11:00:00", fields));
  for (const path of ["spec.ports[80].name", "spec.args[0]", "metadata.labels[app.kubernetes.io/name]"])
    expect(by(arrived, [path])).toBe("helm/@11:00:00");
  for (const path of ["spec.ports[81].name", "spec.other", "metadata.labels.other", "status.phase"]) {
    expect(by(arrived, [path], arrived)).toBeUndefined();
  }
});

test("the writer of a removed field is the manager that has written since; without one it is unknown", () => {
  const before = object(entry("helm", "11:00:00", REPLICAS));
  expect(by(object(entry("kubectl-edit", "11:10:00", {}), entry("helm", "11:00:00", {})), ["spec.replicas"], before)).toBe(
    "kubectl-edit/@11:10:00",
  );
  expect(by(object(entry("helm", "11:00:00", {})), ["spec.replicas"], before)).toBeUndefined();
});

test("a time that is far ahead is none, and an invalid entry has no writer", () => {
  expect(by(object(entry("liar", "23:00:00", REPLICAS)), ["spec.replicas"])).toBe("liar/@-");
  expect(by(object(null, 1, "x", {}, { manager: 1 }, { manager: "a", fieldsV1: [] }), ["spec.replicas"])).toBeUndefined();
});

test("a list that has no end is not searched to it", () => {
  const items = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k:{"name":"item-${index}"}`, { "f:a": {} }]));
  const arrived = object(entry("helm", "11:00:00", { "f:spec": { "f:items": items } }));
  expect(by(arrived, ["spec.items[item-100].a"])).toBe("helm/@11:00:00");
  expect(by(arrived, ["spec.items[item-90000].a"], arrived)).toBeUndefined();
});

test("who created an object is who wrote it first, outside of its status", () => {
  const created = object(
    entry("controller/status", "11:00:00", {}),
    entry("later", "11:20:00", {}),
    entry("kubectl-create", "11:10:00", {}),
  );
  expect(creatorOf(created, NOW)?.manager).toBe("kubectl-create");
  expect(creatorOf(object(), NOW)).toBeUndefined();
});
