import { randomBytes } from "node:crypto";

import { create } from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { AgentConfiguration } from "@binnacle/proto/agent-configuration";
import { AgentRegistrar, type RegisterRequest, type UnregisterRequest } from "@binnacle/proto/agent-registrar";
import { ConnectedAgentInfoSchema } from "@binnacle/proto/agent-tracker";
import { AgentMetaSchema, KubernetesVersionSchema, type AgentMeta } from "@binnacle/proto/modshared";
import { ServerInfo } from "@binnacle/proto/server-info-rpc";
import { durationField, toTimestamp } from "@binnacle/proto/wire-values";
import { Fault, sleep } from "@binnacle/rpc";
import { toConnectError } from "@binnacle/rpc/connect-error";

import { authenticateAgain, drainingOfCall, pingOfCall } from "../agent-identity/agent-context.ts";
import type { AgentTracker } from "../agent-tracker/agent-tracker.ts";
import type { ConnectionHistory } from "../agent-tracker/connection-history.ts";
import type { ConnectionLimit } from "../limits/connection-limit.ts";
import type { AgentAuthenticator, AgentInfo } from "../main-application/agent-info.ts";
import { abilitiesOf, hasAbility, type AgentFacts } from "../agent-identity/agent-abilities.ts";
import { parseVersion } from "../agent-identity/agent-version.ts";
import { agentOf, noteMetaVersion } from "../agent-identity/authenticated-agent.ts";
import { REPLICA_HEADER } from "../agent-identity/replica.ts";
import type { TunnelRegistry } from "../reverse-tunnel/tunnel-registry.ts";
import type { AgentEvents } from "../usage/agent-events.ts";
import { streamConfiguration, type ConfigurationStreamOptions } from "./configuration-stream.ts";

/** What the services of the agent listener need. */
export interface AgentServicesOptions extends ConfigurationStreamOptions {
  readonly authenticator: AgentAuthenticator;
  readonly tracker: Pick<AgentTracker, "register" | "unregister">;
  /** Takes what becomes known of a registered process. */
  readonly updates: Pick<AgentTracker, "update">;
  readonly history: Pick<ConnectionHistory, "connected" | "disconnected">;
  readonly registry: TunnelRegistry;
  readonly limit: ConnectionLimit;
  readonly registrations: Pick<AgentEvents, "registered" | "unregistered">;
  /** What `ServerInfo` says. */
  readonly version: { readonly version: string; readonly gitRef: string };
}

/** Longest namespace and name of a pod. @see RFC 1123, Kubernetes "Object Names and IDs" */
const MAX_NAME = 253;
const MAX_VERSION = 128;
const MAX_COMMIT = 64;
const MAX_PLATFORM = 64;

/** Random and positive, as the tracker's contract wants it. */
function randomConnectionId(): bigint {
  return (randomBytes(8).readBigUInt64BE() >> 1n) | 1n;
}

