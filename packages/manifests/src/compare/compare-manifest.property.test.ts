import type { KubeObject } from "@binnacle/kube";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { manifestsIn } from "../manifests-in.ts";
import { compareManifest, type ManifestComparison } from "./compare-manifest.ts";

const name = fc.constantFrom("name", "a", "b.c/d", "port", "limits", "selector", "key", "__proto__x");
const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: "small" }, fc.string(), fc.integer(), fc.boolean(), fc.constant(null), tie("list"), tie("map")),
  list: fc.array(tie("any"), { maxLength: 4 }),
  map: fc.dictionary(name, tie("any"), { maxKeys: 4 }),
}));
const owned = fc.dictionary(
  fc.oneof(
    name.map((each) => `f:${each}`),
    fc.constantFrom('k:{"name":"a"}', "k:not json", "v:1", ".", "i:0"),
  ),
  fc.constantFrom({}, { ".": {} }, { "f:a": {}, "f:limits": { "f:name": {} } }, 3, null),
);

function compared(desired: KubeObject, live: KubeObject): ManifestComparison {
  const manifest = [...manifestsIn(JSON.stringify(desired))].find((each) => "object" in each);
  if (manifest === undefined) throw new Error("it cannot be read");
  return compareManifest({ manifest, live, applier: "agentk", isSecret: false });
}

test("an object that is as its manifest says never differs, whatever is in it and whatever the cluster has added to its maps", () => {
  const widget = (spec: unknown): KubeObject => ({ apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" }, spec });
  fc.assert(
    fc.property(value.map, (spec) => {
      const { fields, different, texts } = compared(widget(spec), { ...widget({ theirs: 1, ...spec }), status: { ready: true } });
      expect(fields.filter(({ state }) => state !== "same")).toEqual([]);
      expect(different).toBe(0);
      expect(texts?.live).toBe(texts?.desired);
    }),
  );
});

test("nothing that a cluster answers is too odd to be compared, and lines are those of the file", () => {
  const widget = (spec: unknown, fieldsV1?: unknown): KubeObject => {
    const managedFields = [{ manager: "agentk", operation: "Apply", apiVersion: "example.com/v1", fieldsV1 }];
    return { apiVersion: "example.com/v1", kind: "Widget", metadata: Object.assign({ name: "w" }, { managedFields }), spec };
  };
  fc.assert(
    fc.property(value.map, value.any, owned, (spec, live, fieldsV1) => {
      const { fields, different, texts } = compared(widget(spec), widget(live, { "f:spec": fieldsV1 }));
      expect(texts?.live === texts?.desired).toBe(different === 0);
      for (const { line, desired, live: serialized } of fields) {
        expect(line).toBe(1);
        expect(Math.max(desired.length, serialized.length)).toBeLessThanOrEqual(258);
      }
    }),
  );
});

test("T35: no value of a Secret is in the comparison, in whichever field it stands", () => {
  const secretText = fc.string({ minLength: 6, maxLength: 20 }).map((text) => `canary${text}`);
  fc.assert(
    fc.property(secretText, secretText, fc.constantFrom("data", "stringData"), (mine, theirs, field) => {
      const encoded = (text: string): string => Buffer.from(text).toString("base64");
      const secret = (data: object): KubeObject => ({ apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, ...data });
      const desired = secret({ [field]: { a: field === "data" ? encoded(mine) : mine, b: 7 } });
      const serialized = JSON.stringify(compared(desired, secret({ data: { a: encoded(theirs), c: encoded(mine) } })));
      expect(serialized).not.toContain("canary");
      expect(serialized).not.toContain(encoded("canary").slice(0, 8));
    }),
  );
});
