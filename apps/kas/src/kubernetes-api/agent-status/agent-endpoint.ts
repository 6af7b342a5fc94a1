import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { create, toJsonString } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { ConnectedAgentInfo } from "@binnacle/proto/agent-tracker";
import { AgentReplicaSchema, AgentStatusSchema, type AgentConnection, type AgentReplica } from "@binnacle/proto/kas-agents";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { sleep, type Clock } from "@binnacle/rpc";

import type { ConfigurationErrors } from "../../agent-configuration/configuration-errors.ts";
import type { AgentTracker } from "../../agent-tracker/agent-tracker.ts";
import { lastEventMs, type ConnectionHistory } from "../../agent-tracker/connection-history.ts";
import type { CallerAccess } from "../access/caller-access.ts";
import { credentialOf } from "../access/proxy-credential.ts";
import { parseTarget } from "../access/proxy-target.ts";
import type { Exchange } from "../http/exchange.ts";
import { AGENT_READER_HEADER, type AgentReaderGate } from "./agent-reader-gate.ts";

/** Longest wait for another status: access is checked when a request begins. */
const MAX_WAIT_S = 30;
const MAX_WAITING = 2_000;
/** A hint of another kas may be lost; a process that connects there is seen this late at most. */
const POLL_MS = 5_000;

/** What the endpoint needs. */
export interface AgentEndpointOptions {
  readonly callers: Pick<CallerAccess, "handle" | "access">;
  readonly tracker: Pick<AgentTracker, "byAgent">;
  readonly history: Pick<ConnectionHistory, "of" | "onChange">;
  readonly errors: Pick<ConfigurationErrors, "get">;
  readonly clock: Clock;
  /** This kas, for people. */
  readonly kas: { readonly name: string; readonly version: string };
  /** Requests that wait at a time in this process: beyond that the status is answered at once. Default: 2,000. */
  readonly maxWaiting?: number;
  /** Begins and ends with a slash. */
  readonly pathPrefix: string;
  /** Absent: only users of the agent read its status. */
  readonly readers?: AgentReaderGate | undefined;
}

/**
 * `GET <prefix>binnacle/v1/agent` of the Kubernetes proxy: `kas.v1.AgentStatus` as JSON, for users of the agent with the credentials of any
 * request to the cluster, and for viewers of whom the dashboard asserts that the main application shows them the agent
 * (`AGENT_READER_HEADER`). It has an `ETag`: with `?wait=<seconds>` and `If-None-Match` the response waits, up to half a minute, until the
 * status changes, and is 304 when it stays the same. Measured latencies are not part of the tag.
 */
export class AgentEndpoint {
  readonly #options: AgentEndpointOptions;
  readonly #path: string;
  #waiting = 0;

  constructor(options: AgentEndpointOptions) {
    this.#options = options;
    this.#path = `${options.pathPrefix}binnacle/v1/agent`;
  }

  /** Answers a request that is for it. @returns false for any other request */
  intercept(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.url?.startsWith(this.#path) !== true) return false;
    const [path, query] = request.url.split("?", 2);
    if (path !== this.#path || request.method !== "GET") return false;
    const waitMs = Math.min(Math.max(0, Number(new URLSearchParams(query).get("wait") ?? 0) || 0), MAX_WAIT_S) * 1_000;
    void this.#options.callers.handle(request, response, async (exchange) => {
      const agentId = await this.#authorize(exchange);
      const known = request.headers["if-none-match"];
      const { body, etag } = await this.#otherThan(known, { agentId, waitMs, signal: exchange.signal });
      const headers = { ...exchange.headers, etag, "cache-control": "no-store" };
      const isSame = etag === known;
      exchange.audit.counts({ bytesIn: 0, bytesOut: isSame ? 0 : Buffer.byteLength(body) });
      if (isSame) response.writeHead(304, headers).end();
      else response.writeHead(200, { ...headers, "content-type": "application/json", "x-content-type-options": "nosniff" }).end(body);
    }); // never rejects
    return true;
  }

