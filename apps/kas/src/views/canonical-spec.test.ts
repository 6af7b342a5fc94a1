import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ViewSpecSchema, type ViewScopeSchema } from "@binnacle/proto/kas-views";
import { ImpersonationConfigSchema } from "@binnacle/proto/kubernetes-api";
import { expect, test } from "vitest";

import { canonicalSpec, canonicalViewer, parseSpec } from "./canonical-spec.ts";
import { VIEW_BOUNDS } from "./view-bounds.ts";

const specOf = (scope: MessageInitShape<typeof ViewScopeSchema>, engine = "e") =>
  canonicalSpec(create(ViewSpecSchema, { view: { case: "environment", value: { engine, scope } } }));
const labels = { requirements: [{ key: "app", operator: "In", values: ["web"] }] };

test("the order of namespaces makes no other view", () => {
  expect(specOf({ namespaces: ["b", "a", "b"] }).key).toBe(specOf({ namespaces: ["a", "b"] }).key);
});

test("labels make another view of the same rights, all else makes other rights", () => {
  const plain = specOf({ namespaces: ["a"] });
  const labelled = specOf({ namespaces: ["a"], labels });
  expect(labelled.key).not.toBe(plain.key);
  expect(labelled.domainKey).toBe(plain.domainKey);
  expect(labelled.domain).toEqual(plain.domain);
  const others = [
    specOf({ namespaces: ["b"] }),
    specOf({ namespaces: [] }),
    specOf({ namespaces: ["a"], inventory: { tool: "helm", name: "x" } }),
    specOf({ namespaces: ["a"], rules: { hidden: ["Secret"] } }),
    specOf({ namespaces: ["a"] }, "f"),
    canonicalSpec(create(ViewSpecSchema, { view: { case: "summary", value: { scope: { namespaces: ["a"] } } } })),
    canonicalSpec(create(ViewSpecSchema, { view: { case: "nodes", value: {} } })),
  ];
  expect(new Set([plain, ...others].map(({ domainKey }) => domainKey)).size).toBe(others.length + 1);
});

test("events are another view than their environment, of the same rights", () => {
  const environment = { engine: "e", scope: { namespaces: ["b", "a"], labels } };
  const events = canonicalSpec(create(ViewSpecSchema, { view: { case: "events", value: { environment } } }));
  expect(events.key).not.toBe(specOf(environment.scope).key);
  expect(events.domainKey).toBe(specOf(environment.scope).domainKey);
  expect(events.spec.view).toMatchObject({ case: "events", value: { environment: { scope: { namespaces: ["a", "b"] } } } });
});

test("the requested spec is not modified", () => {
  const spec = create(ViewSpecSchema, { view: { case: "summary", value: { scope: { namespaces: ["b", "a"], labels } } } });
  canonicalSpec(spec);
  expect(spec.view.value).toMatchObject({ scope: { namespaces: ["b", "a"], labels } });
});

test.each([
  ["no view", () => canonicalSpec(create(ViewSpecSchema))],
  ["a spec that is too large", () => specOf({ namespaces: ["x".repeat(VIEW_BOUNDS.specBytes)] })],
  ["bytes that are none", () => parseSpec(Buffer.from([0xff]))],
  [
    "an identity without a name, which an agent would take for its own",
    () => canonicalViewer(create(ImpersonationConfigSchema, { groups: ["a"] })),
  ],
])("%s is refused", (_, make) => {
  expect(make).toThrow(expect.objectContaining({ reason: "invalid_request" }));
});

test("a view of tomorrow is not known here", () => {
  const spec = parseSpec(Buffer.from([0xfa, 0x01, 0x00]));
  expect(() => canonicalSpec(spec)).toThrow(expect.objectContaining({ reason: "not_implemented" }));
});

test("viewers that differ in anything but the order of their attributes are different viewers", () => {
  const viewerOf = (init: MessageInitShape<typeof ImpersonationConfigSchema>) =>
    canonicalViewer(create(ImpersonationConfigSchema, init)).key;
  const extra = [
    { key: "a", val: ["1"] },
    { key: "b", val: ["2"] },
  ];
  const ann = { username: "ann", groups: ["a", "b"], uid: "1", extra };
  expect(viewerOf({ ...ann, groups: ["b", "a"], extra: extra.toReversed() })).toBe(viewerOf(ann));
  const others = [
    canonicalViewer().key,
    viewerOf({ ...ann, username: "agent" }),
    viewerOf({ ...ann, groups: ["a"] }),
    viewerOf({ ...ann, groups: ["a,b"] }),
    viewerOf({ ...ann, uid: "" }),
    viewerOf({ ...ann, extra: [{ key: "a", val: ["1", "2"] }] }),
  ];
  expect(new Set([viewerOf(ann), ...others]).size).toBe(others.length + 1);
});
