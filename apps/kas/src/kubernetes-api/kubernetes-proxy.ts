import { randomUUID } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";

import { Fault, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { ConfigurationErrors } from "../agent-configuration/configuration-errors.ts";
import type { AgentCall, AgentRouter } from "../agent-call/agent-call.ts";
import { callClassOf } from "../agent-call/call-context.ts";
import { clientAddressOf } from "../client-address/client-address.ts";
import { NO_TRUSTED_PROXIES, type TrustedProxies } from "../client-address/trusted-proxies.ts";
import type { AuthorizationAsking, ProxyAuthorizer } from "../main-application/proxy-authorizer.ts";
import { corsHeadersOf, isPreflight, preflightHeaders } from "./cross-origin.ts";
import { keepProving } from "./live-access.ts";
import { MAKE_REQUEST } from "./make-request-method.ts";
import { contentLengthOf, encodeRequestHeader, sendRequest } from "./proxied-request.ts";
import { ProxiedResponse } from "./proxied-response.ts";
import { authorize, type ProxyAccess } from "./proxy-access.ts";
import { credentialOf, type ProxyCredential } from "./proxy-credential.ts";
import { ProxyRefusal, refusalOf } from "./proxy-refusal.ts";
import { parseTarget, type ProxyTarget } from "./proxy-target.ts";
import { headersForAgent } from "./request-headers.ts";

/** What the proxy needs. */
export interface KubernetesProxyOptions {
  readonly router: AgentRouter;
  readonly authorizer: ProxyAuthorizer;
  readonly errors: ConfigurationErrors;
  readonly clock: Clock;
  readonly log: Logger;
  /** Begins and ends with a slash. */
  readonly pathPrefix: string;
  /** The one origin that may use the proxy from a browser. */
  readonly allowedOrigin: string;
  /** How long a request waits for its agent. */
  readonly waitMs: number;
  /** `Server` header. */
  readonly serverName: string;
  /** Whose word about the client's address is believed; default: nobody's. */
  readonly trustedProxies?: TrustedProxies;
  /** Counts answers by status. */
  readonly onAnswer: (statusCode: number) => void;
}

/** The Kubernetes API of agents' clusters over HTTP: authorises, gives the request its identity, and passes bytes. */
export class KubernetesProxy {
  readonly #options: KubernetesProxyOptions;

  constructor(options: KubernetesProxyOptions) {
    this.#options = options;
  }

  /**
   * Answers one request: CORS, refusals and counting are the same for everything on this port. Never rejects.
   *
   * @param answer answers it instead of the cluster; what it throws becomes a refusal
   */
  async handle(request: IncomingMessage, response: ServerResponse, answer?: (exchange: Exchange) => Promise<void>): Promise<void> {
    const { serverName, onAnswer, log } = this.#options;
    const requestId = randomUUID();
    const left = new AbortController();
    response.once("close", () => {
      left.abort();
      onAnswer(response.statusCode);
    });
    // A client that resets its connection is no error of ours.
    response.on("error", () => undefined);
    const headers: OutgoingHttpHeaders = { server: serverName, "x-request-id": requestId };
    try {
      Object.assign(headers, corsHeadersOf(request, this.#options.allowedOrigin));
      if (isPreflight(request)) return void response.writeHead(204, { ...headers, ...preflightHeaders(request, headers) }).end();
      const exchange = { request, response, headers, traceId: requestId, signal: left.signal };
      await (answer === undefined ? this.#proxy(exchange) : answer(exchange));
    } catch (error) {
      if (left.signal.aborted) return;
      if (!(error instanceof ProxyRefusal) && !(error instanceof Fault))
        log.error({ error, correlation_id: requestId }, "proxying a request failed");
      refuse({ request, response, headers }, refusalOf(error));
    }
  }

  /** Who is calling, and whether he may. @throws ProxyRefusal */
  async access(
    request: IncomingMessage,
    target: ProxyTarget,
    signal: AbortSignal,
  ): Promise<{ readonly credential: ProxyCredential; readonly access: ProxyAccess }> {
    const credential = credentialOf(request, target);
    const origin = { peer: request.socket.remoteAddress, forwardedFor: request.headersDistinct["x-forwarded-for"] };
    const address = clientAddressOf(origin, this.#options.trustedProxies ?? NO_TRUSTED_PROXIES);
    return { credential, access: await this.authorize(credential, { signal, address }) };
  }

  /** Whether somebody who was seen before still may, and as whom. @throws ProxyRefusal */
  authorize(credential: ProxyCredential, asking: AuthorizationAsking): Promise<ProxyAccess> {
    return authorize(this.#options.authorizer, credential, asking);
  }

  /** For `keepProving`. @throws ProxyRefusal when the rights are gone; not when nobody could be asked */
  async prove(credential: ProxyCredential): Promise<void> {
    try {
      await this.authorize(credential, { signal: AbortSignal.timeout(30_000) });
    } catch (error) {
      if (error instanceof ProxyRefusal && (error.code === 401 || error.code === 403)) throw error;
      this.#options.log.warn({ error }, "a live request could not be authorised again; it goes on");
    }
  }

  async #proxy(exchange: Exchange): Promise<void> {
    const { request, response, headers, traceId, signal } = exchange;
    const { router, errors, clock, pathPrefix, waitMs } = this.#options;
    const target = parseTarget(request.url ?? "/", pathPrefix);
    const { credential, access } = await this.access(request, target, signal);
    const broken = await errors.get(access.agentId);
    if (broken) headers["kas-agent-config-error"] = headerText(`${broken.reason}; last-good=${broken.lastGoodCommit}`);
    const length = contentLengthOf(request);
    const header = encodeRequestHeader(
      {
        method: request.method ?? "GET",
        target,
        header: headersForAgent(request, access.mayImpersonate),
        ...(length === undefined ? {} : { contentLength: length }),
      },
      access.identity,
    );
    let call: AgentCall | undefined;
    const answer = new ProxiedResponse({
      response,
      headers: () => ({ ...headers, "kas-route": `hops=${call?.hops ?? 0}` }),
      refuse: (refusal) => refuse(exchange, refusal),
    });
    const { agentId, caller, identity } = access;
    const context = { caller, traceId, class: callClassOf(request.method ?? "GET", target.query), waitMs };
    call = await router.open(
      { agentId, method: MAKE_REQUEST, impersonation: identity !== undefined, context, metadata: new Map(), signal },
      answer,
    );
    answer.attach(call);
    const stopProving = keepProving(
      clock,
      () => this.prove(credential),
      (error) => endRefused(response, { query: target.query, refusal: refusalOf(error) }),
    );
    response.once("close", () => {
      stopProving();
      call.cancel();
    });
    if (response.destroyed) call.cancel();
    await sendRequest(call, header, request).catch(() => call.cancel());
  }
}

/** One request with its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Those of ours, for every answer. */
  readonly headers: OutgoingHttpHeaders;
  /** Correlation id, also in the answer's `X-Request-Id`. */
  readonly traceId: string;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
}

/** Only visible ASCII may stand in a header. */
function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 1_000);
}

function refuse({ request, response, headers }: Pick<Exchange, "request" | "response" | "headers">, refusal: ProxyRefusal): void {
  if (response.headersSent) return void response.destroy();
  // What is left of the body is not read: the connection cannot carry another request.
  const close = request.readableEnded || request.complete ? {} : { connection: "close" };
  response.writeHead(refusal.code, {
    ...headers,
    ...refusal.headers,
    ...close,
    "content-type": "application/json",
    "x-content-type-options": "nosniff",
  });
  response.end(JSON.stringify(refusal.status));
}

/** A watch hears the reason as its last event; anything else is cut. */
function endRefused(response: ServerResponse, how: { readonly query: URLSearchParams; readonly refusal: ProxyRefusal }): void {
  const type = String(response.getHeader("content-type") ?? "");
  const watch = how.query.get("watch") === "true" || how.query.get("watch") === "1";
  if (response.headersSent && watch && type.startsWith("application/json")) {
    response.end(`${JSON.stringify({ type: "ERROR", object: how.refusal.status })}\n`);
  } else response.destroy();
}
