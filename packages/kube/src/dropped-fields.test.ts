import { expect, test } from "vitest";

import { droppedOfSpec, forEachDropped } from "./dropped-fields.ts";
import type { KubeObject } from "./kube-object.ts";
import { projectObject } from "./project-object.ts";

const CONTAINER = {
  name: "web",
  image: "app:1",
  args: ["--a"],
  command: ["run"],
  env: [
    { name: "PLAIN", value: "one" },
    { name: "FROM", valueFrom: { secretKeyRef: { name: "till", key: "k" }, fieldRef: { fieldPath: "metadata.name" } } },
  ],
  readinessProbe: { exec: { command: ["test", "-f", "/ready"] }, periodSeconds: 3 },
};

const DEPLOYMENT: KubeObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: {
    name: "web",
    annotations: { short: "text", long: "x".repeat(2_000), "kubectl.kubernetes.io/last-applied-configuration": "{}" },
  },
  spec: { replicas: 1, template: { spec: { containers: [CONTAINER], tolerations: [{ key: "a" }], nodeName: "n" } } },
  status: { replicas: 1 },
};

function droppedOf(object: KubeObject): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  forEachDropped(object, (path, value) => void (found[path] = value));
  return found;
}

test("what is left out of a workload is named by its path, as large as it is", () => {
  expect(Object.keys(droppedOf(DEPLOYMENT)).toSorted()).toEqual([
    "metadata.annotations.long",
    "spec.template.spec.containers[web].args",
    "spec.template.spec.containers[web].command",
    "spec.template.spec.containers[web].env[FROM].valueFrom.fieldRef",
    "spec.template.spec.containers[web].env[PLAIN].value",
    "spec.template.spec.containers[web].readinessProbe.exec.command",
    "spec.template.spec.containers[web].readinessProbe.periodSeconds",
    "spec.template.spec.tolerations",
  ]);
});

test("whatever changes in a spec is kept, or is left out under a path", () => {
  const projected = JSON.stringify(projectObject(DEPLOYMENT));
  const left = JSON.stringify(droppedOf(DEPLOYMENT));
  for (const word of ["app:1", "--a", "run", "one", "/ready", "metadata.name", '"n"', "till"]) expect(projected + left).toContain(word);
});

test("data has a path for each key", () => {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { "a.yaml": "1", b: "2" } };
  expect(droppedOf(object)).toEqual({ "data[a.yaml]": "1", "data.b": "2" });
});

test("of kinds that are kept whole nothing is left out", () => {
  expect(droppedOf({ apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" }, spec: { args: ["a"] } })).toEqual({});
});

test("without paths the same parts of a spec are left out", () => {
  const values = Object.entries(droppedOf(DEPLOYMENT)).flatMap(([path, value]) => (path.startsWith("spec") ? [JSON.stringify(value)] : []));
  expect(
    droppedOfSpec(DEPLOYMENT)
      .map((value) => JSON.stringify(value))
      .toSorted(),
  ).toEqual(values.toSorted());
});

test("odd shapes are walked around", () => {
  for (const spec of [null, 1, "text", [1], { template: { spec: { containers: { a: 1 }, volumes: [null, "x", [{}]] } } }]) {
    expect(() => droppedOf({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec })).not.toThrow();
  }
});
