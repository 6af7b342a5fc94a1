import type { IncomingMessage } from "node:http";

import { Fault } from "@binnacle/rpc";
import { WebSocketServer, type WebSocket } from "ws";

import type { BffContext } from "../bff-context.ts";
import type { CollectAfterLoad } from "../collect-after-load.ts";
import { fetchHeadersOf } from "../http/fetch-headers.ts";
import { pathPrefixOf, routeBelow } from "../http/path-prefix.ts";
import type { UpgradeHandler } from "../http/raw-connections.ts";
import type { TerminalMetrics } from "../metrics/terminal-metrics.ts";
import type { CallSession, WebSessions } from "../session/web-sessions.ts";
import type { CallLimits } from "../wire/call-limits.ts";
import { Terminal } from "./terminal.ts";
import type { TerminalClaims, TerminalTickets } from "./terminal-tickets.ts";

/** Where pages open their sockets, below the path prefix. */
const SOCKET_PATH = "/api/socket";
/** The protocol of their messages, the only one that a response names. */
const PROTOCOL = "binnacle.v1";
/** A ticket is a subprotocol, so that it stands in no URL, no Referer and no log of a proxy. */
const TICKET = "ticket.";
/** An input of 16 KiB with what is around it. */
const MAX_MESSAGE_BYTES = 20 * 1024;

/** What the endpoint works with. */
export interface TerminalEndpointOptions {
  readonly context: BffContext;
  /** Address of the dashboard in browsers: only its own origin may open a socket. */
  readonly externalUrl: string;
  readonly sessions: Pick<WebSessions, "callOf" | "nameOf" | "tellPeers">;
  readonly tickets: TerminalTickets;
  readonly limits: CallLimits;
  readonly load: Pick<CollectAfterLoad, "begin">;
  readonly metrics: TerminalMetrics;
  /** Aborts when this process stops. */
  readonly restart: AbortSignal;
}

/** An accepted handshake: its session and the terminal of its ticket. */
interface Admission {
  readonly claims: TerminalClaims;
  readonly call: CallSession;
  readonly leave: () => void;
}

/** Sockets of terminals: RFC 6455 over HTTP/1.1, with a ticket, from our own pages (threats T8, T9). */
export class TerminalEndpoint {
  readonly #options: TerminalEndpointOptions;
  readonly #origin: string;
  readonly #prefix: string;
  readonly #running = new Set<Promise<void>>();
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    // The ticket is offered beside it, and must not be in a response.
    handleProtocols: () => PROTOCOL,
  });

  constructor(options: TerminalEndpointOptions) {
    this.#options = options;
    this.#origin = new URL(options.externalUrl).origin;
    this.#prefix = pathPrefixOf(options.externalUrl);
  }

  /** Answers every upgrade of the dashboard's server. */
  readonly upgrade: UpgradeHandler = (request, { socket, head, refuse }) => {
    socket.on("error", () => socket.destroy());
    // A query could name what the ticket does not.
    if (routeBelow(this.#prefix, request.url ?? "") !== SOCKET_PATH || request.headers.upgrade?.toLowerCase() !== "websocket")
      return refuse(501, "The dashboard speaks only HTTP, and WebSocket where its pages request it.");
    if (request.headers.origin !== this.#origin) return refuse(403, "This address answers only to the dashboard's own pages.");
    this.#admit(request).then(
      (admission) => {
        if (socket.destroyed) {
          admission.leave();
          return;
        }
        // The ticket of a handshake that `ws` rejects, or whose client disconnects, is used up.
        socket.once("close", admission.leave);
        this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#begin(webSocket, admission));
      },
      (error: unknown) => {
        if (!(error instanceof Fault)) {
          this.#options.context.log.error({ error }, "opening a socket failed");
          socket.destroy();
          return;
        }
        const status = error.reason === "session_ended" ? 401 : error.reason === "rate_limited" ? 429 : 403;
        refuse(status, error.message);
      },
    );
  };

  /** Settles when the terminals have ended, which `restart` makes them do. */
  async close(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** @throws Fault `session_ended`, `environment_forbidden` for a ticket that is not good, `rate_limited` */
  async #admit(request: IncomingMessage): Promise<Admission> {
    const { sessions, tickets, limits, load } = this.#options;
    const place = limits.begin("stream");
    try {
      const call = await sessions.callOf(fetchHeadersOf(request), (username) => place.take("viewer", username));
      const session = await sessions.nameOf(request.headers.cookie);
      if (call === undefined || session === undefined) throw new Fault("session_ended", "A terminal needs a session.");
      place.take("session", call.viewerAccess.key);
      const claims = await tickets.accept(ticketOf(request) ?? "", session);
      if (claims === undefined) throw new Fault("environment_forbidden", "The ticket of this terminal is not good, or not any more.");
      void tickets.notice(claims).then((notice) => sessions.tellPeers(notice)); // sealing does not fail
      const ended = load.begin();
      const leave = (): void => {
        ended();
        place.leave();
      };
      return { claims, call, leave };
    } catch (error) {
      place.leave();
      throw error;
    }
  }

  #begin(socket: WebSocket, admission: Admission): void {
    const running = this.#run(socket, admission).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #run(socket: WebSocket, { claims, call }: Admission): Promise<void> {
    const { context, restart, metrics } = this.#options;
    const tie = call.tie();
    const { viewerAccess } = call;
    const ended = metrics.begin();
    ended(await new Terminal({ context, socket, claims, viewerAccess, signedOut: tie.signal, restart }).run());
    tie.untie();
  }
}

/** The ticket among the protocols that a page offers; undefined without one, or without ours. */
function ticketOf({ headers }: IncomingMessage): string | undefined {
  const offered = (headers["sec-websocket-protocol"] ?? "").split(",").map((each) => each.trim());
  return offered.includes(PROTOCOL) ? offered.find((each) => each.startsWith(TICKET))?.slice(TICKET.length) : undefined;
}
