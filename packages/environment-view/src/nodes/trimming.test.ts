import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { buildGraph, idOf, inventoriesOf, isGeneratedSecret, managerOf, type GraphEdge } from "@binnacle/graph";
import { factOf, health, noticesOf, replicasOf, whyOf } from "@binnacle/health";
import { isKubeObject, projectObject, StringPool, type KubeObject } from "@binnacle/kube";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";

import { nodeFactsOf } from "./node-facts.ts";

const PACKAGES = fileURLToPath(new URL("../../../", import.meta.url));
const NOW = new Date("2026-01-01T12:00:00Z");

interface World {
  readonly file: string;
  readonly objects: readonly KubeObject[];
}

/** Every object anywhere in the fixtures of health and graph, and in the manifests of the world of this package. */
function worlds(): World[] {
  const folders = ["health/fixtures", "graph/fixtures", "environment-view/world/manifests"].map((folder) => join(PACKAGES, folder));
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(json|yaml)$/.test(name))
      .map((name) => ({ file: relative(PACKAGES, join(folder, name)), objects: objectsIn(parse(join(folder, name))) }))
      .filter(({ objects }) => objects.length > 0),
  );
}

function parse(file: string): unknown {
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".json")) return JSON.parse(text);
  return parseAllDocuments(text).map((document): unknown => document.toJS());
}

function objectsIn(value: unknown): KubeObject[] {
  if (typeof value !== "object" || value === null) return [];
  return [...(isKubeObject(value) ? [value] : []), ...Object.values(value).flatMap(objectsIn)];
}

function edgesOf(objects: readonly KubeObject[]): GraphEdge[] {
  const kinds = new Map(objects.map(({ apiVersion, kind }) => [`${apiVersion}/${kind}`, { apiVersion, kind }]));
  const access = [...kinds.values()].map(({ apiVersion, kind }) => ({
    group: apiVersion.includes("/") ? apiVersion.replace(/\/.*/, "") : "",
    kind,
    access: "synced" as const,
  }));
  return buildGraph(objects, access)
    .edges()
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Everything that the product reads of an object beside its own edges. */
function readingsOf(object: KubeObject, related: readonly KubeObject[]): object {
  const context = { now: NOW, related, events: related.filter(({ kind }) => kind === "Event") };
  return {
    health: health(object, context),
    why: whyOf(object, context),
    notices: noticesOf(object, context),
    fact: factOf(object, related),
    replicas: replicasOf(object),
    facts: nodeFactsOf(object),
    inventories: inventoriesOf(object),
    manager: managerOf(object),
    generated: isGeneratedSecret(object),
  };
}

const all = worlds();

test("there are fixtures to look at", () => expect(all.flatMap(({ objects }) => objects).length).toBeGreaterThan(300));

describe("trimming changes nothing that is read of", () => {
  test.each(all)("$file", ({ objects }) => {
    const pool = new StringPool();
    const before = structuredClone(objects);
    const trimmed = objects.map((object) => projectObject(object, pool));
    expect(trimmed.map(idOf)).toEqual(objects.map(idOf));
    expect(trimmed.map((object) => readingsOf(object, trimmed))).toEqual(objects.map((object) => readingsOf(object, objects)));
    expect(edgesOf(trimmed)).toEqual(edgesOf(objects));
    expect(objects).toEqual(before);
  });
});
