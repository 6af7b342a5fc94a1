import type { KubeObject, ResourceKind } from "@binnacle/kube";
import { expect, test } from "vitest";

import type { MetadataEntry } from "../../features/actions/label-syntax.ts";
import { entriesOf, planLabels } from "./label-plan.ts";

const kindOf = (kind: string, resource: string): ResourceKind => ({
  group: "",
  version: "v1",
  kind,
  resource,
  namespaced: true,
  verbs: [],
  subresources: [],
  shortNames: [],
});
const KEY = "kubectl.kubernetes.io/last-applied-configuration";

function plan(metadata: object, entries: readonly MetadataEntry[], more: object = {}) {
  const isSecret = Object.keys(more).length > 0;
  const kind = isSecret ? kindOf("Secret", "secrets") : kindOf("ConfigMap", "configmaps");
  const object: KubeObject = {
    apiVersion: "v1",
    kind: kind.kind,
    metadata: { name: "web", namespace: "shop", uid: "1", resourceVersion: "7", ...metadata },
    ...more,
  };
  const read = (): never => {
    throw new Error("a plan of labels reads nothing else");
  };
  const of = { kind, object, client: { json: read, get: read }, signal: new AbortController().signal };
  const request = { name: "edit-labels", parameters: { entries }, requestedAtMs: 0, requestId: "", planned: "" } as const;
  return { of, planned: planLabels(of, request) };
}

function operationsOf({ planned }: ReturnType<typeof plan>): unknown {
  if ("refused" in planned) return planned.refused.id;
  return planned.change.verb === "patch" && planned.change.type === "json" ? planned.change.operations : planned.change;
}

const label = (key: string, value?: string): MetadataEntry => ({ annotation: false, key, value });

test("a value that is replaced or removed is tested, and all others stay", () => {
  const made = plan({ labels: { app: "web", "example.com/tier": "front", old: "1" } }, [label("example.com/tier", "back"), label("old")]);
  expect(operationsOf(made)).toEqual([
    { op: "test", path: "/metadata/labels/example.com~1tier", value: "front" },
    { op: "add", path: "/metadata/labels/example.com~1tier", value: "back" },
    { op: "test", path: "/metadata/labels/old", value: "1" },
    { op: "remove", path: "/metadata/labels/old" },
  ]);
  expect(made.planned).toMatchObject({
    field: {
      path: "metadata",
      before: "labels[example.com/tier]=front\nlabels[old]=1",
      after: "labels[example.com/tier]=back\nlabels[old] -",
    },
    labels: [
      { path: "metadata.labels[example.com/tier]", before: "front", after: "back" },
      { before: "1", after: "" },
    ],
    undo: { parameters: { entries: [label("example.com/tier", "front"), label("old", "1")] } },
  });
  expect(made.planned, "no version is needed").not.toMatchObject({ target: { resourceVersion: expect.anything() } });
});

test("a key that is absent cannot be tested, so the version is the precondition", () => {
  const made = plan({}, [{ annotation: true, key: "note", value: "x" }]);
  expect(operationsOf(made)).toEqual([
    { op: "add", path: "/metadata/annotations", value: {} },
    { op: "add", path: "/metadata/annotations/note", value: "x" },
  ]);
  expect(made.planned).toMatchObject({ target: { uid: "1", resourceVersion: "7" } });
});

test("what the object has already is neither sent nor another value", () => {
  const made = plan({ labels: { app: "web" } }, [label("app", "web"), label("gone")]);
  expect(operationsOf(made)).toEqual([]);
  expect(made.planned).toMatchObject({ field: { before: "labels[app]=web\nlabels[gone] -", after: "labels[app]=web\nlabels[gone] -" } });
});

test.each([
  ["action/label-key", [label("a b", "x")]],
  ["action/label-value", [label("a", "a b")]],
  ["action/label-twice", [label("a", "x"), label("a")]],
  ["action/label-of-kubectl", [{ annotation: true, key: KEY, value: "{}" }]],
  ["edit/mask", [{ annotation: true, key: "note", value: "*****" }]],
  ["action/labels-many", Array.from({ length: 201 }, (_, index) => label(`k${index}`, "x"))],
] as const)("%s is refused before anything is sent", (id, entries) => {
  expect(operationsOf(plan({}, entries))).toBe(id);
});

test("XM1: an annotation of a Secret that holds its value is shown nowhere, and not in the patch either", () => {
  const value = "canary-5f2e";
  const made = plan({ annotations: { copy: value, [KEY]: value } }, [{ annotation: true, key: "copy" }], {
    data: { password: btoa(value) },
  });
  expect(entriesOf(made.of)).toEqual([{ annotation: true, key: "copy", value: "*****" }]);
  expect(JSON.stringify(made.planned)).not.toContain(value);
  expect(operationsOf(made)).toEqual([{ op: "remove", path: "/metadata/annotations/copy" }]);
  expect(made.planned).toMatchObject({ target: { resourceVersion: "7" } });
  expect(made.planned).not.toHaveProperty("undo");
});

test("labels come before annotations, each by key, without the copy of kubectl", () => {
  const { of } = plan({ labels: { b: "2", a: "1" }, annotations: { [KEY]: "{}", c: "3" } }, []);
  expect(entriesOf(of).map(({ key }) => key)).toEqual(["a", "b", "c"]);
});
