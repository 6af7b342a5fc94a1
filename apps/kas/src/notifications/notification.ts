import { createHash } from "node:crypto";

import { GitopsSyncState, type GitopsSync } from "@binnacle/proto/kas-gitops";

/** What happened, in ids, closed words and counts: no text of a cluster or of Git has a place in it. */
export type Fact =
  | { readonly type: "agent_connected" | "agent_disconnected"; readonly agent_id: number; readonly project_id: number }
  | {
      readonly type: "configuration_applied" | "configuration_refused";
      readonly agent_id: number;
      readonly project_id: number;
      readonly commit_id: string | null;
    }
  | {
      readonly type: "sync_finished";
      readonly agent_id: number;
      readonly manifest_project_id: number | null;
      readonly commit_id: string | null;
      readonly status: SyncStatus;
      readonly objects: number;
      readonly failed: number;
      readonly drifted: number;
    }
  | {
      readonly type: "environment_health_changed";
      readonly agent_id: number;
      /** As the configuration of kas names it. */
      readonly environment: string;
      readonly status: EnvironmentStatus;
      readonly before: EnvironmentStatus;
      readonly issues: number;
      readonly workloads: number;
      readonly workloads_ready: number;
    }
  | {
      readonly type: "node_count_changed";
      readonly agent_id: number;
      readonly nodes: number;
      readonly ready: number;
      readonly nodes_before: number;
      readonly ready_before: number;
    };

/** Health of an environment. */
export type EnvironmentStatus = "healthy" | "progressing" | "degraded" | "suspended" | "missing" | "unknown";

/** A fact as receivers get it; docs/design/notifications.md. */
export type Notification = { readonly version: 1; readonly id: string; readonly occurred_at: string } & Fact;

type SyncStatus = "synced" | "failed" | "invalid" | "tried" | "interrupted" | "out_of_sync";

const FINISHED: Partial<Record<GitopsSyncState, SyncStatus>> = {
  [GitopsSyncState.SYNCED]: "synced",
  [GitopsSyncState.FAILED]: "failed",
  [GitopsSyncState.INVALID]: "invalid",
  [GitopsSyncState.TRIED]: "tried",
  [GitopsSyncState.INTERRUPTED]: "interrupted",
  [GitopsSyncState.OUT_OF_SYNC]: "out_of_sync",
};

/** @param parts what identifies the fact: each kas that sends it gives it the same id */
export function notificationOf(fact: Fact, atMs: number, parts: readonly string[]): Notification {
  const id = createHash("sha256")
    .update(JSON.stringify([fact.type, fact.agent_id, ...parts]))
    .digest("base64url");
  return { version: 1, id, occurred_at: new Date(atMs).toISOString(), ...fact };
}

/** The commit ID comes from an agent, so text that is not shaped like one is not sent. */
export function commitIdOf(text: string | undefined): string | null {
  return text !== undefined && /^(?:[\da-f]{40}|[\da-f]{64})$/.test(text) ? text : null;
}

/** The end of a sync that an agent reported; undefined while it runs or is paused. Each report results in the same id. */
export function syncNotificationOf(agentId: bigint, sync: GitopsSync, atMs: number): Notification | undefined {
  const status = FINISHED[sync.state];
  if (status === undefined) return undefined;
  const { project, commitId, finishedAt, projectId, objects, failed, drifted } = sync;
  const fact: Fact = {
    type: "sync_finished",
    agent_id: Number(agentId),
    manifest_project_id: projectId === 0n ? null : Number(projectId),
    commit_id: commitIdOf(commitId),
    status,
    objects,
    failed,
    drifted,
  };
  return notificationOf(fact, atMs, [project, commitId, status, String(finishedAt?.seconds ?? ""), String(finishedAt?.nanos ?? "")]);
}
