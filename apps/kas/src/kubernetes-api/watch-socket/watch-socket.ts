import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { LRUCache } from "lru-cache";
import { WebSocketServer, type WebSocket } from "ws";

import { atMost } from "../../limits/at-most.ts";
import { ProxyRefusal } from "../http/proxy-refusal.ts";
import { refuseRaw, type RawRefusal, type RawRefusals } from "../http/raw-refusal.ts";
import { WatchSession } from "./watch-session.ts";
import type { WatchUpstream } from "./watch-upstream.ts";

/** What the WebSocket needs; `C` is an authorized caller of an agent. */
export interface WatchSocketOptions<C> {
  readonly clock: Clock;
  readonly log: Logger;
  /** The one origin that may open it from a browser. */
  readonly allowedOrigin: string;
  /** Asks the caller's agent as the caller. */
  readonly upstream: (caller: C) => WatchUpstream;
  /** Whether the handshake comes from whom the ticket was given to, as far as it shows (its cookie). Default: the ticket is enough. */
  readonly isSameCaller?: (caller: C, handshake: IncomingMessage) => boolean;
  /** Watches the caller's rights: calls `end` when they are gone. @returns stops it */
  readonly recheckAccess?: (caller: C, end: () => void) => () => void;
  /** Counts handshakes that are rejected. Default: not counted. */
  readonly refusals?: RawRefusals | undefined;
}

const PROTOCOL = "gitlab-agent-watch-api";
const TOKEN_PREFIX = "websocket-token.kas.gitlab.com.";
const FOREIGN_ORIGIN: RawRefusal = {
  refusal: new ProxyRefusal(403, "requests from this origin are not allowed"),
  reason: "foreign_origin",
};
const NO_PROTOCOL: RawRefusal = {
  refusal: new ProxyRefusal(400, `the sub-protocol ${PROTOCOL} is needed`, { reason: "invalid_request" }),
  reason: "invalid_request",
};
const NO_TICKET: RawRefusal = {
  refusal: new ProxyRefusal(401, "the token is unknown, used or too old", { reason: "token_unknown" }),
  reason: "token_unknown",
};
const MAX_MESSAGE_BYTES = 64 * 1024;
const PING_MS = 30_000;
const TICKET_LIFETIME_MS = 60_000;
const MAX_TICKETS = 10_000;

/**
 * GitLab's `/watch`: many watches of one agent's cluster in one WebSocket. First an authorised request fetches a token
 * (`issueToken`), then the handshake shows it as a sub-protocol.
 */
export class WatchSocket<C> {
  readonly #options: WatchSocketOptions<C>;
  readonly #tickets: WatchTickets<C>;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: () => PROTOCOL,
  });

  constructor(options: WatchSocketOptions<C>) {
    this.#options = options;
    this.#tickets = new WatchTickets(options.clock);
  }

  /** Token for the answer `{token}`; the caller must have been authorised. */
  issueToken(caller: C): string {
    return this.#tickets.issue(caller);
  }

  /** Answers a handshake, with 101 or a refusal. Takes over the socket. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { allowedOrigin, isSameCaller, refusals } = this.#options;
    const { origin } = request.headers;
    if (origin !== undefined && origin !== allowedOrigin) return refuseRaw(socket, FOREIGN_ORIGIN, refusals);
    const offered = (request.headers["sec-websocket-protocol"] ?? "").split(",").map((protocol) => protocol.trim());
    if (!offered.includes(PROTOCOL)) return refuseRaw(socket, NO_PROTOCOL, refusals);
    const token = offered.find((protocol) => protocol.startsWith(TOKEN_PREFIX))?.slice(TOKEN_PREFIX.length);
    const caller = token === undefined ? undefined : this.#tickets.redeem(token);
    if (caller === undefined || isSameCaller?.(caller, request) === false) return refuseRaw(socket, NO_TICKET, refusals);
    this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#serve(webSocket, caller));
  }

  /** Tells all clients to come back: this kas goes away. */
  close(): void {
    for (const webSocket of this.#server.clients) webSocket.close(1012, "kas goes away");
  }

  #serve(webSocket: WebSocket, caller: C): void {
    const { clock, log, upstream, recheckAccess } = this.#options;
    // What the other side does to its connection is no error of ours; "close" follows.
    webSocket.on("error", (error) => log.debug({ error }, "a watch WebSocket broke"));
    new WatchSession(webSocket, upstream(caller), log).start();
    const stopPinging = keepAlive(webSocket, clock);
    const stopProving = recheckAccess?.(caller, () => webSocket.close(1008, "you may not use this agent any more"));
    webSocket.once("close", () => {
      stopPinging();
      stopProving?.();
    });
  }
}

/** Ends a connection that did not answer a ping by the time of the next. */
function keepAlive(webSocket: WebSocket, clock: Clock): () => void {
  let alive = true;
  let cancel = (): void => undefined;
  const ping = (): void => {
    if (!alive) return webSocket.terminate();
    alive = false;
    webSocket.ping();
    cancel = clock.after(PING_MS, ping);
  };
  webSocket.on("pong", () => {
    alive = true;
  });
  cancel = clock.after(PING_MS, ping);
  return () => cancel();
}

/**
 * Tokens that open one WebSocket each: a browser cannot give a WebSocket headers, so it asks for a ticket with them first. A ticket
 * is good once, for a minute, and only for the caller it was given to (threat T9).
 */
class WatchTickets<C> {
  readonly #clock: Clock;
  /** The oldest goes first when there are too many: a ticket is never read without being used up. */
  readonly #tickets = new LRUCache<string, { readonly caller: C; readonly expiresAtMs: number }>(atMost(MAX_TICKETS));

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns a token that may stand in a sub-protocol: letters, digits, "-" and "_" */
  issue(caller: C): string {
    this.#forgetOld();
    const token = randomBytes(32).toString("base64url");
    this.#tickets.set(token, { caller, expiresAtMs: this.#clock.now() + TICKET_LIFETIME_MS });
    return token;
  }

  /** @returns whose ticket it was; undefined for one that is unknown, used or too old */
  redeem(token: string): C | undefined {
    const ticket = this.#tickets.get(token);
    this.#tickets.delete(token);
    return ticket !== undefined && ticket.expiresAtMs > this.#clock.now() ? ticket.caller : undefined;
  }

  /** Removes expired tickets from the old end, so that credentials of unused tickets do not stay. */
  #forgetOld(): void {
    const now = this.#clock.now();
    const oldest = () => this.#tickets.rvalues().next().value;
    for (let ticket = oldest(); ticket !== undefined && ticket.expiresAtMs <= now; ticket = oldest()) this.#tickets.pop();
  }
}
