import { WebSocketServer, type WebSocket } from "ws";

import type { ViewerAccess } from "../main-application/main-application.ts";
import type { SocketTickets, TicketClaims } from "./socket-tickets.ts";

/** The protocol of messages, the only one that a response names. */
export const SOCKET_PROTOCOL = "binnacle.v1";

/** Whose socket it is. */
export interface SocketViewer {
  readonly viewerAccess: ViewerAccess;
  /** Aborts when the viewer has signed out. */
  readonly signedOut: AbortSignal;
  /** Aborts when this process stops. */
  readonly restart: AbortSignal;
}

/** A ticket that was accepted: its socket can be opened. */
export interface AcceptedTicket {
  /** Completes the handshake. */
  readonly server: WebSocketServer;
  /** Notice to the other web processes. */
  readonly notice: () => Promise<string>;
  /** Serves the socket to its end. Never rejects. */
  readonly run: (socket: WebSocket, viewer: SocketViewer) => Promise<void>;
}

/** One kind of socket. */
export interface SocketKind {
  /** @returns `undefined` for what is no good ticket of this kind and session */
  accept(ticket: string, session: string): Promise<AcceptedTicket | undefined>;
  /** Another process has accepted a ticket. @returns whether it was one of this kind */
  receiveNotice(notice: string): Promise<boolean>;
}

/** A kind of socket by its tickets, the size of the largest message of a page, and what runs on it; `run` never rejects. */
export function createSocketKind<C extends TicketClaims>(options: {
  readonly tickets: SocketTickets<C>;
  readonly maxMessageBytes: number;
  readonly run: (socket: WebSocket, claims: C, viewer: SocketViewer) => Promise<void>;
}): SocketKind {
  const { tickets, maxMessageBytes, run } = options;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: maxMessageBytes,
    // A socket has words of strangers beside what is secret (threat T29).
    perMessageDeflate: false,
    // The ticket is offered beside it, and must not be in a response.
    handleProtocols: () => SOCKET_PROTOCOL,
  });
  return {
    accept: async (ticket, session) => {
      const claims = await tickets.accept(ticket, session);
      if (claims === undefined) return undefined;
      return { server, notice: () => tickets.notice(claims), run: (socket, viewer) => run(socket, claims, viewer) };
    },
    receiveNotice: (notice) => tickets.receiveNotice(notice),
  };
}
