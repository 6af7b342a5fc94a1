import type { Gitops, GitopsSync, SyncStatus } from "@binnacle/proto/dashboard";
import { GitopsSourceProblem, GitopsState } from "@binnacle/proto/dashboard-enums";
import { formatAge, millisOf } from "../../ui/format-time.ts";
import type { StateLook } from "../../ui/state-glyph.tsx";
import { t, tLater } from "../../ui/messages.ts";

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

/** How one sync stands, in a word with its shape; never more than is known. An unreadable source comes first. */
export function syncLook(sync: GitopsSync): SyncLook {
  const look = lookOfState(sync);
  const problem = sourceWord(sync);
  if (problem === "") return look;
  return { ...look, look: look.look === "healthy" ? "missing" : look.look, detail: problem };
}

/** Why newer commits cannot be had, in short; empty when they can. */
function sourceWord({ sourceProblem }: GitopsSync): string {
  switch (sourceProblem) {
    case GitopsSourceProblem.NO_COMMIT:
      return t("gitops/branch-gone");
    case GitopsSourceProblem.UNREADABLE:
      return t("gitops/repository-not-readable");
    default:
      return "";
  }
}

/** What becomes of an environment whose manifests cannot be had; empty when they can. */
export function sourceSentence({ sourceProblem }: GitopsSync): string {
  switch (sourceProblem) {
    case GitopsSourceProblem.NO_COMMIT:
      return t("gitops/branch-gone-explained");
    case GitopsSourceProblem.UNREADABLE:
      return t("gitops/repository-not-readable-explained");
    default:
      return "";
  }
}

function lookOfState(sync: GitopsSync): SyncLook {
  const { state, objects, settled, failed, drifted, pruneHeld, outcomeUnknown } = sync;
  if (outcomeUnknown && state !== GitopsState.APPLYING) {
    return { word: t("gitops/not-known"), look: "unknown", detail: t("gitops/agent-restarted") };
  }
  switch (state) {
    case GitopsState.SYNCED:
      // What contradicts itself is not well.
      if (failed > 0) return { word: t("gitops/failed"), look: "degraded", detail: ofObjects(failed, objects) };
      if (drifted > 0) return outOfSync(sync);
      return { word: t("gitops/synced"), look: "healthy", detail: pruneHeld === "" ? notCompared(sync) : t("gitops/prune-held") };
    case GitopsState.APPLYING:
      if (settled === undefined) return { word: t("gitops/applying"), look: "progressing", detail: "" };
      return { word: t("gitops/applying-of", { count: Math.min(settled, objects), objects }), look: "progressing", detail: "" };
    case GitopsState.FAILED:
      return { word: t("gitops/failed"), look: "degraded", detail: failed === 0 ? "" : ofObjects(failed, objects) };
    case GitopsState.INVALID:
      return { word: t("gitops/not-applied"), look: "degraded", detail: t("gitops/invalid-manifest") };
    case GitopsState.OUT_OF_SYNC:
      return outOfSync(sync);
    case GitopsState.PAUSED:
      return { word: t("gitops/paused"), look: "suspended", detail: "" };
    case GitopsState.TRIED:
      return { word: t("gitops/dry-run"), look: "neutral", detail: t("gitops/nothing-was-applied") };
    case GitopsState.INTERRUPTED:
      return { word: t("gitops/interrupted"), look: "missing", detail: t("gitops/newer-commit") };
    default:
      return { word: t("gitops/not-known"), look: "unknown", detail: "" };
  }
}

function outOfSync({ drifted }: GitopsSync): SyncLook {
  return { word: t("gitops/out-of-sync"), look: "missing", detail: drifted === 0 ? "" : t("gitops/count-objects", { count: drifted }) };
}

function notCompared({ driftIgnored }: GitopsSync): string {
  return driftIgnored ? t("gitops/not-compared") : "";
}

function ofObjects(failed: number, objects: number): string {
  return t("gitops/of-objects", { failed, objects });
}

/** The sync that is worst; `undefined` when there is none. */
export function worstSync({ syncs }: Gitops): GitopsSync | undefined {
  return syncs.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
}

function rankOf(sync: GitopsSync): number {
  let { state } = sync;
  if (sync.outcomeUnknown && state !== GitopsState.APPLYING) state = GitopsState.UNSPECIFIED;
  if (state === GitopsState.SYNCED && sync.drifted > 0) state = GitopsState.OUT_OF_SYNC;
  if (state === GitopsState.SYNCED && sync.failed > 0) state = GitopsState.FAILED;
  const rank = WORST_FIRST.indexOf(state);
  const isWell = sync.pruneHeld === "" && sourceWord(sync) === "";
  // One of which something is held back, or that gets no more news, comes before one that is all well.
  return (rank < 0 ? WORST_FIRST.indexOf(GitopsState.UNSPECIFIED) : rank) - (isWell ? 0 : 0.5);
}

/** Of when a sync is known to stand so, in milliseconds since the epoch: when its agent reported it, at the latest when it was last read. */
export function knownAtMs({ asOf }: Pick<SyncStatus, "asOf">, { reportedAt }: GitopsSync): number | undefined {
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

/** How long a sync took, and in how many waves; empty while that is not known. */
export function courseWords({ startedAt, finishedAt, waves }: GitopsSync): string {
  if (startedAt === undefined || finishedAt === undefined) return "";
  const tookMs = millisOf(finishedAt) - millisOf(startedAt);
  const took = tookMs < 1_000 ? t("gitops/under-a-second") : formatAge(0, tookMs);
  return t("gitops/took", { took, waves: waves > 1 ? waves : undefined });
}

/** When a newer commit is looked for next; empty when that is not known. */
export function nextLookWords({ pollPeriod }: GitopsSync): string {
  return pollPeriod === undefined ? "" : t("gitops/next-sync-within", { age: formatAge(0, Number(pollPeriod.seconds) * 1_000) });
}

/** States of a sync that has read its manifests: of these, no object is none. */
const IS_COUNTED: readonly GitopsState[] = [GitopsState.SYNCED, GitopsState.OUT_OF_SYNC, GitopsState.PAUSED, GitopsState.TRIED];

/** How many objects there are: of a commit whose own were not read, those of the one before; never a number that is not known. */
export function objectsWords({ state, objects, appliedObjects, appliedSha, sha }: GitopsSync): string {
  if (objects > 0 || IS_COUNTED.includes(state)) return String(objects);
  const commit = sha === appliedSha ? "" : sha.slice(0, 8);
  const isRefused = state === GitopsState.INVALID && commit !== "";
  if (appliedObjects === undefined || appliedSha === "")
    return isRefused ? tLater("gitops/objects-not-known", { refused: commit }) : tLater("gitops/not-known");
  const known = { count: appliedObjects, applied: appliedSha.slice(0, 8) };
  if (isRefused) return tLater("gitops/applied-and-refused", { ...known, refused: commit });
  if (state === GitopsState.FAILED && commit !== "") return tLater("gitops/applied-and-not-applied", { ...known, commit });
  return tLater("gitops/objects-of-applied", known);
}

/** "2 commits wait, of Nina and Otto"; empty while that is not known, or none waits. */
export function waitingWords({ waitingCommits = 0, moreWaiting, waitingAuthors }: GitopsSync): string {
  if (waitingCommits === 0) return "";
  const authors = waitingAuthors.slice(0, 3).join(", ");
  return tLater(moreWaiting ? "gitops/more-commits-wait" : "gitops/commits-wait", { count: waitingCommits, authors });
}
