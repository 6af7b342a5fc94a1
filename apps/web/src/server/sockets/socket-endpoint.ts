import type { IncomingMessage } from "node:http";

import { Fault } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import type { WebSocket } from "ws";

import type { CollectAfterLoad } from "../base/collect-after-load.ts";
import { fetchHeadersOf } from "../base/fetch-headers.ts";
import { pathPrefixOf, routeBelow } from "../base/path-prefix.ts";
import type { UpgradeHandler } from "../http/raw-connections.ts";
import type { CallSession, WebSessions } from "../session/web-sessions.ts";
import type { CallLimits } from "../wire/call-limits.ts";
import { SOCKET_PROTOCOL, type AcceptedTicket, type SocketKind } from "./socket-kind.ts";

/** Where pages open their sockets, below the path prefix. */
const SOCKET_PATH = "/api/socket";
/** A ticket is a subprotocol, so that it stands in no URL, no Referer and no log of a proxy. */
const TICKET = "ticket.";

/** What the endpoint works with. */
export interface SocketEndpointOptions {
  readonly log: Logger;
  /** Address of the dashboard in browsers: only its own origin may open a socket. */
  readonly externalUrl: string;
  readonly sessions: Pick<WebSessions, "callOf" | "nameOf" | "tellPeers">;
  readonly kinds: readonly SocketKind[];
  readonly limits: CallLimits;
  readonly load: Pick<CollectAfterLoad, "begin">;
  /** Aborts when this process stops. */
  readonly restart: AbortSignal;
}

/** An accepted handshake: its session and its ticket. */
interface Admission {
  readonly accepted: AcceptedTicket;
  readonly call: CallSession;
  readonly leave: () => void;
}

/** Sockets of pages: RFC 6455 over HTTP/1.1, with a ticket, from our own pages (threats T8, T9). The ticket says what runs on it. */
export class SocketEndpoint {
  readonly #options: SocketEndpointOptions;
  readonly #origin: string;
  readonly #prefix: string;
  readonly #running = new Set<Promise<void>>();

  constructor(options: SocketEndpointOptions) {
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
        admission.accepted.server.handleUpgrade(request, socket, head, (webSocket) => this.#begin(webSocket, admission));
      },
      (error: unknown) => {
        if (!(error instanceof Fault)) {
          this.#options.log.error({ error }, "opening a socket failed");
          socket.destroy();
          return;
        }
        const status = error.reason === "session_ended" ? 401 : error.reason === "rate_limited" ? 429 : 403;
        refuse(status, error.message);
      },
    );
  };

  /** Settles when the sockets have ended, which `restart` makes them do. */
  async close(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** @throws Fault `session_ended`, `environment_forbidden` for a ticket that is not good, `rate_limited` */
  async #admit(request: IncomingMessage): Promise<Admission> {
    const { sessions, limits, load } = this.#options;
    const place = limits.begin("stream");
    try {
      const call = await sessions.callOf(fetchHeadersOf(request), (username) => place.take("viewer", username));
      const session = await sessions.nameOf(request.headers.cookie);
      if (call === undefined || session === undefined) throw new Fault("session_ended", "A socket needs a session.");
      place.take("session", call.viewerAccess.key);
      const accepted = await this.#accept(ticketOf(request) ?? "", session);
      if (accepted === undefined) throw new Fault("environment_forbidden", "The ticket of this socket is not good, or not any more.");
      void accepted.notice().then((notice) => sessions.tellPeers(notice)); // sealing does not fail
      const ended = load.begin();
      const leave = (): void => {
        ended();
        place.leave();
      };
      return { accepted, call, leave };
    } catch (error) {
      place.leave();
      throw error;
    }
  }

  async #accept(ticket: string, session: string): Promise<AcceptedTicket | undefined> {
    for (const kind of this.#options.kinds) {
      // oxlint-disable-next-line no-await-in-loop -- two kinds; the first one that takes it is the one
      const accepted = await kind.accept(ticket, session);
      if (accepted !== undefined) return accepted;
    }
    return undefined;
  }

  #begin(socket: WebSocket, admission: Admission): void {
    const running = this.#run(socket, admission).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #run(socket: WebSocket, { accepted, call }: Admission): Promise<void> {
    const tie = call.tie();
    await accepted.run(socket, { viewerAccess: call.viewerAccess, signedOut: tie.signal, restart: this.#options.restart });
    tie.untie();
  }
}

/** The ticket among the protocols that a page offers; undefined without one, or without ours. */
function ticketOf({ headers }: IncomingMessage): string | undefined {
  const offered = (headers["sec-websocket-protocol"] ?? "").split(",").map((each) => each.trim());
  return offered.includes(SOCKET_PROTOCOL) ? offered.find((each) => each.startsWith(TICKET))?.slice(TICKET.length) : undefined;
}
