import { PAUSED, PAUSED_REASON, PRUNE_CONSENT, SYNC_REQUESTED, textAt, type KubeObject } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import { annotationsFor, isFullCommit, isHeldFor, type SyncRequestName } from "../syncs/gitops-intent.ts";
import type { ActionName, ActionPlan, PlannedAction, PlannedObject, PlannedRequest } from "./action-plan.ts";
import { targetOf } from "./field-plans.ts";

/** Requests of a sync by their actions. */
const REQUESTS: Partial<Readonly<Record<ActionName, SyncRequestName>>> = {
  sync: "sync",
  "pause-syncs": "pause",
  "resume-syncs": "resume",
  "consent-prune": "consent",
};

/** Whether syncs of an inventory are paused, as agentk reads its annotation. */
export function isPaused({ metadata }: KubeObject): boolean {
  return textAt(metadata.annotations, PAUSED) === "true";
}

/** One annotation of an inventory is written, which agentk reads; `AskGitops` writes the same. */
export function planSync({ kind, object, sync }: PlannedObject, { name, parameters, requestedAtMs }: PlannedRequest): PlannedAction {
  const request = REQUESTS[name];
  if (request === undefined || sync === undefined) return { refused: words("action/not-for-kind", { kind: kind.kind }) };
  const { commit = "", reason = "" } = parameters;
  if (request === "consent" && !(isFullCommit(commit) && isHeldFor(sync, commit))) return { refused: words("gitops/nothing-held") };
  if (request === "sync" && isPaused(object)) return { refused: words("action/syncs-paused") };
  const annotations = annotationsFor(request, { atMs: requestedAtMs, commit, reason });
  if (annotations === undefined) return { refused: words("action/reason-invalid") };
  const field = FIELDS[request];
  return {
    field: {
      path: `metadata.annotations[${field.annotation}]`,
      before: field.isSwitch ? String(isPaused(object)) : textAt(object.metadata.annotations, field.annotation) || undefined,
      after: field.isSwitch ? String(request === "pause") : (annotations[field.annotation] ?? ""),
    },
    target: targetOf(kind, object),
    change: { verb: "patch", type: "merge", content: { metadata: { annotations } } },
    notes: request === "consent" ? [words("action/prune-consent", { held: sync.pruneHeld })] : [...field.notes],
    ...undoOf(request, object),
  };
}

interface SyncField {
  readonly annotation: string;
  /** It is on or off, and absent is off. */
  readonly isSwitch: boolean;
  readonly notes: readonly Words[];
}

const FIELDS: Readonly<Record<SyncRequestName, SyncField>> = {
  sync: { annotation: SYNC_REQUESTED, isSwitch: false, notes: [words("action/sync-begins")] },
  pause: { annotation: PAUSED, isSwitch: true, notes: [words("action/syncs-pause")] },
  resume: { annotation: PAUSED, isSwitch: true, notes: [words("action/syncs-resume")] },
  consent: { annotation: PRUNE_CONSENT, isSwitch: false, notes: [] },
};

/** Syncs that are paused again have the reason that they had. */
function undoOf(request: SyncRequestName, { metadata }: KubeObject): Pick<ActionPlan, "undo"> {
  if (request === "pause") return { undo: { name: "resume-syncs", parameters: {} } };
  const reason = textAt(metadata.annotations, PAUSED_REASON) || undefined;
  return request === "resume" ? { undo: { name: "pause-syncs", parameters: { reason } } } : {};
}
