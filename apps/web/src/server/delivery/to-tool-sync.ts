import type { DeployingTool, ToolStanding } from "@binnacle/environment-view";
import { GitopsState, GitopsTool, ToolSyncSchema, type ToolSync } from "@binnacle/proto/dashboard";
import { isTime, timeField } from "@binnacle/proto/wire-values";
import { toWordsMessage } from "@binnacle/proto/words";
import { create } from "@bufbuild/protobuf";

type ToolState = NonNullable<ToolStanding["sync"]>["state"];

/** The tools of the wire. */
export const TOOL: Readonly<Record<DeployingTool, GitopsTool>> = {
  "flux-kustomization": GitopsTool.FLUX_KUSTOMIZATION,
  "flux-helmrelease": GitopsTool.FLUX_HELM_RELEASE,
  argocd: GitopsTool.ARGO_CD_APPLICATION,
};

const STATE: Readonly<Record<ToolState, GitopsState>> = {
  synced: GitopsState.SYNCED,
  applying: GitopsState.APPLYING,
  "out-of-sync": GitopsState.OUT_OF_SYNC,
  failed: GitopsState.FAILED,
  paused: GitopsState.PAUSED,
  unknown: GitopsState.UNSPECIFIED,
};

/** How a tool's sync stands, for the wire. */
export function toToolSync({ tool, namespace, name, objects, sync, why, source, asOfMs }: ToolStanding): ToolSync {
  const message = create(ToolSyncSchema, { tool: TOOL[tool], namespace, name, objects });
  const reason = why ?? sync?.why;
  if (reason !== undefined) message.why = toWordsMessage(reason);
  Object.assign(message, timeField("asOf", asOfMs));
  if (sync === undefined) return message;
  const { object, path, target, more } = sync.source;
  Object.assign(message, {
    state: STATE[sync.state],
    reason: sync.reason,
    message: sync.message,
    revision: sync.revision,
    sha: sync.sha,
    attempted: sync.attempted,
    source: object === undefined ? "" : `${object.kind} ${object.namespace}/${object.name}`,
    sourceUrl: sync.source.url || (source?.url ?? ""),
    sourceProblem: source?.problem ?? "",
    path,
    target,
    moreSources: more,
  } satisfies Partial<ToolSync>);
  return Object.assign(message, timeField("appliedAt", timeOfTool(sync.appliedAt)), timeField("at", timeOfTool(sync.at)));
}

/** In milliseconds since the epoch; `undefined` for what is no time that a message can hold. */
export function timeOfTool(written: string): number | undefined {
  const ms = Date.parse(written);
  return isTime(ms) ? ms : undefined;
}
