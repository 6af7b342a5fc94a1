import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Http2ServerRequest, type ServerHttp2Session } from "node:http2";

import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createContextKey, createContextValues, type ConnectRouter, type ContextValues, type HandlerContext } from "@connectrpc/connect";
import { AgentConfiguration } from "@binnacle/proto/agent-configuration";
import { AgentRegistrar } from "@binnacle/proto/agent-registrar";
import { ConnectedAgentInfoSchema } from "@binnacle/proto/agent-tracker";
import { Fault, toConnectError } from "@binnacle/rpc";

import type { AgentTracker } from "../agent-tracker/agent-tracker.ts";
import { CLIENT_ADDRESS_HEADER } from "../http2-listener/client-address-header.ts";
import { drainingOf } from "../http2-listener/session-draining.ts";
import type { ConnectionLimit } from "../limits/connection-limit.ts";
import type { AgentAuthenticator } from "../main-application/agent-info.ts";
import { agentOf, passAgent } from "../reverse-tunnel/authenticated-agent.ts";
import { REPLICA_HEADER } from "../reverse-tunnel/replica.ts";
import type { TunnelRegistry } from "../reverse-tunnel/tunnel-registry.ts";
import { boundedMeta } from "./agent-meta-bounds.ts";
import { streamConfiguration, type ConfigurationStreamOptions } from "./configuration-stream.ts";

/** Aborts when the connection of the call was told to go away; `agentContextOf` sets it. */
const DRAINING = createContextKey(new AbortController().signal, { description: "draining of the session" });

/** What Connect's handlers learn of the HTTP/2 session under a call, and which agent calls. */
export function agentContextOf(request: IncomingMessage | Http2ServerRequest): ContextValues {
  const values = createContextValues();
  const session = request instanceof Http2ServerRequest ? request.stream.session : undefined;
  // A stream of a server belongs to a session of a server; the types only know the base class.
  if (session) values.set(DRAINING, drainingOf(session as ServerHttp2Session));
  if (request instanceof Http2ServerRequest) passAgent(request.stream, values);
  return values;
}

/** What the services of the agent listener need. */
export interface AgentServicesOptions extends ConfigurationStreamOptions {
  readonly authenticator: AgentAuthenticator;
  readonly tracker: AgentTracker;
  readonly registry: TunnelRegistry;
  readonly limit: ConnectionLimit;
}

/** Random and positive, as the tracker's contract wants it. */
function randomConnectionId(): bigint {
  return (randomBytes(8).readBigUInt64BE() >> 1n) | 1n;
}

/** The typed services agents call: their configuration and their registration. Their handler needs `agentContextOf`. */
export function agentServices(options: AgentServicesOptions): (router: ConnectRouter) => void {
  // The listener has checked the token; a long stream asks again and again whether it is still good.
  const authenticate = ({ requestHeader, signal }: HandlerContext) =>
    options.authenticator.authenticate(requestHeader.get("authorization") ?? undefined, signal, {
      address: requestHeader.get(CLIENT_ADDRESS_HEADER) ?? undefined,
    });
  return (router) => {
    router.service(AgentConfiguration, {
      async *getConfiguration(request, context) {
        try {
          const info = agentOf(context);
          // The token alone: the scheme can be written in many ways.
          options.limit.take((context.requestHeader.get("authorization") ?? "").replace(/^bearer +/i, ""));
          const connectionId = randomConnectionId();
          const connected = create(ConnectedAgentInfoSchema, {
            ...(request.agentMeta && { agentMeta: boundedMeta(request.agentMeta) }),
            connectedAt: timestampFromMs(options.clock.now()),
            connectionId,
            agentId: info.agentId,
            projectId: info.projectId,
          });
          options.tracker.register(connected);
          options.registry.bindConnection({
            agentId: info.agentId,
            connectionId,
            replica: context.requestHeader.get(REPLICA_HEADER) ?? "",
          });
          try {
            yield* streamConfiguration(
              {
                request,
                authenticate: () => authenticate(context),
                signal: context.signal,
                draining: context.values.get(DRAINING),
              },
              options,
            );
          } finally {
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
      register(_request, context) {
        try {
          agentOf(context);
          return {};
        } catch (error) {
          throw toConnectError(error);
        }
      },
    });
  };
}
