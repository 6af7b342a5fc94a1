import {
  DeliveryState,
  GitopsState,
  GitopsSyncSchema,
  GitopsTool,
  SyncStatusSchema,
  ToolSyncSchema,
  type ToolSync,
} from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";

import { toolCommand, toolLook, worstOfAll } from "./tool-words.ts";

function tool(fields: MessageInitShape<typeof ToolSyncSchema> = {}): ToolSync {
  return create(ToolSyncSchema, { tool: GitopsTool.FLUX_KUSTOMIZATION, namespace: "flux-system", name: "web", ...fields });
}

function status(fields: MessageInitShape<typeof SyncStatusSchema>) {
  return create(SyncStatusSchema, { state: DeliveryState.KNOWN, ...fields });
}

test("B2: syncs that are not known are shown as not known, but not before a source was queried", () => {
  const unknown = (id: string) => worstOfAll(status({ state: DeliveryState.UNKNOWN, why: { id } }));
  expect(unknown("delivery/agent-not-reported")).toMatchObject({ word: "Not known", look: "unknown" });
  expect(unknown("delivery/not-asked-yet")).toBeUndefined();
});

test("a state that no tool has, or that is not known yet, is shown as not known", () => {
  for (const state of [GitopsState.UNSPECIFIED, GitopsState.TRIED, GitopsState.INVALID, 99 as GitopsState])
    expect(toolLook(tool({ state }))).toMatchObject({ word: "Not known", look: "unknown" });
  expect(toolLook(tool({ state: GitopsState.SYNCED, sourceProblem: "no route" }))).toMatchObject({
    word: "Synced",
    detail: "its source cannot be fetched",
  });
});

test("the worst of agents' syncs and tools is the one to show, with its own age", () => {
  const sync = (state: GitopsState) => create(GitopsSyncSchema, { project: "group/manifests", state });
  const worst = (...tools: ToolSync[]) => worstOfAll(status({ value: { syncs: [sync(GitopsState.PAUSED)], tools, moreTools: 1 } }));
  expect(worstOfAll(status({ state: DeliveryState.NONE }))).toBeUndefined();
  expect(worstOfAll(status({ state: DeliveryState.FORBIDDEN }))).toBeUndefined();
  expect(worst(tool({ state: GitopsState.SYNCED }))).toMatchObject({ word: "Paused", count: 3, isStale: false });
  const failed = tool({ state: GitopsState.FAILED, asOf: timestampFromMs(5_000) });
  expect(worst(tool({ state: GitopsState.SYNCED }), failed)).toMatchObject({ word: "Failed", count: 4, isStale: true, atMs: 5_000 });
  expect(worst(tool())).toMatchObject({ word: "Not known" });
});

test("the command is the tool's own, and never one with a name that a shell reads anything into", () => {
  const helm = { tool: GitopsTool.FLUX_HELM_RELEASE, namespace: "shop" };
  const argo = { tool: GitopsTool.ARGO_CD_APPLICATION, namespace: "argocd" };
  expect(toolCommand(tool())).toBe("flux reconcile kustomization web --namespace flux-system");
  expect(toolCommand(tool({ ...helm, state: GitopsState.PAUSED }))).toBe("flux resume helmrelease web --namespace shop");
  expect(toolCommand(tool(argo))).toBe("argocd app sync argocd/web");
  expect(toolCommand(tool({ ...argo, state: GitopsState.PAUSED }))).toMatch(/skip-reconcile-$/);
  expect(toolCommand(tool({ tool: GitopsTool.UNSPECIFIED }))).toBeUndefined();
  for (const name of ["x; rm -rf ~", "$(id)", "", "-x"]) expect(toolCommand(tool({ name }))).toBeUndefined();
});
