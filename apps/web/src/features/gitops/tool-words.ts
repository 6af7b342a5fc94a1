import type { SyncStatus, ToolSync } from "@binnacle/proto/dashboard";
import { DeliveryState, GitopsState, GitopsTool } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../../ui/format-time.ts";
import type { StateLook } from "../../ui/state-glyph.tsx";
import { knownAtMs, syncLook, worstSync, type SyncLook } from "./sync-words.ts";
import { messageText, t } from "../../ui/messages.ts";

/** The reason of a member for which no source was queried yet: the page has just been opened. */
const NOT_QUERIED_YET = "delivery/not-asked-yet";

/** Worst first. What is not known is worse than what is known to go on. */
const WORST_FIRST: readonly StateLook[] = ["degraded", "unknown", "missing", "suspended", "progressing", "neutral", "healthy"];

/** How another tool's sync stands, in a word with its shape; never more than its object says. */
export function toolLook({ state, sourceProblem }: ToolSync): SyncLook {
  const detail = sourceProblem === "" ? "" : t("gitops/source-not-fetched");
  switch (state) {
    case GitopsState.SYNCED:
      return { word: t("gitops/synced"), look: "healthy", detail };
    case GitopsState.APPLYING:
      return { word: t("gitops/applying"), look: "progressing", detail };
    case GitopsState.OUT_OF_SYNC:
      return { word: t("gitops/out-of-sync"), look: "missing", detail };
    case GitopsState.FAILED:
      return { word: t("gitops/failed"), look: "degraded", detail };
    case GitopsState.PAUSED:
      return { word: t("gitops/paused"), look: "suspended", detail };
    default:
      return { word: t("gitops/not-known"), look: "unknown", detail };
  }
}

/** The worst of all that brings something into an environment. */
export interface WorstSync extends SyncLook {
  /** Of when that is known, in milliseconds since the epoch; absent: of now. */
  readonly atMs: number | undefined;
  /** No source has reported it since. */
  readonly isStale: boolean;
  /** Of so many. */
  readonly count: number;
  /** The tool whose sync it is; absent: a sync of our agent. */
  readonly tool?: ToolSync;
}

/** The worst of an environment's syncs, our agents' and other tools'; `undefined` when there is none, or the viewer may not know. */
export function worstOfAll(status: SyncStatus): WorstSync | undefined {
  const { state, value, asOf } = status;
  if (value === undefined) {
    const isUnknown = state === DeliveryState.UNKNOWN && status.why?.id !== NOT_QUERIED_YET;
    return isUnknown
      ? { word: t("gitops/not-known"), look: "unknown", detail: messageText(status.why), atMs: undefined, isStale: false, count: 0 }
      : undefined;
  }
  const { syncs, tools, moreTools } = value;
  const count = syncs.length + tools.length + moreTools;
  const sync = worstSync(value);
  const tool = tools.toSorted((a, b) => rankOf(toolLook(a)) - rankOf(toolLook(b)))[0];
  if (tool !== undefined && (sync === undefined || rankOf(toolLook(tool)) < rankOf(syncLook(sync)))) {
    return { ...toolLook(tool), atMs: tool.asOf && millisOf(tool.asOf), isStale: tool.asOf !== undefined, count, tool };
  }
  return sync && { ...syncLook(sync), atMs: knownAtMs(status, sync), isStale: asOf !== undefined, count };
}

/** One of which there is more to say comes before one that is all well. */
function rankOf({ look, detail }: SyncLook): number {
  return WORST_FIRST.indexOf(look) - (detail === "" ? 0 : 0.5);
}

/** What the tool's own program does at once, or goes on with; `undefined` when a name is none that a shell takes as it is. */
export function toolCommand({ tool, namespace, name, state }: ToolSync): string | undefined {
  if (![namespace, name].every((each) => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(each))) return undefined;
  const verb = state === GitopsState.PAUSED ? "resume" : "reconcile";
  switch (tool) {
    case GitopsTool.FLUX_KUSTOMIZATION:
      return `flux ${verb} kustomization ${name} --namespace ${namespace}`;
    case GitopsTool.FLUX_HELM_RELEASE:
      return `flux ${verb} helmrelease ${name} --namespace ${namespace}`;
    case GitopsTool.ARGO_CD_APPLICATION:
      return state === GitopsState.PAUSED
        ? `kubectl annotate applications.argoproj.io ${name} --namespace ${namespace} argocd.argoproj.io/skip-reconcile-`
        : `argocd app sync ${namespace}/${name}`;
    default:
      return undefined;
  }
}
