import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  ConfigurationErrorSchema,
  ConnectionSchema,
  ConnectionState,
  ProblemKind,
  ProblemSchema,
  SettledState,
  SourceSchema,
  type Connection,
  type Problem,
  type Snapshot,
} from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted, words } from "@binnacle/words";
import { EMPTY } from "./fixture-problems.ts";

type State = Partial<Omit<Snapshot, "$typeName" | "$unknown">>;

const AWAY_MS = 4 * 60_000;
/** Environments that were never read. */
export const UNREAD = new Set(["never-connected"]);

/** What of a snapshot is as it is because the environment is called so; all else is that of one that is well. */
export function stateOf(name: string, nowMs: number): State {
  return { connection: connectionOf(name, nowMs), ...STATES[name]?.(nowMs) };
}

const STATES: Readonly<Record<string, (nowMs: number) => State>> = {
  misconfigured: () => ({
    configurationError: create(ConfigurationErrorSchema, { reason: "user_access.projects: expected a list", lastGoodCommit: "4f2c91e" }),
  }),
  empty: () => ({ empty: EMPTY }),
  "never-connected": () => ({ complete: false }),
  kept: (nowMs) => ({ asOf: timestampFromMs(nowMs - AWAY_MS) }),
  truncated: () => ({
    sources: [
      create(SourceSchema, {
        resource: "pods",
        kind: "Pod",
        version: "v1",
        namespace: "shop-prod",
        settled: SettledState.TRUNCATED,
        shown: 9_962,
        total: 10_000,
        words: toWordsMessage(words("source/too-many")),
        countsForHealth: true,
      }),
    ],
  }),
};

const CONNECTIONS: Readonly<Record<string, ConnectionState>> = {
  offline: ConnectionState.AGENT_OFFLINE,
  kept: ConnectionState.AGENT_OFFLINE,
  reconnecting: ConnectionState.RECONNECTING,
  "never-connected": ConnectionState.AGENT_NEVER_CONNECTED,
  "api-down": ConnectionState.API_DOWN,
};

function connectionOf(name: string, nowMs: number): Connection {
  return create(ConnectionSchema, {
    state: CONNECTIONS[name] ?? ConnectionState.CONNECTED,
    since: timestampFromMs(nowMs - AWAY_MS),
    ...(name === "api-down" ? { words: toWordsMessage(quoted("dial tcp 10.0.0.1:443: connect: connection refused")) } : {}),
  });
}

/** What comes after the snapshot because the environment is called so. */
export function problemAfter(name: string): Problem | undefined {
  return name === "session-ended"
    ? create(ProblemSchema, { kind: ProblemKind.UNAUTHENTICATED, words: toWordsMessage(words("problem/session-ended")) })
    : undefined;
}
