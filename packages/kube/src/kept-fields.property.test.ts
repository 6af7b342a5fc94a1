import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { othersNamed } from "./field-ownership.ts";
import { formatKeptFields, MAX_KEPT_FIELDS, parseKeptFields, type KeptField, withoutFields } from "./kept-fields.ts";

const ENTRY: KeptField = {
  object: "shop_web_apps_Deployment",
  field: "spec.replicas",
  user: "jo",
  atMs: Date.parse("2026-11-26T10:00:00Z"),
  proof: "p",
};

describe("parseKeptFields (T51)", () => {
  test("reads what is written, each field once", () => {
    const more = { ...ENTRY, field: "spec.paused", proof: "" };
    expect(parseKeptFields(formatKeptFields([ENTRY, more, { ...ENTRY, user: "later" }]) ?? "")).toEqual([
      { ...ENTRY, user: "later" },
      more,
    ]);
    expect(formatKeptFields([])).toBeNull();
  });

  test("takes nothing of a text that is none of its own, and a bounded part of one that is", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const { field, object } of parseKeptFields(text)) expect(`${object}${field}`).not.toBe("");
      }),
    );
    const wrong = [{ object: "web" }, { field: "" }, { field: "f".repeat(513) }, { user: "u".repeat(257) }, { proof: "p".repeat(101) }];
    const entries = wrong.map((over) => ({ object: ENTRY.object, field: "a", user: "jo", at: "2026-11-26T10:00:00Z", ...over }));
    expect(parseKeptFields(JSON.stringify([...entries, { ...entries[0], object: ENTRY.object, at: "never" }, null, 7]))).toEqual([]);
    const many = Array.from({ length: 150 }, (_, index) => ({ ...ENTRY, field: `spec.a${index}` }));
    expect(parseKeptFields(formatKeptFields(many) ?? "")).toHaveLength(MAX_KEPT_FIELDS);
    expect(
      parseKeptFields(formatKeptFields(many.map((each) => ({ ...each, user: "u".repeat(256), field: each.field.padEnd(512, "x") }))) ?? ""),
    ).toEqual([]);
  });
});

describe("withoutFields", () => {
  const deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", labels: { app: "web", tier: "front" } },
    spec: {
      replicas: 1,
      template: {
        spec: { containers: [{ name: "web", image: "a", ports: [{ containerPort: 53 }, { containerPort: 80, protocol: "TCP" }] }] },
      },
    },
  };
  const WEB = 'f:spec\nf:template\nf:spec\nf:containers\nk:{"name":"web"}';

  test.each([
    ["f:spec\nf:replicas", (copy: typeof deployment) => Reflect.deleteProperty(copy.spec, "replicas")],
    [`${WEB}\nf:image`, (copy: typeof deployment) => Reflect.deleteProperty(copy.spec.template.spec.containers[0] ?? {}, "image")],
    [
      `${WEB}\nf:ports\nk:{"containerPort":53,"protocol":"UDP"}`,
      (copy: typeof deployment) => copy.spec.template.spec.containers[0]?.ports.shift(),
    ],
    ["f:metadata\nf:labels\nf:tier", (copy: typeof deployment) => Reflect.deleteProperty(copy.metadata.labels, "tier")],
    ["f:spec\nf:nothing\nf:there", () => undefined],
    ["f:kind", () => undefined],
    ["f:metadata\nf:name", () => undefined],
    ["f:metadata", () => undefined],
  ])("leaves out %j and nothing else", (path, change) => {
    const [before, expected] = [structuredClone(deployment), structuredClone(deployment)];
    change(expected);
    expect(withoutFields(before, [path])).toEqual(expected);
    expect(before).toEqual(deployment);
  });

  test("only fields that others own are found, so that no entry takes a field of agentk's from the cluster", () => {
    const owned = (manager: string, operation: string, name: string) => ({
      manager,
      operation,
      time: "2026-11-26T10:00:00Z",
      fieldsV1: { "f:spec": { [`f:${name}`]: {} } },
    });
    const live = { metadata: { managedFields: [owned("agentk", "Apply", "replicas"), owned("kubectl", "Update", "paused")] } };
    expect(othersNamed(live, new Set(["spec.replicas", "spec.paused", "spec.other"]))).toEqual(["f:spec\nf:paused"]);
    expect(othersNamed(live, new Set())).toEqual([]);
  });
});
