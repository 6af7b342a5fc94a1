import {
  GitopsFailureSchema,
  GitopsSchema,
  GitopsState,
  GitopsSyncSchema,
  GitopsTool,
  ToolSyncSchema,
  type Gitops,
  type GitopsSync,
  type ToolSync,
} from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";

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
      }),
      create(GitopsFailureSchema, {
        kind: "Service",
        namespace: "shop-prod",
        name: "gone",
        reason: "spec.ports[0].port: Invalid value: 70000",
      }),
    ],
  },
  invalid: { state: GitopsState.INVALID, reason: "deploy/web.yaml:31: mapping values are not allowed here" },
  paused: { state: GitopsState.PAUSED },
  interrupted: { state: GitopsState.INTERRUPTED },
  tried: { state: GitopsState.TRIED },
  unknown: { sha: SHA.slice(0, 8), title: "", author: "", commitUrl: "" },
  held: { state: GitopsState.SYNCED, pruneHeld: "14 of 24 objects left the manifests: more than half of the inventory" },
};

/** What is made up of other tools; an environment `tools` has all of them. */
function fixtureTools(nowMs: number): ToolSync[] {
  const repository = { source: "GitRepository flux-system/shop", sourceUrl: "https://git.example.com/shop/deploy", path: "./prod" };
  const flux = {
    tool: GitopsTool.FLUX_KUSTOMIZATION,
    namespace: "flux-system",
    objects: 12,
    at: timestampFromMs(nowMs - 90_000),
    ...repository,
  };
  const revision = `main@sha1:${SHA}`;
  const argo = {
    tool: GitopsTool.ARGO_CD_APPLICATION,
    namespace: "argocd",
    objects: 7,
    revision: SHA,
    sha: SHA,
    target: "main",
    ...repository,
    source: "",
  };
  const tools: readonly MessageInitShape<typeof ToolSyncSchema>[] = [
    {
      ...flux,
      name: "web",
      state: GitopsState.SYNCED,
      reason: "ReconciliationSucceeded",
      message: `Applied revision: ${revision}`,
      revision,
      sha: SHA,
    },
    {
      ...flux,
      name: "infra",
      state: GitopsState.FAILED,
      reason: "BuildFailed",
      message: "kustomize build failed: accumulating resources: no such file or directory",
      revision,
      sha: SHA,
      attempted: `main@sha1:${"b".repeat(40)}`,
      sourceProblem: "failed to checkout and determine revision: no route to host",
    },
    {
      tool: GitopsTool.FLUX_HELM_RELEASE,
      namespace: "shop-prod",
      name: "redis",
      objects: 9,
      state: GitopsState.PAUSED,
      revision: "19.6.1",
      path: "redis",
      target: "19.x",
      source: "HelmRepository flux-system/bitnami",
      sourceUrl: "https://charts.example.com",
    },
    {
      ...argo,
      name: "shop",
      state: GitopsState.OUT_OF_SYNC,
      reason: "OutOfSync",
      appliedAt: timestampFromMs(nowMs - 3_600_000),
      attempted: "b".repeat(40),
    },
    {
      tool: GitopsTool.ARGO_CD_APPLICATION,
      namespace: "argocd",
      name: "hidden",
      objects: 1,
      why: toWordsMessage(words("tool-sync/forbidden", { kind: "Application", place: "argocd/hidden" })),
    },
  ];
  return tools.map((tool) => create(ToolSyncSchema, tool));
}

/** What GitOps does in an environment of such a name. */
export function fixtureGitops(name: string, nowMs: number): Gitops | undefined {
  if (name === "tools") return create(GitopsSchema, { tools: fixtureTools(nowMs), moreTools: 3 });
  if (name === "gitops") return create(GitopsSchema, { syncs: Object.keys(SYNCS).map((state) => syncOf(state, nowMs)) });
  const state = /^gitops-([a-z]+)$/.exec(name)?.[1] ?? "";
  if (state === "old") return create(GitopsSchema, { syncs: [syncOf("synced", nowMs)], asOf: timestampFromMs(nowMs - 20 * 60_000) });
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
    inventoryName: "inventory-1-42",
    ...SYNCS[state],
  });
}
