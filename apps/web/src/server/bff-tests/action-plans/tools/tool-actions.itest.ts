// needs: control-plane
import { eventually } from "@binnacle/testing";
import { ActionKind, ActionOutcome } from "@binnacle/proto/dashboard";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { ActionBench, CLUSTERS } from "../../../testing/action-bench.ts";

/** An API server serves a new kind a moment after its definition. */
const SERVED_WITHIN_MS = 30_000;

/** Kinds as their tools define them, as far as actions write them: `status` is a subresource of each. */
const DEFINITIONS = [
  { group: "kustomize.toolkit.fluxcd.io", version: "v1", kind: "Kustomization", plural: "kustomizations" },
  { group: "argoproj.io", version: "v1alpha1", kind: "Rollout", plural: "rollouts" },
  { group: "argoproj.io", version: "v1alpha1", kind: "Application", plural: "applications" },
  { group: "cert-manager.io", version: "v1", kind: "Certificate", plural: "certificates" },
  { group: "keda.sh", version: "v1alpha1", kind: "ScaledObject", plural: "scaledobjects" },
  { group: "external-secrets.io", version: "v1", kind: "ExternalSecret", plural: "externalsecrets" },
] as const;

function definition({ group, version, kind, plural }: (typeof DEFINITIONS)[number]): object {
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec: open, status: open } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, subresources: { status: {} }, schema }],
    },
  };
}

describe.each(CLUSTERS)("actions of tools on %s", (_, start) => {
  let bench: ActionBench;
  beforeAll(async () => {
    bench = await ActionBench.start(start);
    for (const each of DEFINITIONS)
      await bench.cluster.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body: definition(each) });
    for (const { group, version, plural } of DEFINITIONS)
      await eventually(async () => {
        const path = `/apis/${group}/${version}/${plural}`;
        return bench.cluster.send("GET", path).then(() => undefined, String);
      }, SERVED_WITHIN_MS);
  });
  afterAll(() => bench.stop());
  beforeEach(() => bench.open());
  afterEach(() => bench.close());

  const make = async (kind: (typeof DEFINITIONS)[number]["kind"], content: object, status?: object) => {
    const { group, version, plural } = DEFINITIONS.find((each) => each.kind === kind) ?? DEFINITIONS[0];
    const object = await bench.createOf({ resource: `${group}/${plural}`, kind, version }, content);
    if (status !== undefined) await bench.cluster.merge(`${object.path}/status`, { status });
    const offered = async () =>
      (await bench.dashboard.reviewActions({ target: object.target })).actions.flatMap(({ kind, toolAction }) =>
        kind === ActionKind.TOOL ? [toolAction] : [],
      );
    const perform = async (toolAction: string) => {
      const action = { kind: ActionKind.TOOL, parameters: { toolAction } };
      const shown = await bench.preview(object.target, action);
      expect(shown.refused, "the dry run").toBeUndefined();
      const done = await bench.perform(object.target, action, shown);
      expect(done).toMatchObject({ outcome: ActionOutcome.DONE });
      await bench.restart();
      expect(await bench.perform(object.target, action, shown), "the same request once more, at another process").toMatchObject({
        outcome: ActionOutcome.DONE,
      });
      return done;
    };
    return { ...object, offered, perform };
  };

  test("Flux: suspends, names the reverse, resumes, and reconciles beside other annotations", async () => {
    const { offered, perform, read } = await make("Kustomization", { metadata: { annotations: { team: "shop" } }, spec: { path: "./" } });
    expect(await offered()).toEqual(["flux/reconcile", "flux/suspend"]);
    expect(await perform("flux/suspend")).toMatchObject({ undo: ActionKind.TOOL, undoParameters: { toolAction: "flux/resume" } });
    expect(await offered()).toEqual(["flux/reconcile", "flux/resume"]);
    expect(await read()).toMatchObject({ spec: { path: "./", suspend: true } });
    await perform("flux/resume");
    await perform("flux/reconcile");
    expect(await read()).toMatchObject({
      metadata: { annotations: { team: "shop", "reconcile.fluxcd.io/requestedAt": expect.stringMatching(/^\d{4}-.*Z$/) } },
      spec: { suspend: false },
    });
  });

  test("Argo Rollouts: promotes, aborts and retries by the status", async () => {
    const status = { currentPodHash: "b", stableRS: "a", pauseConditions: [{ reason: "CanaryPauseStep" }] };
    const { offered, perform, read } = await make("Rollout", { spec: {} }, status);
    expect(await offered()).toEqual(["argo-rollouts/promote", "argo-rollouts/abort"]);
    await perform("argo-rollouts/promote");
    expect(await read()).not.toHaveProperty("status.pauseConditions");
    await perform("argo-rollouts/abort");
    expect(await offered()).toEqual(["argo-rollouts/retry"]);
    await perform("argo-rollouts/retry");
    expect(await read()).toMatchObject({ status: { abort: false, stableRS: "a" } });
  });

  test("Argo CD, External Secrets: the first annotation of an object", async () => {
    const application = await make("Application", { spec: {} });
    await application.perform("argo-cd/refresh");
    expect(await application.read()).toMatchObject({ metadata: { annotations: { "argocd.argoproj.io/refresh": "normal" } } });
    expect(await application.offered()).toEqual([]);
    const secret = await make("ExternalSecret", { spec: {} });
    await secret.perform("external-secrets/refresh");
    expect(await secret.read()).toHaveProperty("metadata.annotations.force-sync");
  });

  test("cert-manager: the condition that renews, beside the others; KEDA: pauses and resumes", async () => {
    const ready = { type: "Ready", status: "True", reason: "Ready", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" };
    const certificate = await make("Certificate", { spec: {} }, { conditions: [ready] });
    await certificate.perform("cert-manager/renew");
    expect(await certificate.read()).toMatchObject({
      status: { conditions: [ready, { type: "Issuing", status: "True", reason: "ManuallyTriggered" }] },
    });
    expect(await certificate.offered()).toEqual([]);
    const scaled = await make("ScaledObject", { spec: {} });
    await scaled.perform("keda/pause");
    expect(await scaled.offered()).toEqual(["keda/resume"]);
    await scaled.perform("keda/resume");
    expect(await scaled.read()).not.toHaveProperty(["metadata", "annotations", "autoscaling.keda.sh/paused"]);
  });

  test("T53: a value that a controller wrote since the preview is not overwritten", async () => {
    const { target, path, read } = await make("Kustomization", {
      metadata: { annotations: { "reconcile.fluxcd.io/requestedAt": "first" } },
      spec: {},
    });
    const action = { kind: ActionKind.TOOL, parameters: { toolAction: "flux/reconcile" } };
    const shown = await bench.preview(target, action);
    await bench.cluster.merge(path, { metadata: { annotations: { "reconcile.fluxcd.io/requestedAt": "second" } } });
    expect(await bench.perform(target, action, shown)).toMatchObject({ outcome: ActionOutcome.CONFLICT, field: { before: "second" } });
    expect(await read()).toMatchObject({ metadata: { annotations: { "reconcile.fluxcd.io/requestedAt": "second" } } });
  });
});
