import type { ViewConnection, ViewSource, ViewStaleness } from "@binnacle/environment-view";
import {
  ConnectionSchema,
  ConnectionState,
  SettledState,
  SourceSchema,
  StaleCause,
  type Connection,
  type EnvironmentHealth,
  type IssueGroup,
  type Source,
} from "@binnacle/proto/dashboard";
import { durationField, timeField, toTimestamp, toUint32 } from "@binnacle/proto/wire-values";
import { create } from "@bufbuild/protobuf";

import { toSentWords } from "../base/sent-words.ts";

const SETTLED = {
  live: SettledState.LIVE,
  forbidden: SettledState.FORBIDDEN,
  unserved: SettledState.UNSERVED,
  truncated: SettledState.TRUNCATED,
  error: SettledState.ERROR,
} as const satisfies Record<NonNullable<ViewSource["settled"]>, SettledState>;

const STALE = {
  way: StaleCause.WAY,
  error: StaleCause.ERROR,
  sampled: StaleCause.SAMPLED,
} as const satisfies Record<ViewStaleness["cause"], StaleCause>;

const CONNECTION = {
  connecting: ConnectionState.CONNECTING,
  connected: ConnectionState.CONNECTED,
  reconnecting: ConnectionState.RECONNECTING,
  agent_offline: ConnectionState.AGENT_OFFLINE,
  kas_unreachable: ConnectionState.KAS_UNREACHABLE,
  api_down: ConnectionState.API_DOWN,
} as const satisfies Record<ViewConnection["state"], ConnectionState>;

/** A source for the wire. */
export function toSource(source: ViewSource): Source {
  return create(SourceSchema, {
    group: source.group,
    version: source.version,
    resource: source.resource,
    kind: source.kind,
    namespace: source.namespace,
    settled: source.settled === undefined ? SettledState.UNSPECIFIED : SETTLED[source.settled],
    ...timeField("asOf", source.asOfMs),
    shown: toUint32(source.shown),
    total: toUint32(source.total),
    ...(source.words && { words: toSentWords(source.words) }),
    ...timeField("retryAt", source.retryAtMs),
    countsForHealth: source.countsForHealth,
    ...staleFields(source.stale),
  });
}

function staleFields(
  stale: ViewStaleness | undefined,
): Partial<Pick<Source, "staleCause" | "staleWords" | "staleSince" | "every">> | undefined {
  if (stale === undefined) return undefined;
  const { sinceMs, cause, words, everyMs } = stale;
  return { staleSince: toTimestamp(sinceMs), staleCause: STALE[cause], staleWords: toSentWords(words), ...durationField("every", everyMs) };
}

/** Members that are named where all issues of many environments are listed: as many as a title names. */
const INDEX_MEMBERS = 3;
const INDEX_KINDS = 8;

/** The roll-up for a row of the index: the first issue with its first member, and the numbers of all. */
export function toRowHealth(health: EnvironmentHealth): EnvironmentHealth {
  return { ...health, issues: health.issues.slice(0, 1).map((issue) => withoutChain(issue, 1)), uncounted: [] };
}

/** The roll-up for a row whose issues are listed beside those of others: all, without how they came to it. */
export function toListedHealth(health: EnvironmentHealth): EnvironmentHealth {
  return { ...health, issues: health.issues.map((issue) => withoutChain(issue, INDEX_MEMBERS)), uncounted: [] };
}

function withoutChain(issue: IssueGroup, members: number): IssueGroup {
  const short = { ...issue, members: issue.members.slice(0, members), kinds: issue.kinds.slice(0, INDEX_KINDS) };
  delete short.why;
  return short;
}

/** A connection whose time may be unknown. */
export type KnownConnection = Omit<ViewConnection, "sinceMs"> & { readonly sinceMs?: number | undefined };

/** The connection for the wire; an offline agent that never connected has a state of its own. */
export function toConnection(connection: KnownConnection, neverConnected: boolean): Connection {
  const offline = connection.state === "agent_offline" && neverConnected;
  return create(ConnectionSchema, {
    state: offline ? ConnectionState.AGENT_NEVER_CONNECTED : CONNECTION[connection.state],
    ...timeField("since", connection.sinceMs),
    ...(connection.words && { words: toSentWords(connection.words) }),
  });
}
