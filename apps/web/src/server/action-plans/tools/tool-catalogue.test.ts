import type { KubeObject, ResourceKind } from "@binnacle/kube";
import { describe, expect, test } from "vitest";

import { planTool, toolAction, toolActionsOf } from "./tool-catalogue.ts";

const PAUSED_ROLLOUT = { currentPodHash: "b", stableRS: "a", pauseConditions: [{ reason: "CanaryPauseStep" }] };
const NOW = "2026-11-28T12:00:00.000Z";

function kindOf(name: string): ResourceKind {
  const [group = "", resource = ""] = name.split("/");
  return { group, version: "v1", kind: "Thing", resource, namespaced: true, verbs: [], subresources: [], shortNames: [] };
}

function objectOf(fields: {
  readonly kind?: string;
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}): KubeObject {
  return {
    apiVersion: "example.test/v1",
    kind: "Thing",
    ...fields,
    metadata: { name: "thing", namespace: "shop", uid: "u1", ...fields.metadata },
  };
}

const offered = (name: string, object: KubeObject): string[] => toolActionsOf(kindOf(name), object).map(({ action }) => action.id);

function plan(id: string, object: KubeObject) {
  const kind = kindOf(toolAction(id)?.kinds[0] ?? "");
  const request = { name: "tool", parameters: { toolAction: id }, requestedAtMs: Date.parse(NOW), requestId: "", planned: "" } as const;
  const signal = new AbortController().signal;
  const client = { json: () => Promise.reject(new Error("not used")), get: () => Promise.reject(new Error("not used")) };
  const planned = planTool({ kind, object, client, signal }, request);
  if ("refused" in planned) throw new Error("it was refused");
  return planned;
}

const test1 = (path: string, value: unknown) => ({ op: "test", path, value });

describe("what is offered", () => {
  test.each<readonly [string, object, readonly string[]]>([
    ["kustomize.toolkit.fluxcd.io/kustomizations", {}, ["flux/reconcile", "flux/suspend"]],
    ["helm.toolkit.fluxcd.io/helmreleases", { spec: { suspend: true } }, ["flux/reconcile", "flux/resume"]],
    ["argoproj.io/applications", {}, ["argo-cd/refresh"]],
    ["argoproj.io/applications", { metadata: { annotations: { "argocd.argoproj.io/refresh": "normal" } } }, []],
    ["argoproj.io/rollouts", { status: { currentPodHash: "a", stableRS: "a" } }, []],
    ["argoproj.io/rollouts", { status: { currentPodHash: "b", stableRS: "a" } }, ["argo-rollouts/abort"]],
    [
      "argoproj.io/rollouts",
      { status: { currentPodHash: "b", stableRS: "a", pauseConditions: [{ reason: "CanaryPauseStep" }] } },
      ["argo-rollouts/promote", "argo-rollouts/abort"],
    ],
    ["argoproj.io/rollouts", { status: { abort: true, currentPodHash: "b", stableRS: "a" } }, ["argo-rollouts/retry"]],
    ["cert-manager.io/certificates", {}, ["cert-manager/renew"]],
    ["cert-manager.io/certificates", { status: { conditions: [{ type: "Issuing", status: "True" }] } }, []],
    ["keda.sh/scaledobjects", {}, ["keda/pause"]],
    ["keda.sh/scaledobjects", { metadata: { annotations: { "autoscaling.keda.sh/paused": "true" } } }, ["keda/resume"]],
    ["external-secrets.io/externalsecrets", {}, ["external-secrets/refresh"]],
    ["argoproj.io/rollouts", { spec: { paused: true }, status: PAUSED_ROLLOUT }, ["argo-rollouts/abort"]],
    [
      "argoproj.io/rollouts",
      { status: { ...PAUSED_ROLLOUT, controllerPause: true, canary: { currentStepAnalysisRunStatus: { status: "Inconclusive" } } } },
      ["argo-rollouts/abort"],
    ],
    ["keda.sh/scaledjobs", { metadata: { annotations: { "autoscaling.keda.sh/paused": "" } } }, ["keda/resume"]],
    ["keda.sh/scaledjobs", { metadata: { annotations: { "autoscaling.keda.sh/paused": "False" } } }, ["keda/pause"]],
    ["keda.sh/scaledobjects", { metadata: { annotations: { "autoscaling.keda.sh/paused-replicas": "2" } } }, []],
    ["external-secrets.io/externalsecrets", { kind: "ExternalSecret", spec: { refreshPolicy: "CreatedOnce" } }, []],
    ["external-secrets.io/externalsecrets", { kind: "ExternalSecret", spec: { refreshInterval: "0s" } }, []],
    ["external-secrets.io/externalsecrets", { kind: "ExternalSecret", spec: { refreshInterval: "1h0m0s" } }, ["external-secrets/refresh"]],
    [
      "external-secrets.io/externalsecrets",
      { kind: "ExternalSecret", spec: { refreshPolicy: "OnChange", refreshInterval: "0" } },
      ["external-secrets/refresh"],
    ],
    ["external-secrets.io/pushsecrets", { kind: "PushSecret", spec: { refreshInterval: "0" } }, ["external-secrets/refresh"]],
    ["apps/deployments", {}, []],
  ])("of %s with %j: %j", (name, fields, ids) => {
    expect(offered(name, objectOf(fields))).toEqual(ids);
  });

  test.each([[null], ["text"], [{ metadata: { name: "x", annotations: "text" }, status: [], spec: 5 }]])(
    "of an odd object %j nothing fails",
    (odd) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object as no API server sends it
      const object = { ...objectOf({}), ...(odd as object) } as KubeObject;
      for (const kind of ["argoproj.io/rollouts", "cert-manager.io/certificates", "keda.sh/scaledobjects"])
        expect(() => offered(kind, object)).not.toThrow();
    },
  );
});

