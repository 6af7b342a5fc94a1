import { GitopsSchema, GitopsState, GitopsTool, ToolSyncSchema, type Gitops } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";

const SHA = "4f2c91e08a7b6c5d4e3f2a1b0c9d8e7f60514233";

/** What other tools do in an environment `tools`: each of their states. */
export function fixtureTools(name: string, nowMs: number): Gitops | undefined {
  if (name !== "tools") return undefined;
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
  return create(GitopsSchema, { tools: tools.map((tool) => create(ToolSyncSchema, tool)), moreTools: 3 });
}
