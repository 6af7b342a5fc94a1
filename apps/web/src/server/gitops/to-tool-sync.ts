import type { DeployingTool, ToolStanding } from "@binnacle/environment-view";
import { GitopsState, GitopsTool, ToolSyncSchema, type ToolSync } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs, type Timestamp } from "@bufbuild/protobuf/wkt";

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

/** What `Date` can say on the wire. */
const [LEAST_MS, MOST_MS] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59Z")];

/** How a tool's sync stands, for the wire. */
export function toToolSync({ tool, namespace, name, objects, sync, why, source, asOfMs }: ToolStanding): ToolSync {
  const message = create(ToolSyncSchema, { tool: TOOL[tool], namespace, name, objects });
  const reason = why ?? sync?.why;
  if (reason !== undefined) message.why = toWordsMessage(reason);
  if (asOfMs !== undefined) message.asOf = timestampFromMs(asOfMs);
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
  const [appliedAt, at] = [timestampAt(sync.appliedAt), timestampAt(sync.at)];
  if (appliedAt !== undefined) message.appliedAt = appliedAt;
  if (at !== undefined) message.at = at;
  return message;
}

/** A time as a tool wrote it. */
function timestampAt(written: string): Timestamp | undefined {
  const ms = timeOfTool(written);
  return ms === undefined ? undefined : timestampFromMs(ms);
}

/** In milliseconds since the epoch; `undefined` for what is no time that a message can hold. */
export function timeOfTool(written: string): number | undefined {
  const ms = Date.parse(written);
  return ms >= LEAST_MS && ms <= MOST_MS ? ms : undefined;
}