describe("what is written", () => {
  test("an annotation beside others is set only while they are as they were read", () => {
    const annotations = { team: "shop" };
    expect(plan("flux/reconcile", objectOf({ metadata: { annotations } }))).toMatchObject({
      field: { path: "metadata.annotations[reconcile.fluxcd.io/requestedAt]", before: undefined, after: NOW },
      change: {
        type: "json",
        operations: [
          test1("/metadata/annotations", annotations),
          { op: "add", path: "/metadata/annotations/reconcile.fluxcd.io~1requestedAt", value: NOW },
        ],
      },
    });
  });

  test("the first annotation is merged, so that none that others write meanwhile is lost", () => {
    expect(plan("external-secrets/refresh", objectOf({}))).toMatchObject({
      change: { type: "merge", content: { metadata: { annotations: { "force-sync": NOW } } } },
    });
  });

  test("a value that was written before is tested", () => {
    const before = "2026-11-28T11:00:00.000Z";
    const annotations = { "reconcile.fluxcd.io/requestedAt": before };
    const planned = plan("flux/reconcile", objectOf({ metadata: { annotations } }));
    expect(planned).toMatchObject({
      field: { before, after: NOW },
      change: { operations: [test1("/metadata/annotations/reconcile.fluxcd.io~1requestedAt", before), { op: "add", value: NOW }] },
    });
  });

  test("an absent flag is false, and its reverse is named", () => {
    expect(plan("flux/suspend", objectOf({ spec: {} }))).toMatchObject({
      field: { path: "spec.suspend", before: "false", after: "true" },
      change: { operations: [{ op: "add", path: "/spec/suspend", value: true }] },
      undo: { name: "tool", parameters: { toolAction: "flux/resume" } },
    });
  });

  test("a rollout is promoted by its status", () => {
    const pauseConditions = [{ reason: "CanaryPauseStep" }];
    expect(plan("argo-rollouts/promote", objectOf({ status: { pauseConditions } }))).toMatchObject({
      target: { subresource: "status", uid: "u1" },
      change: { operations: [test1("/status/pauseConditions", pauseConditions), { op: "remove", path: "/status/pauseConditions" }] },
    });
    const { field } = plan("argo-rollouts/promote", objectOf({ status: {} }));
    expect(field.before).toBe(field.after);
  });

  test("a renewal adds the condition, or replaces it where it is", () => {
    const ready = { type: "Ready", status: "True" };
    expect(plan("cert-manager/renew", objectOf({ status: { conditions: [ready] } }))).toMatchObject({
      field: { before: undefined, after: "True" },
      change: { operations: [{ op: "add", path: "/status/conditions/-", value: { type: "Issuing", status: "True" } }] },
    });
    const conditions = [ready, { type: "Issuing", status: "False" }];
    expect(plan("cert-manager/renew", objectOf({ status: { conditions } }))).toMatchObject({
      field: { before: "False", after: "True" },
      change: { operations: [test1("/status/conditions/1/type", "Issuing"), { op: "replace", path: "/status/conditions/1" }] },
    });
  });
});
