import type {
  ViewCause,
  ViewConnection,
  ViewDelta,
  ViewEdge,
  ViewEnvironmentHealth,
  ViewHealth,
  ViewHealthStatus,
  ViewNode,
  ViewSource,
} from "@binnacle/environment-view";
import {
  CauseSchema,
  ConnectionSchema,
  ConnectionState,
  DeltaSchema,
  EdgeSchema,
  EnvironmentHealthSchema,
  HealthStatus,
  ManagedBySchema,
  NodeSchema,
  NoticeSchema,
  Presence,
  ResourceHealthSchema,
  SourceSchema,
  SourceState,
  type Cause,
  type Connection,
  type Delta,
  type Edge,
  type EnvironmentHealth,
  type Node,
  type ResourceHealth,
  type Source,
} from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";

import { toWhy } from "./why-to-proto.ts";
import { HEALTH, timeField, toRef } from "./wire-fields.ts";

const PRESENCE = {
  present: Presence.PRESENT,
  missing: Presence.MISSING,
  not_visible: Presence.NOT_VISIBLE,
} as const satisfies Record<ViewNode["presence"], Presence>;

const SOURCE = {
  loading: SourceState.LOADING,
  live: SourceState.LIVE,
  stale: SourceState.STALE,
  forbidden: SourceState.FORBIDDEN,
  unserved: SourceState.UNSERVED,
  truncated: SourceState.TRUNCATED,
  error: SourceState.ERROR,
} as const satisfies Record<ViewSource["state"], SourceState>;

const CONNECTION = {
  connecting: ConnectionState.CONNECTING,
  connected: ConnectionState.CONNECTED,
  reconnecting: ConnectionState.RECONNECTING,
  agent_offline: ConnectionState.AGENT_OFFLINE,
} as const satisfies Record<ViewConnection["state"], ConnectionState>;

/** A node for the wire. */
export function toNode(node: ViewNode): Node {
  const { health, worstBelow } = node;
  return create(NodeSchema, {
    id: node.id,
    ref: toRef(node.ref),
    presence: PRESENCE[node.presence],
    ...(health === undefined ? {} : { health: toHealth(health) }),
    worstBelow: worstBelow === undefined ? HealthStatus.UNSPECIFIED : HEALTH[worstBelow],
    fact: node.fact,
    ownerId: node.ownerId,
    ready: node.ready,
    wanted: node.wanted,
    ...timeField("createdAt", node.createdAt),
    ...timeField("deletingSince", node.deletingSince),
    externalUrl: node.externalUrl,
    superseded: node.superseded,
    restarts: node.restarts,
    images: [...node.images],
    generated: node.generated,
    notices: node.notices.map((notice) => create(NoticeSchema, notice)),
    ...(node.managedBy === undefined ? {} : { managedBy: create(ManagedBySchema, node.managedBy) }),
  });
}

/** An edge for the wire. */
export function toEdge(edge: ViewEdge): Edge {
  return create(EdgeSchema, { ...edge, fieldPaths: [...edge.fieldPaths] });
}

/** A source for the wire. */
export function toSource(source: ViewSource): Source {
  return create(SourceSchema, {
    group: source.group,
    version: source.version,
    resource: source.resource,
    kind: source.kind,
    namespace: source.namespace,
    state: SOURCE[source.state],
    ...(source.asOfMs === undefined ? {} : { asOf: timestampFromMs(source.asOfMs) }),
    shown: source.shown,
    total: source.total,
    message: source.message,
    ...(source.retryAtMs === undefined ? {} : { retryAt: timestampFromMs(source.retryAtMs) }),
    countsForHealth: source.countsForHealth,
  });
}

/** The roll-up for the wire. */
export function toEnvironmentHealth(health: ViewEnvironmentHealth): EnvironmentHealth {
  const statuses = Object.keys(HEALTH) as ViewHealthStatus[]; // HEALTH has exactly these keys.
  return create(EnvironmentHealthSchema, {
    status: health.status === undefined ? HealthStatus.UNSPECIFIED : HEALTH[health.status],
    partial: health.partial,
    reason: health.reason,
    message: health.message,
    counts: statuses.flatMap((status) => {
      const count = health.counts[status] ?? 0;
      return count > 0 ? [{ status: HEALTH[status], count }] : [];
    }),
    causes: health.causes.map(toCause),
    hidden: [...health.hidden],
  });
}

/** The connection for the wire; an offline agent that never connected has a state of its own. */
export function toConnection(connection: ViewConnection, neverConnected: boolean): Connection {
  const offline = connection.state === "agent_offline" && neverConnected;
  return create(ConnectionSchema, {
    state: offline ? ConnectionState.AGENT_NEVER_CONNECTED : CONNECTION[connection.state],
    since: timestampFromMs(connection.sinceMs),
    message: connection.message,
  });
}

/** A delta for the wire, without what the view does not know. */
export function toDelta(delta: ViewDelta, neverConnected: boolean): Delta {
  return create(DeltaSchema, {
    upsertedNodes: delta.upsertedNodes.map(toNode),
    removedNodes: [...delta.removedNodes],
    upsertedEdges: delta.upsertedEdges.map(toEdge),
    removedEdges: [...delta.removedEdges],
    upsertedSources: delta.upsertedSources.map(toSource),
    removedSources: [...delta.removedSources],
    ...(delta.health === undefined ? {} : { health: toEnvironmentHealth(delta.health) }),
    ...(delta.connection === undefined ? {} : { connection: toConnection(delta.connection, neverConnected) }),
    complete: delta.complete ?? false,
  });
}

function toHealth(health: ViewHealth): ResourceHealth {
  return create(ResourceHealthSchema, {
    status: HEALTH[health.status],
    reason: health.reason,
    message: health.message,
    ...timeField("since", health.since),
    stale: health.stale,
    causes: health.causes.map(toCause),
    ...(health.why === undefined ? {} : { why: toWhy(health.why) }),
    rule: health.rule,
  });
}

function toCause(cause: ViewCause): Cause {
  return create(CauseSchema, {
    nodeId: cause.nodeId,
    ref: toRef(cause.ref),
    status: HEALTH[cause.status],
    reason: cause.reason,
    message: cause.message,
    ...timeField("since", cause.since),
    ...(cause.why === undefined ? {} : { why: toWhy(cause.why) }),
  });
}
