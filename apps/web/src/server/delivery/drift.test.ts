import type { SeenObject } from "@binnacle/environment-view";
import { appliedFieldsOf, encodeKey, ownershipOf, type AppliedFields, type ObjectKey } from "@binnacle/kube";
import { describe, expect, test } from "vitest";

import type { ReportedObject } from "../syncs/applied-objects.ts";
import { projectDrift } from "./drift.ts";

const AT = "2026-11-26T10:00:00Z";
const TEXTS = { share: (text: string) => text };

const key = (name: string): ObjectKey => ({ group: "apps", kind: "Deployment", namespace: "prod", name });
const entry = (manager: string, operation: string, fieldsV1: object) => ({ manager, operation, time: AT, fieldsV1 });
const WHOLE = [entry("agentk", "Apply", { "f:spec": { "f:replicas": {}, "f:paused": {} } })];
const TAKEN = [entry("agentk", "Apply", { "f:spec": { "f:paused": {} } }), entry("kubectl", "Update", { "f:spec": { "f:replicas": {} } })];
const APPLIED = appliedFieldsOf({ metadata: { managedFields: WHOLE } }) as AppliedFields;

const reported = (name: string, over: Partial<ReportedObject> = {}): ReportedObject => ({
  key: key(name),
  applied: APPLIED,
  kept: [],
  keptFields: [],
  drift: undefined,
  ...over,
});

const present = (managedFields: unknown): SeenObject => ({
  kind: "present",
  isAutoscaled: false,
  ownership: ownershipOf(managedFields, TEXTS),
});

function view(objects: Readonly<Record<string, SeenObject>>) {
  return { of: (of: ObjectKey): SeenObject => objects[encodeKey(of).split("/").at(-1) ?? ""] ?? { kind: "unknown" } };
}

describe("drift of a project (B3)", () => {
  test("the view says it of objects that it shows, also where the report is older", () => {
    const seen = view({ same: present(WHOLE), taken: present(TAKEN), gone: { kind: "gone" } });
    const objects = [reported("same", { drift: "other than in the manifest" }), reported("taken"), reported("gone")];
    const drift = projectDrift("group/app", objects, seen);
    expect(drift).toMatchObject({ compared: 3, unknown: 0, isIgnored: false });
    expect(drift.objects.map(({ key: { name }, kind, fields, reason }) => [name, kind, fields, reason])).toEqual([
      ["gone", "gone", [], ""],
      ["taken", "changed", [{ field: "spec.replicas", manager: "kubectl", atMs: Date.parse(AT) }], ""],
    ]);
  });

  test("the report says it of objects that the view does not show, and of all while none is open", () => {
    const objects = [
      reported("a", { drift: "other managers own fields" }),
      reported("b"),
      reported("c", { applied: undefined, drift: "why" }),
    ];
    for (const seen of [undefined, view({}), view({ c: present(WHOLE) })]) {
      const drift = projectDrift("group/app", objects, seen);
      expect(drift.objects.map(({ key: { name }, reason }) => `${name} ${reason}`)).toEqual(["a other managers own fields", "c why"]);
      expect([drift.compared, drift.unknown]).toEqual([2, 1]);
    }
  });

  test("a field that is kept is no drift, and is listed with who keeps it", () => {
    const keptFields = [{ field: "spec.replicas", user: "jo", isVerified: true, sinceMs: 1 }];
    const drift = projectDrift("group/app", [reported("a", { kept: ["spec.replicas"], keptFields })], view({ a: present(TAKEN) }));
    expect(drift).toMatchObject({ objects: [], compared: 1, kept: [{ ...keptFields[0], key: key("a") }] });
  });
});
