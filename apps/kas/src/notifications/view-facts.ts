import { create } from "@bufbuild/protobuf";
import { HealthStatus } from "@binnacle/proto/dashboard";
import { NodeSummarySchema, ScopeSummarySchema, ViewGap, ViewSpecSchema, type ViewSpec } from "@binnacle/proto/kas-views";
import { readMessage } from "@binnacle/proto/read-message";
import { Backoff, Fault, sleep, type Clock, type Module } from "@binnacle/rpc";

import { entryChanges } from "../views/entry-changes.ts";
import type { ViewHub } from "../views/view-hub.ts";
import type { LastSent } from "./last-sent.ts";
import { notificationOf, type EnvironmentStatus, type Fact, type Notification } from "./notification.ts";

/** An environment whose changes are sent. */
interface WatchedEnvironment {
  /** As receivers know it. */
  readonly name: string;
  readonly agentId: bigint;
  /** Empty: the whole cluster. */
  readonly namespaces: readonly string[];
}

/** Options of `viewFacts`. */
export interface ViewFactsOptions {
  readonly hub: ViewHub;
  readonly environments: readonly WatchedEnvironment[];
  /** Agents whose nodes are counted. */
  readonly nodesOf: readonly bigint[];
  readonly clock: Clock;
  /** The last state that any kas sent. */
  readonly lastSent: LastSent;
  readonly tell: (notification: Notification) => void;
}

/** Key of the one entry of both views. */
const SUMMARY = "summary";
/** An agent that does not offer its views may some day. */
const PACE = { initialMs: 1_000, maxMs: 300_000 };

const STATUS: Partial<Record<HealthStatus, EnvironmentStatus>> = {
  [HealthStatus.HEALTHY]: "healthy",
  [HealthStatus.PROGRESSING]: "progressing",
  [HealthStatus.DEGRADED]: "degraded",
  [HealthStatus.SUSPENDED]: "suspended",
  [HealthStatus.MISSING]: "missing",
  [HealthStatus.UNKNOWN]: "unknown",
};

/** A view, and how its content becomes a fact. */
interface Watched {
  readonly agentId: bigint;
  /** Its topic in `LastSent`. */
  readonly what: string;
  readonly spec: ViewSpec;
  /** The present state, and the notification for a change to it; undefined: unknown now. */
  readonly read: (value: Uint8Array) => { readonly word: string; readonly fact: (before: string) => Fact } | undefined;
}

/**
 * Sends changes of the health of environments and of the number of nodes of clusters: a permanent subscriber of the agent's views, as the agent
 * itself, for each that the operator has named. The first known state is recorded and not sent.
 */
export function viewFacts(options: ViewFactsOptions): Module {
  const watched = [...options.environments.map(environment), ...options.nodesOf.map(nodes)];
  return {
    name: "notifications of views",
    run: async (signal) => {
      await Promise.all(watched.map((each) => follow(each, options, signal)));
    },
    close: async () => undefined,
  };
}

async function follow(watched: Watched, { hub, clock, lastSent, tell }: ViewFactsOptions, signal: AbortSignal): Promise<void> {
  const { agentId, what, spec, read } = watched;
  const backoff = new Backoff(PACE);
  let last: string | undefined;
  while (!signal.aborted) {
    try {
      for await (const { value } of entryChanges(hub, { access: { agentId, signal }, spec, key: SUMMARY })) {
        backoff.reset();
        const now = value && read(value);
        if (now === undefined || now.word === last) continue;
        last = now.word;
        const before = await lastSent.swap(what, now.word);
        if (before === undefined || before === now.word) continue;
        tell(notificationOf(now.fact(before), clock.now(), [before, now.word, String(clock.now())]));
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
    await sleep(clock, backoff.nextMs(), signal);
  }
}

function environment({ name, agentId, namespaces }: WatchedEnvironment): Watched {
  return {
    agentId,
    what: `health:${agentId}:${name}`,
    spec: create(ViewSpecSchema, { view: { case: "summary", value: { scope: { namespaces: [...namespaces] } } } }),
    read: (value) => {
      const summary = readMessage(ScopeSummarySchema, value);
      if (summary === undefined) return undefined;
      const { gap, health, workloads, workloadsReady, staleSince } = summary;
      const status = health && STATUS[health.status];
      // A gap or stale content is no change.
      if (gap !== ViewGap.UNSPECIFIED || status === undefined || staleSince !== undefined) return undefined;
      const issues = health?.issuesTotal ?? 0;
      return {
        word: status,
        fact: (before) => ({
          type: "environment_health_changed",
          agent_id: Number(agentId),
          environment: name,
          status,
          // It was one of these words.
          before: before as EnvironmentStatus,
          issues,
          workloads,
          workloads_ready: workloadsReady,
        }),
      };
    },
  };
}

function nodes(agentId: bigint): Watched {
  return {
    agentId,
    what: `nodes:${agentId}`,
    spec: create(ViewSpecSchema, { view: { case: "nodes", value: {} } }),
    read: (value) => {
      const summary = readMessage(NodeSummarySchema, value);
      if (summary === undefined) return undefined;
      const { gap, count, ready, staleSince } = summary;
      if (gap !== ViewGap.UNSPECIFIED || staleSince !== undefined) return undefined;
      return {
        word: `${count} ${ready}`,
        fact: (before) => {
          const [countBefore = 0, readyBefore = 0] = before.split(" ").map(Number);
          return {
            type: "node_count_changed",
            agent_id: Number(agentId),
            nodes: count,
            ready,
            nodes_before: countBefore,
            ready_before: readyBefore,
          };
        },
      };
    },
  };
}
