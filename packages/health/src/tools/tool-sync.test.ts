import { readdirSync, readFileSync } from "node:fs";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { frozen, oddJson } from "../odd-objects.ts";
import { toolSourceFactsOf, toolSyncOf } from "./tool-sync.ts";

const CASES = new URL("../../fixtures/tool-cases/", import.meta.url);
const COMMIT = "a".repeat(40);
const KINDS = [
  ["kustomize.toolkit.fluxcd.io/v1", "Kustomization"],
  ["helm.toolkit.fluxcd.io/v2", "HelmRelease"],
  ["argoproj.io/v1alpha1", "Application"],
] as const;

/** One file each: adding a case is adding a file. */
const cases = readdirSync(CASES).map((file) => {
  // The files are ours and have this shape; a wrong one fails below.
  const content = JSON.parse(readFileSync(new URL(file, CASES), "utf8")) as { why: string; expected: object; resource: unknown };
  return { file, ...content };
});

test.each(cases)("$file: $why", ({ resource, expected }) => {
  expect(toolSyncOf(frozen(resource))).toMatchObject(expected);
});

test("other kinds have no result", () => {
  for (const [apiVersion, kind] of [
    ["v1", "ConfigMap"],
    ["kustomize.config.k8s.io/v1beta1", "Kustomization"],
    ["argoproj.io/v1alpha1", "AppProject"],
  ])
    expect(toolSyncOf({ apiVersion, kind, metadata: { name: "x" } })).toBeUndefined();
  for (const nothing of [undefined, null, 5, "x", []])
    expect([toolSyncOf(nothing), toolSourceFactsOf(nothing)]).toEqual([undefined, undefined]);
});

describe("whatever an object says", () => {
  const names =
    "conditions type status reason message suspend revision revisions history sync phase operationState syncResult comparedTo source sources repoURL path sourceRef kind name namespace observedGeneration generation lastAppliedRevision lastAttemptedRevision annotations deployedAt finishedAt chart spec url".split(
      " ",
    );
  const long = ["x", "main@sha1:", "://a:b", "bearer 1", "\u202e\n", "a@"].map((part) => part.repeat(1_000_000 / part.length));
  const texts = ["True", "False", "Ready", "Reconciling", "Synced", "Failed", "Running", COMMIT, `main@sha1:${COMMIT}`, ...long];
  const json = oddJson(names, texts);
  const object = fc.record({ kind: fc.constantFrom(...KINDS), metadata: json, spec: json, status: json, operation: json });

  test("nothing throws, changes it, or is longer than a few lines", () => {
    fc.assert(
      fc.property(object, ({ kind: [apiVersion, kind], ...parts }) => {
        const sync = toolSyncOf(frozen({ apiVersion, kind, ...parts }));
        const texts = JSON.stringify(sync);
        expect(texts.length).toBeLessThan(20_000);
        expect(texts).not.toMatch(/[\u202e\u200b]/);
        expect(sync?.sha).toMatch(/^([0-9a-f]{40}|[0-9a-f]{64})?$/);
      }),
      { numRuns: 200 },
    );
  });

  test("one without a status is not known", () => {
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), json, ([apiVersion, kind], status) => {
        if (typeof status === "object" && status !== null && !Array.isArray(status)) return;
        expect(toolSyncOf({ apiVersion, kind, metadata: { name: "x", generation: 1 }, spec: {}, status })?.state).toBe("unknown");
      }),
    );
  });
});

describe("where a tool takes it from", () => {
  const source = (kind: string, spec: unknown, status: unknown = {}) =>
    toolSourceFactsOf({ apiVersion: "source.toolkit.fluxcd.io/v1", kind, metadata: { name: "app" }, spec, status });

  test("is an address without a credential", () => {
    expect(source("GitRepository", { url: "https://bot:s3cret@git.example.test/app?token=1" })).toEqual({
      url: "https://git.example.test/app",
      problem: "",
    });
    expect(source("GitRepository", { url: "ssh://git@git.example.test:22/app" })?.url).toBe("ssh://git@git.example.test:22/app");
    expect(source("Bucket", { endpoint: "minio.example.test", bucketName: "manifests" })?.url).toBe("minio.example.test/manifests");
    for (const spec of [undefined, 5, { url: [] }, { url: "x".repeat(1_000_000) }])
      expect((source("Bucket", spec)?.url ?? "").length).toBeLessThan(500);
  });

  test("says when nothing can be fetched from there", () => {
    const status = {
      conditions: [{ type: "Ready", status: "False", reason: "GitOperationFailed", message: "failed to clone:\nno route" }],
    };
    expect(source("GitRepository", { url: "https://git.example.test" }, status)?.problem).toBe("failed to clone: no route");
  });
});
