import { randomUUID } from "node:crypto";

import type { ActionFields, ActionLog, Actor, EndedActionFields } from "@binnacle/environment-view";
import type { Clock } from "@binnacle/rpc";
import type { AuditedAction, AuditRecord } from "@binnacle/telemetry/audit";

/** Takes records and never waits: `AuditLog`, or nothing. */
export interface AuditSink {
  add(record: AuditRecord): void;
}

/** For a dashboard whose audit is switched off. */
export const NO_AUDIT: AuditSink = { add: () => undefined };

/** Who does something, and where. */
export interface AuditedBy {
  readonly actor: Actor;
  readonly agentId: bigint;
}

/** What records are written with. */
export interface AuditContext {
  /** Where what viewers do is recorded. */
  readonly audit: AuditSink;
  readonly clock: Clock;
}

/** Records an event of a viewer: what of an action, a terminal or a read of logs the fields say. */
export function recordEvent(
  { audit, clock }: AuditContext,
  { actor, agentId }: AuditedBy,
  fields: Pick<AuditRecord, "event" | "action"> & Partial<AuditRecord>,
): void {
  const who = { principal: { kind: "user", username: actor.viewer }, as: actor.clusterUser, agentId } as const;
  audit.add({ atMs: clock.now(), requestId: randomUUID(), ...who, ...fields });
}

/** Takes what `act` writes of an action: one record, when it has ended. */
export function actionAudit(context: AuditContext, agentId: bigint): ActionLog {
  const take = (fields: ActionFields | EndedActionFields): void => {
    if ("outcome" in fields) addAction(context, { agentId, fields });
  };
  return { info: take, warn: take };
}

function addAction(context: AuditContext, { agentId, fields }: { readonly agentId: bigint; readonly fields: EndedActionFields }): void {
  const { viewer, cluster_user: clusterUser, cluster, verb, group, resource, subresource, namespace, name, purpose } = fields;
  const action: AuditedAction = { verb, apiGroup: group, resource, namespace, name, ...(subresource !== undefined && { subresource }) };
  const { request_id: requestId = fields.action_id, ...rest } = purpose ?? {};
  recordEvent(
    context,
    { actor: { viewer, clusterUser, cluster }, agentId },
    {
      event: "complete",
      requestId,
      action,
      purpose: { ...rest, cluster },
      dryRun: fields.dry_run,
      outcome: fields.outcome,
      durationMs: Math.round(fields.duration_ms),
      ...(fields.code !== undefined && { code: fields.code }),
      ...(fields.content_bytes !== undefined && { bytesIn: fields.content_bytes }),
    },
  );
}
