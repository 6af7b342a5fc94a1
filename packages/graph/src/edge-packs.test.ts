import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { isCutKind, isFields, textAt, type KubeObject } from "@binnacle/kube";

import { packData, packDataFile } from "../dev/pack-data.ts";
import { readPackFiles } from "../dev/pack-file.ts";
import { packReference, packReferenceFile } from "../dev/pack-reference.ts";
import { EDGE_CATALOGUE } from "./edge-catalogue.ts";
import { compileRule } from "./compiled-rule.ts";
import { EDGE_PACKS } from "./packs/edge-packs.ts";
import { ResourceGraph } from "./resource-graph.ts";
import { packObject } from "./testing/pack-objects.ts";

const files = readPackFiles();
const RULES = EDGE_PACKS.flatMap(({ rules }) => rules);

test("what is written of the packs is what stands in their files", async () => {
  const packs = files.map(({ pack }) => pack);
  expect(EDGE_PACKS).toEqual(packs);
  expect(readFileSync(packDataFile, "utf8")).toBe(await packData(packs));
  expect(readFileSync(packReferenceFile, "utf8")).toBe(await packReference(packs));
});

test("every rule can be read, no pack is called as a user's, and one line of a pack has one class and direction", () => {
  expect(RULES.filter((rule) => compileRule(rule) === undefined)).toEqual([]);
  const names = EDGE_PACKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => name === "custom" || name in EDGE_CATALOGUE)).toEqual([]);
  const looks = RULES.flatMap((rule) =>
    "podTemplate" in rule ? [] : [`${rule.pack}:${rule.id} ${rule.class} ${rule.flowReversed === true}`],
  );
  const kinds = new Set(looks.map((look) => look.split(" ")[0]));
  expect(new Set(looks).size).toBe(kinds.size);
});

test("a rule for every custom kind never misses anything", () => {
  expect(RULES.filter((rule) => rule.from.group === "*" && !("optional" in rule))).toEqual([]);
});

/** An object that counts its reads. */
function watched(object: KubeObject, looks: { count: number }): KubeObject {
  const handler: ProxyHandler<object> = {
    get: (target, name) => {
      looks.count += 1;
      const value: unknown = Reflect.get(target, name);
      return isFields(value) ? new Proxy(value, handler) : value;
    },
  };
  // A proxy of an object has its type.
  return new Proxy(object, handler) as KubeObject;
}

test("packs whose kinds the cluster does not serve look into no object", () => {
  const kinds = ["v1/Pod", "v1/Secret", "v1/Service", "apps/v1/Deployment", "apps/v1/ReplicaSet", "batch/v1/Job", "v1/ConfigMap"];
  const looksWith = (rules: typeof RULES): number => {
    const looks = { count: 0 };
    const graph = new ResourceGraph({ customEdges: rules });
    for (const type of kinds) graph.upsert(watched(packObject({ is: type, name: "web" }), looks));
    graph.takeChanges();
    return looks.count;
  };
  expect(looksWith(RULES)).toBe(looksWith([]));
});

test("of kinds that views cut, packs name only those that some world proves", () => {
  const cut = new Set(RULES.flatMap(({ from }) => (isCutKind(from.group, from.kind) ? [`${from.group}/${from.kind}`] : [])));
  const proven = new Set(files.flatMap(({ worlds }) => worlds.flatMap(({ objects }) => objects.map((object) => textAt(object, "is")))));
  expect([...cut].filter((kind) => ![...proven].some((is) => is.replace(/\/v[^/]*\//, "/") === kind))).toEqual([]);
});
