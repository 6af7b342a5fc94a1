import { expect, test } from "vitest";

import { parseObjectList } from "./kube-object.ts";
import { projectObject } from "./project-object.ts";
import { trimObject } from "./trim-object.ts";

const secret = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: {
    name: "s",
    managedFields: [{}],
    annotations: { "kubectl.kubernetes.io/last-applied-configuration": '{"data":"cGFzcw=="}', keep: "1" },
  },
  data: { password: "cGFzcw==" },
};

test("managed fields and kubectl's copy are dropped and the input is left alone", () => {
  const before = structuredClone(secret);
  expect(trimObject(secret).metadata).toEqual({ name: "s", annotations: { keep: "1" } });
  expect(secret).toEqual(before);
});

test("projection keeps the keys and none of the values", () => {
  expect(projectObject(secret)["data"]).toEqual({ password: "" });
  expect(projectObject({ apiVersion: "x.io/v1", kind: "Secret", metadata: { name: "s" }, data: { a: "b" } })["data"]).toEqual({ a: "b" });
});

test("items of a metadata list get the kind that was requested", () => {
  const kind = {
    group: "apps",
    version: "v1",
    kind: "Deployment",
    resource: "deployments",
    namespaced: true,
    verbs: [],
    subresources: [],
    shortNames: [],
  };
  const answer = {
    kind: "PartialObjectMetadataList",
    metadata: { resourceVersion: "5", continue: "c", remainingItemCount: 2 },
    items: [{ kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: { name: "a" } }, {}],
  };
  expect(parseObjectList(answer, kind)).toEqual({
    items: [{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" } }],
    resourceVersion: "5",
    continueToken: "c",
    remaining: 2,
  });
  expect(parseObjectList({ metadata: {}, items: null }, kind)?.items).toEqual([]);
  expect(parseObjectList({ kind: "Status", metadata: {} }, kind)).toBeUndefined();
});
