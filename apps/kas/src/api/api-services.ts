import { randomUUID } from "node:crypto";

import { create, toBinary } from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { ConnectedAgentInfoSchema as TrackedAgentSchema, type ConnectedAgentInfo as TrackedAgent } from "@binnacle/proto/agent-tracker";
import { AgentTracker as AgentTrackerService } from "@binnacle/proto/agent-tracker-rpc";
import {
  ConfigurationProject,
  ListAgentConfigFilesResponseSchema,
  type ListAgentConfigFilesRequest,
  type ListAgentConfigFilesResponse,
} from "@binnacle/proto/configuration-project";
import { ConnectedAgentInfoSchema, KasApi, KasInternal, type ConnectedAgentInfo } from "@binnacle/proto/kas";
import { Notifications } from "@binnacle/proto/notifications";
import { ServerInfo } from "@binnacle/proto/server-info-rpc";
import { Fault } from "@binnacle/rpc";
import { toConnectError } from "@binnacle/rpc/connect-error";
import type { Logger } from "@binnacle/telemetry";

import type { PushNotices } from "../gitaly/push-notices.ts";
import type { AgentTracker } from "../agent-tracker/agent-tracker.ts";
import type { GitalyClient } from "../gitaly/gitaly-client.ts";
import type { AgentRouter } from "../agent-call/agent-call.ts";
import type { HttpExchangeVia } from "../http-exchange/http-exchange.ts";
import type { CallContext } from "../agent-call/call-context.ts";
import { HOP_AGENT_KEY } from "../kas-routing/gateway-frames.ts";
import { listPods } from "./pod-list.ts";

/** What the services of the API listener need. */
export interface ApiServicesOptions extends HttpExchangeVia {
  readonly tracker: AgentTracker;
  readonly gitaly: GitalyClient;
  readonly pushes: PushNotices;
  readonly log: Logger;
  readonly waitMs: number;
  readonly version: { readonly version: string; readonly gitRef: string };
}

