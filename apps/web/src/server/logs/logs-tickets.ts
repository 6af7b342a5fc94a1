import { OpenLogsResponseSchema, type OpenLogsRequest, type OpenLogsResponse } from "@binnacle/proto/dashboard-logs";
import { Fault, type Clock } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";

import { openEnvironment, type OpeningContext } from "../environment/open-environment.ts";
import type { SealedClaims, SealPurpose } from "../session/sealed-claims.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { SocketTickets, ticketClaims, type TicketClaims } from "../sockets/socket-tickets.ts";

/** Opens one socket of logs, once, within 30 s, for the session, the viewer and the environment it was sealed for. */
export class LogsTickets extends SocketTickets<TicketClaims> {
  /** @param sealed texts that only the web processes of this configuration can read or make */
  constructor(sealed: (purpose: SealPurpose) => SealedClaims, clock: Clock) {
    super({ name: "logs", claims: ticketClaims }, sealed, clock);
  }
}

/** A call of `OpenLogs`, with its viewer and its session. */
export interface OpenLogsCall {
  readonly viewerAccess: ViewerAccess | undefined;
  /** Name of the session that the call comes with; undefined without one. */
  readonly session: string | undefined;
  readonly request: OpenLogsRequest;
  readonly signal: AbortSignal;
}

/** A ticket for a socket of logs of an environment that the viewer may see. @throws Fault as `openEnvironment` */
export async function openLogs(
  context: OpeningContext,
  tickets: Pick<LogsTickets, "seal">,
  { viewerAccess, session, request, signal }: OpenLogsCall,
): Promise<OpenLogsResponse> {
  const { viewer, environment } = await openEnvironment(context, { viewerAccess, request, signal });
  if (session === undefined) throw new Fault("session_ended", "A socket of logs needs a session.");
  const { projectPath, name } = environment;
  const ticket = await tickets.seal({ session, viewer: viewer.username, projectPath, environment: name });
  return create(OpenLogsResponseSchema, { ticket });
}