/** The typed services agents call: their configuration, their registration, and which kas this is. Their handler needs `agentContextOf`. */
export function agentServices(options: AgentServicesOptions): (router: ConnectRouter) => void {
  return (router) => {
    router.service(AgentConfiguration, {
      async *getConfiguration(request, context) {
        try {
          const info = agentOf(context);
          noteMetaVersion(context, request.agentMeta?.version);
          // The token alone: the scheme can be written in many ways.
          options.limit.take((context.requestHeader.get("authorization") ?? "").replace(/^bearer +/i, ""));
          const connectionId = randomConnectionId();
          const connected = create(ConnectedAgentInfoSchema, {
            ...(request.agentMeta && { agentMeta: boundedMeta(request.agentMeta) }),
            connectedAt: toTimestamp(options.clock.now()),
            connectionId,
            agentId: info.agentId,
            projectId: info.projectId,
            abilities: abilitiesOf(factsOf(request.agentMeta?.version, context)),
            configurationCommit: request.commitId.slice(0, MAX_COMMIT),
          });
          options.tracker.register(connected);
          options.history.connected(connected);
          const over = new AbortController();
          options.registry.bindConnection({
            agentId: info.agentId,
            connectionId,
            replica: context.requestHeader.get(REPLICA_HEADER) ?? "",
          });
          void measureLatency(connectionId, context, { options, signal: AbortSignal.any([context.signal, over.signal]) });
          try {
            const responses = streamConfiguration(
              {
                request,
                reportsProjects: hasAbility("reports", {
                  headers: { "agentk-caps": context.requestHeader.get("agentk-caps") ?? undefined },
                }),
                authenticate: () => authenticateAgain(options.authenticator, context),
                signal: context.signal,
                draining: drainingOfCall(context),
              },
              options,
            );
            for await (const response of responses) {
              options.updates.update(connectionId, { configurationCommit: response.commitId });
              yield response;
            }
          } finally {
            over.abort();
            options.history.disconnected(connected);
            options.tracker.unregister(connected);
            options.registry.unbindConnection(connectionId);
          }
        } catch (error) {
          if (!(error instanceof Fault)) options.log.error({ error }, "streaming a configuration failed");
          throw toConnectError(error);
        }
      },
    });
    router.service(AgentRegistrar, {
      register: asAgent((request: RegisterRequest, { agentId, projectId }, context) => {
        noteMetaVersion(context, request.agentMeta?.version);
        const meta = request.agentMeta && boundedMeta(request.agentMeta);
        options.registrations.registered({ agentId, projectId, podId: request.podId, meta });
        return {};
      }),
      unregister: asAgent(({ podId }: UnregisterRequest, { agentId }) => {
        options.registrations.unregistered({ agentId, podId });
        return {};
      }),
    });
    router.service(ServerInfo, { getServerInfo: asAgent(() => ({ currentServerInfo: options.version })) });
  };
}

/** How often the round trip of a connection is measured again. */
const MEASURE_MS = 60_000;

/** Measures the round trip of a connection until it ends. Never rejects. */
async function measureLatency(
  connectionId: bigint,
  context: HandlerContext,
  { options, signal }: { readonly options: AgentServicesOptions; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const latencyMs = await pingOfCall(context);
    if (!signal.aborted && latencyMs !== undefined) options.updates.update(connectionId, durationField("latency", latencyMs));
    await sleep(options.clock, MEASURE_MS, signal);
  }
}

/** What is known of an agent from one of its calls. */
function factsOf(metaVersion: string | undefined, { requestHeader }: HandlerContext): AgentFacts {
  const headers = {
    "agentk-caps": requestHeader.get("agentk-caps") ?? undefined,
    "user-agent": requestHeader.get("user-agent") ?? undefined,
  };
  return { headers, ...(metaVersion !== undefined && metaVersion !== "" && { metaVersion: parseVersion(metaVersion) ?? "unknown" }) };
}

/** A call that needs nothing but to know the agent. */
function asAgent<I, O>(answer: (request: I, agent: AgentInfo, context: HandlerContext) => O): (request: I, context: HandlerContext) => O {
  return (request, context) => {
    try {
      return answer(request, agentOf(context), context);
    } catch (error) {
      throw toConnectError(error);
    }
  };
}

/**
 * What an agent tells about itself, each text cut to what a true one can be: it is kept in memory and in Redis for as long as the agent is
 * connected, and stands in every list of the project's agents. Fields that we do not know are dropped.
 */
export function boundedMeta(meta: AgentMeta): AgentMeta {
  const kubernetes = meta.kubernetesVersion;
  return create(AgentMetaSchema, {
    version: meta.version.slice(0, MAX_VERSION),
    commitId: meta.commitId.slice(0, MAX_COMMIT),
    podNamespace: meta.podNamespace.slice(0, MAX_NAME),
    podName: meta.podName.slice(0, MAX_NAME),
    ...(kubernetes && {
      kubernetesVersion: create(KubernetesVersionSchema, {
        major: kubernetes.major.slice(0, MAX_PLATFORM),
        minor: kubernetes.minor.slice(0, MAX_PLATFORM),
        gitVersion: kubernetes.gitVersion.slice(0, MAX_VERSION),
        platform: kubernetes.platform.slice(0, MAX_PLATFORM),
      }),
    }),
  });
}
