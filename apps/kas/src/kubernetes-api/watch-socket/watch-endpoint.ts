import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { AgentRouter } from "../../agent-call/agent-call.ts";
import type { KubernetesProxy } from "../kubernetes-proxy.ts";
import { keepProving } from "../live-access.ts";
import { showsSession, type ProxyCredential } from "../proxy-credential.ts";
import { parseTarget } from "../proxy-target.ts";
import { routedWatch } from "./routed-watch.ts";
import { WatchSocket } from "./watch-socket.ts";

/** What `/watch` needs besides the proxy that authorises. */
export interface WatchEndpointOptions {
  readonly proxy: KubernetesProxy;
  readonly router: AgentRouter;
  readonly clock: Clock;
  readonly log: Logger;
  /** Begins and ends with a slash. */
  readonly pathPrefix: string;
  /** The one origin that may use it from a browser. */
  readonly allowedOrigin: string;
  /** How long a watch waits for its agent. */
  readonly waitMs: number;
}

const TOKEN_REQUEST = "kas-websocket-token-request";

/** `<prefix>watch` of the Kubernetes proxy: hands out tokens, and serves the WebSockets they open. */
export class WatchEndpoint {
  readonly #options: WatchEndpointOptions;
  readonly #path: string;
  readonly #socket: WatchSocket<ProxyCredential>;

  constructor(options: WatchEndpointOptions) {
    const { proxy, router, clock, log, allowedOrigin, waitMs, pathPrefix } = options;
    this.#options = options;
    this.#path = `${pathPrefix}watch`;
    this.#socket = new WatchSocket({
      clock,
      log,
      allowedOrigin,
      upstream: (credential) => routedWatch({ router, waitMs, authorize: (signal) => proxy.authorize(credential, { signal }) }),
      isSameCaller: (credential, handshake) => credential.kind !== "cookie" || showsSession(handshake, credential.session),
      keepProving: (credential, end) => keepProving(clock, () => proxy.prove(credential), end),
    });
  }

  /** Answers a request for a token, or asks what may be asked. @returns false for any other request */
  intercept(request: IncomingMessage, response: ServerResponse): boolean {
    const [path, query] = (request.url ?? "").split("?", 2);
    if (path !== this.#path || (request.method !== "GET" && request.method !== "OPTIONS")) return false;
    if (new URLSearchParams(query).get(TOKEN_REQUEST) !== "true") return false;
    const { proxy, pathPrefix } = this.#options;
    void proxy.handle(request, response, async ({ headers, signal }) => {
      const { credential } = await proxy.access(request, parseTarget(request.url ?? "", pathPrefix), signal);
      const token = this.#socket.issueToken(credential);
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
