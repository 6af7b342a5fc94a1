import {
  DeliveryState,
  DriftStatusSchema,
  SyncStatusSchema,
  type DriftStatus,
  type SyncStatus,
  GitopsFailureSchema,
  GitopsSchema,
  GitopsSourceProblem,
  GitopsState,
  GitopsSyncSchema,
  type Gitops,
  type GitopsSync,
} from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";

const SHA = "4f2c91e08a7b6c5d4e3f2a1b0c9d8e7f60514233";

/** What is made up of each state; an environment `gitops-<name>` has that one, `gitops` has all of them. */
const SYNCS: Readonly<Record<string, MessageInitShape<typeof GitopsSyncSchema>>> = {
  synced: { state: GitopsState.SYNCED },
  applying: { state: GitopsState.APPLYING, settled: 7 },
  failed: {
    state: GitopsState.FAILED,
    reason: "2 objects could not be applied",
    failed: 2,
    failures: [
      create(GitopsFailureSchema, {
        group: "apps",
        kind: "Deployment",
        namespace: "shop-prod",
        name: "checkout",
        reason: "conflict with kubectl over .spec.replicas",
        path: "deploy/checkout.yaml",
        line: 31,
      }),
      create(GitopsFailureSchema, {
        kind: "Service",
        namespace: "shop-prod",
        name: "gone",
        reason: "spec.ports[0].port: Invalid value: 70000",
      }),
    ],
  },
  drifted: {
    state: GitopsState.OUT_OF_SYNC,
    reason: "objects were changed in the cluster, and stay so until a sync is requested",
    drifted: 2,
    failures: [
      create(GitopsFailureSchema, {
        group: "apps",
        kind: "Deployment",
        namespace: "shop-prod",
        name: "checkout",
        reason: "other than in the manifest: .spec.replicas",
        drifted: true,
      }),
    ],
  },
  gone: { state: GitopsState.SYNCED, sourceProblem: GitopsSourceProblem.NO_COMMIT },
  invalid: { state: GitopsState.INVALID, reason: "deploy/web.yaml:31: mapping values are not allowed here" },
  paused: { state: GitopsState.PAUSED },
  interrupted: { state: GitopsState.INTERRUPTED },
  tried: { state: GitopsState.TRIED },
  unknown: { sha: SHA.slice(0, 8), title: "", author: "", commitUrl: "" },
  held: { state: GitopsState.SYNCED, pruneHeld: "14 of 24 objects left the manifests: more than half of the inventory" },
};

/** What GitOps does in an environment of such a name. @param tools other tools that deploy to it */
export function fixtureSync(name: string, nowMs: number, tools: Gitops | undefined): SyncStatus {
  const value = tools ?? fixtureGitops(name, nowMs);
  if (value === undefined) return create(SyncStatusSchema, { state: DeliveryState.NONE });
  if (name !== "gitops-old") return create(SyncStatusSchema, { state: DeliveryState.KNOWN, value });
  return create(SyncStatusSchema, { state: DeliveryState.UNKNOWN, value, asOf: timestampFromMs(nowMs - 20 * 60_000) });
}

/** What has drifted in an environment of such a name, and what is kept there. */
export function fixtureDrift(name: string, nowMs: number): DriftStatus {
  if (name !== "gitops-drifted" && name !== "gitops") return create(DriftStatusSchema, { state: DeliveryState.UNKNOWN });
  const deployment = { group: "apps", kind: "Deployment", namespace: "shop-prod" };
  const image = { field: "spec.template.spec.containers[checkout].image", manager: "kubectl-set", at: timestampFromMs(nowMs - 125_000) };
  const kept = { ...deployment, name: "web", field: "spec.replicas", since: timestampFromMs(nowMs - 3 * 3_600_000) };
  return create(DriftStatusSchema, {
    state: DeliveryState.KNOWN,
    projects: [
      {
        project: "shop/manifests-drifted",
        total: 2,
        compared: 24,
        objects: [
          { ...deployment, name: "checkout", fields: [image], moreFields: 1 },
          { kind: "ConfigMap", namespace: "shop-prod", name: "settings", gone: true },
        ],
        kept: [
          { ...kept, user: "mara", verified: true },
          { ...kept, field: "spec.paused", user: "editor" },
        ],
      },
    ],
  });
}

function fixtureGitops(name: string, nowMs: number): Gitops | undefined {
  if (name === "gitops") return create(GitopsSchema, { syncs: Object.keys(SYNCS).map((state) => syncOf(state, nowMs)) });
  const state = /^gitops-([a-z]+)$/.exec(name)?.[1] ?? "";
  if (state === "old") return create(GitopsSchema, { syncs: [syncOf("synced", nowMs)] });
  return Object.hasOwn(SYNCS, state) ? create(GitopsSchema, { syncs: [syncOf(state, nowMs)] }) : undefined;
}

function syncOf(state: string, nowMs: number): GitopsSync {
  return create(GitopsSyncSchema, {
    project: `shop/manifests-${state}`,
    sha: SHA,
    commitUrl: "https://gitlab.example.com/shop/manifests/-/commit/4f2c91e0",
    title: "Give checkout more memory",
    author: "Mara Lind",
    startedAt: timestampFromMs(nowMs - 190_000),
    ...(state === "applying" ? {} : { finishedAt: timestampFromMs(nowMs - 180_000) }),
    reportedAt: timestampFromMs(nowMs - 60_000),
    objects: 24,
    inventoryNamespace: "gitlab-agent",
    paths: ["/deploy/**/*.yaml"],
    branch: "main",
    waves: 3,
    pollPeriod: durationFromMs(20_000),
    inventoryName: "inventory-1-42",
    inventoryId: "1-42",
    ...SYNCS[state],
  });
}