const DIRECTORY = ".gitlab/agents";
/** Names of agents are DNS labels, up to 63 characters. */
const CONFIGURATION = /^\.gitlab\/agents\/([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)\/config\.yaml$/;

function blueprintInfoOf(info: TrackedAgent): ConnectedAgentInfo {
  return create(ConnectedAgentInfoSchema, {
    id: info.agentId,
    connectionId: info.connectionId,
    version: info.agentMeta?.version ?? "",
    commit: info.agentMeta?.commitId ?? "",
    podNamespace: info.agentMeta?.podNamespace ?? "",
    podName: info.agentMeta?.podName ?? "",
    ...(info.connectedAt && { connectedAt: info.connectedAt }),
    ...(info.kasAddress && { kasAddress: info.kasAddress }),
  });
}

/** The services the main application calls. The listener has checked its JWT; the router does the waiting for agents. */
export function apiServices(options: ApiServicesOptions): (router: ConnectRouter) => void {
  const { tracker, log } = options;
  /** Failures leave as the codes of docs/design/conventions.md "Errors". */
  const guarded =
    <I, O>(answer: (request: I, context: HandlerContext) => Promise<O> | O) =>
    async (request: I, context: HandlerContext): Promise<O> => {
      try {
        return await answer(request, context);
      } catch (error) {
        if (!(error instanceof Fault)) log.error({ error, method: context.method.name }, "answering the main application failed");
        throw toConnectError(error);
      }
    };
  return (router) => {
    router.service(KasApi, {
      connectedAgentsForProject: guarded(async ({ projectId }) => ({
        agents: listable(await tracker.byProject(projectId), log).map(blueprintInfoOf),
      })),
      connectedAgentsById: guarded(async ({ agentId }) => ({ agents: listable(await tracker.byAgent(agentId), log).map(blueprintInfoOf) })),
      getPods: guarded(async ({ agentId, connectionId }, { signal }) => {
        await checkReplica(tracker, { agentId, connectionId });
        return { pods: await listPods(options, { agentId, connectionId, context: contextOf(options.waitMs), signal }) };
      }),
    });
    router.service(AgentTrackerService, {
      getConnectedAgents: guarded(async ({ request }) => {
        switch (request.case) {
          case "agentId":
            return { agents: listable(await tracker.byAgent(request.value), log) };
          case "projectId":
            return { agents: listable(await tracker.byProject(request.value), log) };
          default:
            throw new Fault("invalid_request", "exactly one of project_id and agent_id must be set");
        }
      }),
      getConnectedAgentsByAgentIDs: guarded(async ({ agentIds }) => ({
        agents: listable((await Promise.all(agentIds.map((id) => tracker.byAgent(id)))).flat(), log),
      })),
    });
    router.service(ConfigurationProject, { listAgentConfigFiles: guarded((request) => listConfigurationFiles(options.gitaly, request)) });
    router.service(Notifications, {
      gitPushEvent: guarded(({ event }) => {
        if (event?.project) options.pushes.pushed(event.project.fullPath);
        return {};
      }),
    });
    router.service(ServerInfo, { getServerInfo: guarded(() => ({ currentServerInfo: options.version })) });
  };
}

function contextOf(waitMs: number): CallContext {
  return { caller: { kind: "main_application", id: "" }, traceId: randomUUID(), class: "safe", waitMs };
}

/**
 * `KasInternal` for other kas; looks only at the tunnels of this process. The listener checked the token and wrote its agent into
 * `kas-hop-routing-agent-id`, whatever the caller sent there: a token is good for no other agent.
 */
export function internalServices(
  localRouter: AgentRouter,
  options: Omit<HttpExchangeVia, "router"> & { readonly waitMs: number; readonly log: Logger },
): (router: ConnectRouter) => void {
  const via = { ...options, router: localRouter };
  return (router) => {
    router.service(KasInternal, {
      async getPods({ agentId, connectionId }, { signal, requestHeader }) {
        try {
          if (requestHeader.get(HOP_AGENT_KEY) !== String(agentId)) throw new Fault("jwt_invalid", "the token is for another agent");
          return { pods: await listPods(via, { agentId, connectionId, context: contextOf(options.waitMs), signal }) };
        } catch (error) {
          if (!(error instanceof Fault)) options.log.error({ error }, "answering another kas failed");
          throw toConnectError(error);
        }
      },
    });
  };
}

/** The configuration files of a project's default branch. @throws Fault `invalid_request`, `gitaly_unavailable` */
async function listConfigurationFiles(gitaly: GitalyClient, request: ListAgentConfigFilesRequest): Promise<ListAgentConfigFilesResponse> {
  const { repository, gitalyInfo, defaultBranch } = request;
  if (repository === undefined || gitalyInfo === undefined) throw new Fault("invalid_request", "repository and gitaly_info must be set");
  const revision = defaultBranch === "" ? "HEAD" : `refs/heads/${defaultBranch}`;
  const access = { address: gitalyInfo.address, token: gitalyInfo.token, features: gitalyInfo.features };
  const paths = await gitaly.filesBelow(access, repository, { revision, path: DIRECTORY });
  const configFiles = paths.flatMap((name) => {
    const agentName = CONFIGURATION.exec(name)?.[1];
    return agentName === undefined ? [] : [{ name, agentName }];
  });
  return create(ListAgentConfigFilesResponseSchema, { configFiles });
}

/** Replicas of one agent that a list names. */
const MAX_PER_AGENT = 256;
/** Room for the entries of an answer: clients of gRPC refuse more than 4 MiB. */
const MAX_BYTES = 3_500_000;
/** Tag and length of an entry. */
const FRAMING_BYTES = 8;

/** As many of the connections as one answer can hold, at most 256 of each agent; a list that was cut is a log line. */
export function listable(connections: readonly TrackedAgent[], log: Logger): TrackedAgent[] {
  const listed: TrackedAgent[] = [];
  const ofAgent = new Map<bigint, number>();
  let bytes = 0;
  for (const info of connections) {
    const count = (ofAgent.get(info.agentId) ?? 0) + 1;
    const size = toBinary(TrackedAgentSchema, info).length + FRAMING_BYTES;
    if (count > MAX_PER_AGENT || bytes + size > MAX_BYTES) continue;
    ofAgent.set(info.agentId, count);
    bytes += size;
    listed.push(info);
  }
  if (listed.length < connections.length)
    log.warn({ listed: listed.length, connected: connections.length }, "a list of connected agents was cut");
  return listed;
}

/**
 * A replica that a request names by its connection must be connected now: a connection that has ended never comes back, so waiting for it
 * would be useless. An agent that is not connected at all may still connect.
 *
 * @throws Fault `replica_not_addressable`
 */
export async function checkReplica(
  tracker: AgentTracker,
  { agentId, connectionId }: { readonly agentId: bigint; readonly connectionId: bigint },
): Promise<void> {
  if (connectionId === 0n) return;
  let connected: readonly TrackedAgent[];
  try {
    connected = await tracker.byAgent(agentId);
  } catch {
    return; // without the store, the request continues with the tunnels of this kas
  }
  if (connected.length === 0 || connected.some((info) => info.connectionId === connectionId)) return;
  throw new Fault("replica_not_addressable", `agent ${agentId} is connected, but connection ${connectionId} is not one of its replicas`);
}
