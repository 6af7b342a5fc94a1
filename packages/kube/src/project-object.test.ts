import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { KubeObject } from "./kube-object.ts";
import { isCutKind, projectObject, projectFull } from "./project-object.ts";
import { StringPool } from "./string-pool.ts";

const pod: KubeObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace: "app", uid: "u", resourceVersion: "7", labels: { app: "web" } },
  spec: {
    tolerations: [{ key: "a" }],
    volumes: [{ name: "v", configMap: { name: "settings", items: [{ key: "a", path: "b" }] } }],
    containers: [
      {
        name: "main",
        image: "i:1",
        command: ["run"],
        args: ["--password=secret"],
        env: [
          { name: "TOKEN", value: "secret" },
          { name: "FROM", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
        ],
        readinessProbe: { exec: { command: ["check", "secret"] }, periodSeconds: 3 },
        resources: { requests: { cpu: "1" } },
      },
    ],
  },
  status: { phase: "Running", podIPs: [{ ip: "10.0.0.1" }], conditions: [{ type: "Ready", status: "True", lastProbeTime: null }] },
};

describe("projectObject", () => {
  test("keeps of a pod what rules and edges read, and none of the values of its variables", () => {
    const projected = projectObject(pod);
    expect(projected).toEqual({
      apiVersion: "v1",
      kind: "Pod",
      metadata: pod.metadata,
      spec: {
        volumes: [{ name: "v", configMap: { name: "settings" } }],
        containers: [
          {
            name: "main",
            image: "i:1",
            env: [{ name: "TOKEN" }, { name: "FROM", valueFrom: { secretKeyRef: { name: "s", key: "k" } } }],
            readinessProbe: { exec: { command: ["check"] } },
            resources: { requests: { cpu: "1" } },
          },
        ],
      },
      status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
    });
    expect(JSON.stringify(projected)).not.toContain('secret"');
  });

  test.each(["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"])("trims the template of a %s as a pod", (kind) => {
    const spec = { replicas: 1, template: { metadata: { labels: { a: "b" } }, spec: pod["spec"] } };
    const projected = projectObject({ apiVersion: "apps/v1", kind, metadata: { name: "w" }, spec });
    expect(projected["spec"]).toEqual({ replicas: 1, template: { metadata: { labels: { a: "b" } }, spec: projectObject(pod)["spec"] } });
  });

  test("keeps the newest entry of managedFields that is not about the status, and nothing of its fields", () => {
    const entry = (manager: string, time: string, more: object = {}): object => ({
      manager,
      operation: "Update",
      time,
      apiVersion: "v1",
      fieldsV1: { "f:spec": {} },
      ...more,
    });
    const managedFields = [
      entry("helm", "2026-01-01T10:00:00Z"),
      entry("kubectl", "2026-01-01T11:00:00Z"),
      entry("kubelet", "2026-01-01T12:00:00Z", { subresource: "status" }),
      entry("odd", "never"),
    ];
    const metadata = { name: "p", managedFields };
    const projected = projectObject({ apiVersion: "x.io/v1", kind: "Thing", metadata });
    expect(projected.metadata).toEqual({
      name: "p",
      managedFields: [{ manager: "kubectl", operation: "Update", time: "2026-01-01T11:00:00Z" }],
    });
  });

  test("drops kubectl's copy and long annotations, but not those that rules read", () => {
    const long = "x".repeat(1_025);
    const annotations = {
      "kubectl.kubernetes.io/last-applied-configuration": "{}",
      "example.com/long": long,
      "example.com/short": "1",
      "argocd.argoproj.io/tracking-id": long,
    };
    const namesOf = (kind: string): string[] =>
      Object.keys(projectObject({ apiVersion: "v1", kind, metadata: { name: "h", annotations } }).metadata.annotations ?? {});
    expect(namesOf("Pod")).toEqual(["example.com/short", "argocd.argoproj.io/tracking-id"]);
    expect(namesOf("Service")).toEqual(["example.com/long", "example.com/short", "argocd.argoproj.io/tracking-id"]);
  });

  test("drops the schema of a definition and keeps its subresources", () => {
    const versions = [{ name: "v1", served: true, schema: { openAPIV3Schema: { type: "object" } }, subresources: { status: {} } }];
    const projected = projectObject({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "c" },
      spec: { group: "x.io", versions },
    });
    expect(projected["spec"]).toEqual({ group: "x.io", versions: [{ name: "v1", served: true, subresources: { status: {} } }] });
  });

  test("keeps a custom resource whole, up to its bound", () => {
    const metadata = { name: "t" };
    const spec = { template: { spec: pod["spec"] }, args: ["a"], data: { password: "p" } };
    const custom = { apiVersion: "x.io/v1", kind: "Pod", metadata, spec, status: { lastProbeTime: "1" }, extra: [1, null, true] };
    expect(projectObject(custom)).toEqual(custom);
    const logs = Array.from({ length: 300 }, () => "y".repeat(2_000));
    const huge = projectObject({ apiVersion: "x.io/v1", kind: "Thing", metadata, status: { phase: "Bad", logs } });
    expect(huge["status"]).toMatchObject({ phase: "Bad" });
    expect(JSON.stringify(huge).length).toBeLessThan(300 * 1_024 + 1_200);
  });

  test("keeps everything of an object whose fields any rule may read, but for kubectl's copy", () => {
    const annotations = { "example.com/long": "x".repeat(1_025) };
    const copied = { ...annotations, "kubectl.kubernetes.io/last-applied-configuration": "{}" };
    expect(projectFull({ ...pod, metadata: { name: "p", annotations: copied } })).toEqual({
      ...pod,
      metadata: { name: "p", annotations },
    });
    expect([isCutKind("", "Pod"), isCutKind("apps", "Deployment"), isCutKind("", "Service"), isCutKind("x.io", "Pod")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("shares equal texts through a pool, which stays bounded", () => {
    const pool = new StringPool({ maxTexts: 50 });
    for (let index = 0; index < 1_000; index += 1) projectObject({ ...pod, metadata: { name: "p", labels: { n: String(index) } } }, pool);
    expect(pool.size).toBeLessThanOrEqual(50);
  });

  test("never throws on any JSON, never changes it, and trimming twice is trimming once", () => {
    const kinds = fc.constantFrom("v1/Pod", "v1/ConfigMap", "apps/v1/Deployment", "batch/v1/CronJob", "x.io/v1/Thing");
    const fields = fc.constantFrom("spec", "status", "template", "containers", "env", "volumes", "data", "__proto__", "other");
    const leaf = fc.jsonValue({ maxDepth: 1 });
    const shapes = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4, depthSize: "xsmall" },
        leaf,
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fields, tie("value"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(
        kinds,
        fc.dictionary(fields, shapes.value),
        fc.dictionary(fc.constantFrom("annotations", "managedFields"), leaf),
        (kind, rest, more) => {
          const text = JSON.stringify({
            apiVersion: kind.replace(/\/[^/]*$/, ""),
            kind: kind.replace(/.*\//, ""),
            metadata: { name: "n", ...more },
            ...rest,
          });
          // As a server would send it: apiVersion, kind and a name are there, and nothing else is certain.
          const object = JSON.parse(text) as KubeObject;
          const projected = projectObject(object);
          expect(JSON.stringify(object)).toBe(text);
          expect(JSON.stringify(projectObject(projected))).toBe(JSON.stringify(projected));
        },
      ),
    );
  });

  test("deep nesting costs no stack", () => {
    const depth = 200_000;
    // Built as text: a literal this deep cannot be written.
    const spec: unknown = Array.from({ length: depth }).reduce((inner: unknown) => ({ a: inner }), 1);
    expect(projectObject({ apiVersion: "x.io/v1", kind: "Thing", metadata: { name: "n" }, spec }).metadata.name).toBe("n");
  });
});
