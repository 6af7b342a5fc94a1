import {
  DeliveryEventKind,
  DeliveryEventSchema,
  DeliveryInventorySchema,
  DeliverySchema,
  DeliveryState,
  DeploymentSchema,
  DeploymentSource,
  DriftStatusSchema,
  InventoryStatusSchema,
  LastDeploymentSchema,
  SyncStatusSchema,
  type Delivery as DeliveryMessage,
  type DeliveryEvent,
  type Deployment,
  DriftedFieldSchema,
  DriftedObjectSchema,
  KeptFieldSchema,
  ProjectDriftSchema,
  type ProjectDrift,
} from "@binnacle/proto/dashboard";
import { GitopsSyncState } from "@binnacle/proto/kas-gitops";
import { timeField } from "@binnacle/proto/wire-values";
import { toWordsMessage } from "@binnacle/proto/words";
import { words, type Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import { valueOf, type Delivery, type Inventory, type Member } from "./delivery.ts";
import { deliveryIssues } from "./delivery-issues.ts";
import type { DeliveryHistory, SyncRun } from "./delivery-journal.ts";
import type { DeployedCommit } from "../main-application/records.ts";
import type { ProjectDrift as Drift } from "./drift.ts";
import { toGitops, toGitopsState } from "./to-gitops.ts";
import { TOOL } from "./to-tool-sync.ts";

/** Entries of the history that are sent. */
const MAX_EVENTS = 40;
const STATE = {
  known: DeliveryState.KNOWN,
  none: DeliveryState.NONE,
  unknown: DeliveryState.UNKNOWN,
  forbidden: DeliveryState.FORBIDDEN,
} as const;
const SOURCE = { ci: DeploymentSource.CI, gitops: DeploymentSource.GITOPS } as const;

/** Objects of one project, and fields of one object, that are sent. */
const MAX_OBJECTS = 50;
const MAX_FIELDS = 20;
const MAX_KEPT = 100;

/** Converts a delivery. @param history what it did lately; absent: it is not shown */
export function toDelivery({ lastDeployment, sync, drift, inventory }: Delivery, history?: DeliveryHistory): DeliveryMessage {
  const [deployed, gitops] = [valueOf(lastDeployment), valueOf(sync)];
  return create(DeliverySchema, {
    lastDeployment: create(LastDeploymentSchema, { ...stateOf(lastDeployment), ...(deployed && { value: toDeployment(deployed) }) }),
    sync: create(SyncStatusSchema, { ...stateOf(sync), ...(gitops && { value: toGitops(gitops) }) }),
    drift: create(DriftStatusSchema, { ...stateOf(drift), projects: (valueOf(drift) ?? []).map(toProjectDrift) }),
    inventory: create(InventoryStatusSchema, { ...stateOf(inventory), inventories: (valueOf(inventory) ?? []).map(toInventory) }),
    issues: [...deliveryIssues(sync)],
    history: history === undefined ? [] : [...toEvents(history)],
  });
}

function stateOf(member: Member<unknown>) {
  const state = STATE[member.state];
  if (member.state === "known") return { state, ...timeField("since", member.sinceMs) };
  if (member.state !== "unknown") return { state };
  return { state, ...timeField("asOf", member.asOfMs), ...timeField("since", member.sinceMs), why: toWordsMessage(member.why) };
}

/** Converts a deployment. */
export function toDeployment({ source, atMs, byTool, isTag, ...texts }: DeployedCommit): Deployment {
  const by = byTool && { tool: TOOL[byTool.tool], toolObject: byTool.object, repository: byTool.repository };
  const { sha, ref, title, commitUrl, author, byUsername, byName, job, jobUrl } = texts;
  const sent = { sha, ref, title, commitUrl, author, byUsername, byName, job, jobUrl };
  return create(DeploymentSchema, { ...sent, tag: isTag, source: SOURCE[source], ...timeField("at", atMs), ...by });
}

function toInventory({ project, id, namespace, name, appliedSha, appliedAtMs, objects }: Inventory) {
  const counted = objects === undefined ? {} : { objects };
  return create(DeliveryInventorySchema, { project, id, namespace, name, appliedSha, ...counted, ...timeField("appliedAt", appliedAtMs) });
}

/** Newest first. A deployment without a time has no place in it, and one by a sync whose end is there is part of that entry. */
function toEvents({ deployments, runs }: DeliveryHistory): readonly DeliveryEvent[] {
  const synced = new Set(runs.filter(({ state }) => state === GitopsSyncState.SYNCED).map(({ sha }) => sha));
  const deployed = deployments.flatMap((each) =>
    each.atMs === undefined || synced.has(each.sha) ? [] : [{ atMs: each.atMs, event: deployedEvent(each) }],
  );
  const ran = runs.flatMap((run) => [
    { atMs: run.startedAtMs, event: startedEvent(run) },
    ...(run.finishedAtMs === undefined ? [] : [{ atMs: run.finishedAtMs, event: endedEvent(run) }]),
  ]);
  return [...deployed, ...ran]
    .toSorted((a, b) => b.atMs - a.atMs)
    .slice(0, MAX_EVENTS)
    .map(({ event }) => event);
}

function deployedEvent({ sha, commitUrl, author, title, atMs }: DeployedCommit): DeliveryEvent {
  const text = words("delivery-event/deployed", { commit: shortOf(sha), author, title });
  const fields = { kind: DeliveryEventKind.DEPLOYED, sha, commitUrl, author, title, words: toWordsMessage(text) };
  return create(DeliveryEventSchema, { ...fields, ...timeField("at", atMs) });
}

function startedEvent(run: SyncRun): DeliveryEvent {
  const { sha, commitUrl, author, title, project, startedAtMs } = run;
  const text = words("delivery-event/sync-started", { project, commit: shortOf(sha), author });
  const fields = { kind: DeliveryEventKind.SYNC_STARTED, sha, commitUrl, author, title, project, words: toWordsMessage(text) };
  return create(DeliveryEventSchema, { ...fields, ...timeField("at", startedAtMs) });
}

function endedEvent(run: SyncRun): DeliveryEvent {
  const { sha, commitUrl, author, title, project, state, finishedAtMs } = run;
  const result = toGitopsState(state);
  const fields = {
    kind: DeliveryEventKind.SYNC_ENDED,
    sha,
    commitUrl,
    author,
    title,
    project,
    result,
    words: toWordsMessage(endWords(run)),
  };
  return create(DeliveryEventSchema, { ...fields, ...timeField("at", finishedAtMs) });
}

function endWords({ project, sha, author, state, objects, failed }: SyncRun): Words {
  const facts = { project, commit: shortOf(sha), author };
  switch (state) {
    case GitopsSyncState.SYNCED:
      return words("delivery-event/synced", { ...facts, objects });
    case GitopsSyncState.FAILED:
      return words("delivery-event/sync-failed", failed === 0 ? facts : { ...facts, failed, objects });
    case GitopsSyncState.INVALID:
      return words("delivery-event/sync-refused", facts);
    case GitopsSyncState.INTERRUPTED:
      return words("delivery-event/sync-interrupted", facts);
    default:
      return words("delivery-event/sync-ended", facts);
  }
}

function shortOf(sha: string): string {
  return sha.slice(0, 8);
}

/** Converts the drift of a project. */
function toProjectDrift({ project, isIgnored, objects, compared, unknown, kept }: Drift): ProjectDrift {
  return create(ProjectDriftSchema, {
    project,
    ignored: isIgnored,
    compared,
    unknown,
    total: objects.length,
    objects: objects.slice(0, MAX_OBJECTS).map(({ key, kind, fields, unnamed, reason }) =>
      create(DriftedObjectSchema, {
        ...key,
        reason,
        gone: kind === "gone",
        fields: fields
          .slice(0, MAX_FIELDS)
          .map(({ field, manager, atMs }) => create(DriftedFieldSchema, { field, manager, ...timeField("at", atMs) })),
        moreFields: unnamed + Math.max(0, fields.length - MAX_FIELDS),
      }),
    ),
    kept: kept
      .slice(0, MAX_KEPT)
      .map(({ key, field, user, isVerified, sinceMs }) =>
        create(KeptFieldSchema, { ...key, field, user, verified: isVerified, ...timeField("since", sinceMs) }),
      ),
  });
}
