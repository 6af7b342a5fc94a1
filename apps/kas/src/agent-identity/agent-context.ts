import type { IncomingMessage } from "node:http";
import { constants, Http2ServerRequest, type ServerHttp2Session } from "node:http2";

import { createContextKey, createContextValues, type ContextValues, type HandlerContext } from "@connectrpc/connect";

import { CLIENT_ADDRESS_HEADER } from "../http2-listener/client-address-header.ts";
import { drainingOf } from "../http2-listener/session-draining.ts";
import type { AgentAuthenticator, AgentInfo } from "../main-application/agent-info.ts";
import { passAgent } from "./authenticated-agent.ts";

const DRAINING = createContextKey(new AbortController().signal, { description: "draining of the session" });
const PING = createContextKey((): Promise<number | undefined> => Promise.resolve(undefined), { description: "pings the session" });
const RESET = createContextKey((): void => undefined, { description: "ends the stream" });

/** What Connect's handlers learn of the HTTP/2 session and stream under a call, and which agent calls. */
export function agentContextOf(request: IncomingMessage | Http2ServerRequest): ContextValues {
  const values = createContextValues();
  if (!(request instanceof Http2ServerRequest)) return values;
  const { stream } = request;
  const { session } = stream;
  // A stream of a server belongs to a session of a server; the types only know the base class.
  if (session) values.set(DRAINING, drainingOf(session as ServerHttp2Session));
  values.set(PING, () => pingOf(session as ServerHttp2Session | undefined));
  values.set(RESET, () => stream.close(constants.NGHTTP2_CANCEL));
  passAgent(stream, values);
  return values;
}

/** Aborts when GOAWAY was sent on the connection of the call. */
export function drainingOfCall({ values }: HandlerContext): AbortSignal {
  return values.get(DRAINING);
}

/** Round trip to the other end of the call's HTTP/2 connection in milliseconds; `undefined` when there is no answer. Never rejects. */
export function pingOfCall({ values }: HandlerContext): Promise<number | undefined> {
  return values.get(PING)();
}

function pingOf(session: ServerHttp2Session | undefined): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  try {
    if (session?.ping((error, durationMs) => resolve(error === null ? durationMs : undefined)) !== true) resolve(undefined);
  } catch {
    resolve(undefined); // the session is being closed
  }
  return promise;
}

/** Ends the stream of the call at once, whatever its reader does: a handler that waits for a stalled reader cannot end it itself. */
export function resetCall({ values }: HandlerContext): void {
  values.get(RESET)();
}

/** The listener has checked the token; a long stream asks again and again whether it is still good. @throws as `authenticate` does */
export function authenticateAgain(authenticator: AgentAuthenticator, { requestHeader, signal }: HandlerContext): Promise<AgentInfo> {
  return authenticator.authenticate(requestHeader.get("authorization") ?? undefined, signal, {
    address: requestHeader.get(CLIENT_ADDRESS_HEADER) ?? undefined,
  });
}
