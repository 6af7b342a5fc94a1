import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import type { Logger } from "@binnacle/telemetry";

import type { AuditedAction } from "@binnacle/telemetry/audit";
import { actionOf } from "../../audit/audited-action.ts";
import type { RequestAudit } from "../../audit/request-audit.ts";
import type { HttpExchangeVia } from "../../http-exchange/http-exchange.ts";
import type { CallerAccess } from "../access/caller-access.ts";
import { recheckAccess, PROOF_MAX_AGE_MS } from "../access/live-access.ts";
import { changedAccess } from "../access/verify-access.ts";
import { accessKey, type ProxyAccess } from "../access/proxy-access.ts";
import { showsSession, type ProxyCredential } from "../access/proxy-credential.ts";
import { parseTarget } from "../access/proxy-target.ts";
import type { RawRefusals } from "../http/raw-refusal.ts";
import { routedWatch } from "./routed-watch.ts";
import { WatchSocket } from "./watch-socket.ts";
import type { WatchRequest } from "./watch-upstream.ts";

/** What `/watch` needs. */
export interface WatchEndpointOptions extends HttpExchangeVia {
  readonly callers: CallerAccess;
  readonly log: Logger;
  /** Begins and ends with a slash. */
  readonly pathPrefix: string;
  /** The one origin that may use it from a browser. */
  readonly allowedOrigin: string;
  /** How long a watch waits for its agent. */
  readonly waitMs: number;
  /** Counts handshakes that are rejected. Default: not counted. */
  readonly refusals?: RawRefusals;
}

/** Who has opened a socket, and with which rights. */
interface SocketCaller {
  readonly credential: ProxyCredential;
  readonly access: ProxyAccess;
}

/** What the record of a request for a token says. */
const TOKEN: AuditedAction = { verb: "create", apiGroup: "binnacle", resource: "watchtokens" };
const TOKEN_REQUEST = "kas-websocket-token-request";

/** `<prefix>watch` of the Kubernetes proxy: hands out tokens, and serves the WebSockets they open. */
export class WatchEndpoint {
  readonly #options: WatchEndpointOptions;
  readonly #path: string;
  readonly #socket: WatchSocket<SocketCaller>;

  constructor(options: WatchEndpointOptions) {
    const { callers, clock, log, allowedOrigin, waitMs, pathPrefix } = options;
    this.#options = options;
    this.#path = `${pathPrefix}watch`;
    this.#socket = new WatchSocket({
      clock,
      log,
      allowedOrigin,
      refusals: options.refusals,
      upstream: (caller) =>
        routedWatch({
          via: options,
          waitMs,
          authorize: (signal) => this.#sameAccess(caller, signal),
          record: (requestId, request, isStream) => this.#record(caller, { requestId, request, isStream }),
        }),
      isSameCaller: ({ credential }, handshake) => credential.kind !== "cookie" || showsSession(handshake, credential.session),
      recheckAccess: ({ credential, access }, end) => recheckAccess(clock, () => callers.prove(credential, access), end),
    });
  }

  /** A watch of a socket acts as the socket began; when that is not allowed any more the next proof closes it. */
  async #sameAccess({ credential, access }: SocketCaller, signal: AbortSignal): Promise<ProxyAccess> {
    const now = await this.#options.callers.authorize(credential, { signal, maxAgeMs: PROOF_MAX_AGE_MS });
    if (accessKey(now) !== accessKey(access)) throw changedAccess();
    return now;
  }

  /** A watch of a socket is recorded with the principal that opened the socket. */
  #record(
    { access }: SocketCaller,
    watch: { readonly requestId: string; readonly request: WatchRequest | undefined; readonly isStream: boolean },
  ): RequestAudit {
    const { requestId, request, isStream } = watch;
    const { principal, agentId, identity } = access;
    const audit = this.#options.callers.audit(requestId);
    const action = request === undefined ? { verb: "watch" } : actionOf("GET", request.path, request.query);
    audit.accepted({ principal, agentId, action, isStream });
    audit.allowed(identity?.username);
    return audit;
  }

  /** Answers a request for a token, or a preflight for it. @returns false for any other request */
  intercept(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.url?.startsWith(this.#path) !== true) return false;
    const [path, query] = request.url.split("?", 2);
    if (path !== this.#path || (request.method !== "GET" && request.method !== "OPTIONS")) return false;
    if (new URLSearchParams(query).get(TOKEN_REQUEST) !== "true") return false;
    const { callers, pathPrefix } = this.#options;
    void callers.handle(request, response, async (exchange) => {
      const { headers } = exchange;
      const token = this.#socket.issueToken(await callers.access(exchange, parseTarget(request.url ?? "", pathPrefix), TOKEN));
      response.writeHead(200, { ...headers, "content-type": "application/json", "cache-control": "no-store" });
      response.end(JSON.stringify({ token }));
    }); // never rejects
    return true;
  }

  /** Answers a handshake. @returns false when it is for something else */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    if ((request.url ?? "").split("?", 1)[0] !== this.#path) return false;
    this.#socket.handleUpgrade(request, socket, head);
    return true;
  }

  /** Tells all clients to come back: this kas goes away. */
  close(): void {
    this.#socket.close();
  }
}