  /** @returns the agent whose status the caller may read. @throws ProxyRefusal, Fault `jwt_invalid` */
  async #authorize(exchange: Exchange): Promise<bigint> {
    const { callers, pathPrefix, readers } = this.#options;
    const { request, audit } = exchange;
    const target = parseTarget(request.url ?? "", pathPrefix);
    const action = { verb: "get", apiGroup: "binnacle", resource: "agents" };
    const assertion = request.headers[AGENT_READER_HEADER];
    if (readers === undefined || typeof assertion !== "string") return (await callers.access(exchange, target, action)).access.agentId;
    const { agentId } = credentialOf(request, target);
    const username = await readers.check(assertion, agentId);
    audit.accepted({ principal: { kind: "user", username }, agentId, action, isStream: false });
    audit.allowed(username);
    return agentId;
  }

  /** The status once it is another one than the caller knows, or what it is when the time is over. */
  async #otherThan(
    etag: string | undefined,
    { agentId, waitMs, signal }: { readonly agentId: bigint; readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<TaggedStatus> {
    const { history, clock, maxWaiting = MAX_WAITING } = this.#options;
    if (waitMs === 0 || this.#waiting >= maxWaiting) return this.#status(agentId);
    this.#waiting += 1;
    let changed = new AbortController();
    const unsubscribe = history.onChange(agentId, () => changed.abort());
    const over = new AbortController();
    const cancel = clock.after(waitMs, () => over.abort());
    try {
      for (;;) {
        changed = new AbortController();
        const status = await this.#status(agentId);
        if (status.etag !== etag || over.signal.aborted || signal.aborted) return status;
        await sleep(clock, POLL_MS, AbortSignal.any([signal, over.signal, changed.signal]));
      }
    } finally {
      this.#waiting -= 1;
      cancel();
      unsubscribe();
    }
  }

  async #status(agentId: bigint): Promise<TaggedStatus> {
    const { tracker, history, errors, kas } = this.#options;
    const [connected, past, problem] = await Promise.all([tracker.byAgent(agentId), history.of(agentId), errors.get(agentId)]);
    const replicas = connected
      .map((info) => replicaOf(info, kas.name))
      .toSorted((a, b) => connectedAtMs(a) - connectedAtMs(b) || (a.connectionId < b.connectionId ? -1 : 1));
    const status = create(AgentStatusSchema, {
      replicas,
      history: [...past.connections],
      historySince: toTimestamp(past.sinceMs),
      kasVersion: kas.version,
      ...(problem && { configurationProblem: { reason: problem.reason, lastGoodCommit: problem.lastGoodCommit } }),
    });
    return { body: toJsonString(AgentStatusSchema, status), etag: tagOf(status.replicas, [problem, newestEventOf(past.connections)]) };
  }
}

/** The status as it is sent, and what names this state of it. */
interface TaggedStatus {
  readonly body: string;
  readonly etag: string;
}

function replicaOf(info: ConnectedAgentInfo, ownName: string): AgentReplica {
  const { connectionId, agentMeta, connectedAt, kasAddress, latency, abilities, configurationCommit } = info;
  return create(AgentReplicaSchema, {
    connectionId,
    podNamespace: agentMeta?.podNamespace ?? "",
    podName: agentMeta?.podName ?? "",
    version: agentMeta?.version ?? "",
    kubernetesVersion: agentMeta?.kubernetesVersion?.gitVersion ?? "",
    kas: kasAddress ? `${kasAddress.ip.includes(":") ? `[${kasAddress.ip}]` : kasAddress.ip}:${kasAddress.port}` : ownName,
    ...(connectedAt && { connectedAt }),
    ...(latency && { latency }),
    abilities: abilities.toSorted(),
    configurationCommit,
  });
}

function newestEventOf([newest]: readonly AgentConnection[]): readonly unknown[] {
  return newest === undefined ? [] : [String(newest.connectionId), lastEventMs(newest)];
}

function connectedAtMs({ connectedAt }: AgentReplica): number {
  return connectedAt === undefined ? 0 : timestampMs(connectedAt);
}

/** Entries of a history that expire change nothing that a reader waits for, nor does a round trip. */
function tagOf(replicas: readonly AgentReplica[], rest: readonly unknown[]): string {
  const facts = replicas.map(({ connectionId, configurationCommit, latency }) => [
    String(connectionId),
    configurationCommit,
    latency !== undefined,
  ]);
  return `"${createHash("sha256")
    .update(JSON.stringify([facts, ...rest]))
    .digest("base64url")
    .slice(0, 22)}"`;
}
