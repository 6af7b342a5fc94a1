import type { Gitops, GitopsSync } from "@binnacle/proto/dashboard";
import { GitopsState } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../../ui/format-time.ts";
import type { StateLook } from "../../ui/state-glyph.tsx";

/** How a sync is shown. */
export interface SyncLook {
  readonly word: string;
  readonly look: StateLook;
  /** More of it, or nothing. */
  readonly detail: string;
}

/** Worst first. What is not known is worse than what is known to go on. */
const WORST_FIRST: readonly GitopsState[] = [
  GitopsState.FAILED,
  GitopsState.INVALID,
  GitopsState.UNSPECIFIED,
  GitopsState.OUT_OF_SYNC,
  GitopsState.INTERRUPTED,
  GitopsState.PAUSED,
  GitopsState.APPLYING,
  GitopsState.TRIED,
  GitopsState.SYNCED,
];

/** How one sync stands, in a word with its shape; never more than is known. */
export function syncLook(sync: GitopsSync): SyncLook {
  const { state, objects, settled, failed, pruneHeld } = sync;
  switch (state) {
    case GitopsState.SYNCED:
      // What contradicts itself is not well.
      if (failed > 0) return { word: "Failed", look: "degraded", detail: ofObjects(failed, objects) };
      return { word: "Synced", look: "healthy", detail: pruneHeld === "" ? "" : "prune held" };
    case GitopsState.APPLYING:
      if (settled === undefined) return { word: "Applying", look: "progressing", detail: "" };
      return { word: `Applying ${Math.min(settled, objects)} of ${objects}`, look: "progressing", detail: "" };
    case GitopsState.FAILED:
      return { word: "Failed", look: "degraded", detail: failed === 0 ? "" : ofObjects(failed, objects) };
    case GitopsState.INVALID:
      return { word: "Not applied", look: "degraded", detail: "files are broken" };
    case GitopsState.OUT_OF_SYNC:
      return { word: "Out of sync", look: "missing", detail: "" };
    case GitopsState.PAUSED:
      return { word: "Paused", look: "suspended", detail: "" };
    case GitopsState.TRIED:
      return { word: "Dry run", look: "neutral", detail: "nothing was applied" };
    case GitopsState.INTERRUPTED:
      return { word: "Interrupted", look: "missing", detail: "a newer commit came" };
    default:
      return { word: "Not known", look: "unknown", detail: "" };
  }
}

function ofObjects(failed: number, objects: number): string {
  return `${failed} of ${objects} objects`;
}

/** The sync that is worst; `undefined` when there is none. */
export function worstSync({ syncs }: Gitops): GitopsSync | undefined {
  return syncs.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
}

function rankOf(sync: GitopsSync): number {
  const state = sync.state === GitopsState.SYNCED && sync.failed > 0 ? GitopsState.FAILED : sync.state;
  const rank = WORST_FIRST.indexOf(state);
  // One whose objects are held back comes before one that is all well.
  return (rank < 0 ? WORST_FIRST.indexOf(GitopsState.UNSPECIFIED) : rank) - (sync.pruneHeld === "" ? 0 : 0.5);
}

/** Of when a sync is known to stand so, in milliseconds since the epoch: when its agent said so, at the latest when it was read last. */
export function knownAtMs({ asOf }: Gitops, { reportedAt }: GitopsSync): number | undefined {
  const times = [asOf, reportedAt].flatMap((at) => (at === undefined ? [] : [millisOf(at)]));
  return times.length === 0 ? undefined : Math.min(...times);
}

/** What consents to a prune that is held; `undefined` while the whole id of the commit, or the ConfigMap, is not known. */
export function consentCommand(sync: GitopsSync): string | undefined {
  const isWhole = /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(sync.sha);
  return isWhole ? annotateCommand(sync, `gitops.binnacle/prune-consent=${sync.sha}`) : undefined;
}

/** What pauses syncs of a project, or goes on with them. */
export function pauseCommand(sync: GitopsSync): string | undefined {
  return annotateCommand(sync, sync.state === GitopsState.PAUSED ? "gitops.binnacle/paused-" : "gitops.binnacle/paused=true");
}

/** What asks for a sync at once. */
export function syncNowCommand(sync: GitopsSync): string | undefined {
  return annotateCommand(sync, 'gitops.binnacle/sync-requested="$(date +%s)"');
}

/** `undefined` while the ConfigMap of the inventory is not known, or has a name that no ConfigMap has. */
function annotateCommand({ inventoryNamespace, inventoryName }: GitopsSync, annotation: string): string | undefined {
  const isPlain = [inventoryNamespace, inventoryName].every((name) => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name));
  return isPlain ? `kubectl annotate configmap --namespace ${inventoryNamespace} ${inventoryName} --overwrite ${annotation}` : undefined;
}
