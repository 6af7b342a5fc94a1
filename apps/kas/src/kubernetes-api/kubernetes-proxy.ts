import { randomUUID } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Writable } from "node:stream";

import type { ByteLedger } from "@binnacle/grpc-wire";
import { clientAddressOf, type Clock, Fault, NO_TRUSTED_PROXIES, type TrustedProxies } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { AuditedAction } from "@binnacle/telemetry/audit";
import { actionOf } from "../audit/audited-action.ts";
import { RequestAudit, type AuditSink } from "../audit/request-audit.ts";
import type { ConfigurationErrors } from "../agent-configuration/configuration-errors.ts";
import type { WatchBudget } from "../agent-call/agent-call.ts";
import { callClassOf, callerKey, type CallClass, type Caller } from "../agent-call/call-context.ts";
import type { HttpExchange, HttpExchangeVia } from "../http-exchange/http-exchange.ts";
import { openHttpExchange } from "../http-exchange/open-http-exchange.ts";
import type { RequestHead } from "../http-exchange/request-header.ts";
import type { AuthorizationAsking, ProxyAuthorizer } from "../main-application/proxy-authorizer.ts";
import { checkRequest } from "./checked-request.ts";
import { checkUpgradeOrigin, corsHeadersOf, isPreflight, preflightHeaders } from "./cross-origin.ts";
import { keepProving, PROOF_MAX_AGE_MS } from "./live-access.ts";
import { proveAccess } from "./proved-access.ts";
import { ProxiedResponse, type ProxiedResponseOptions } from "./proxied-response.ts";
import { authorize, type AccessRules, type ForbiddenImpersonation, type ProxyAccess } from "./proxy-access.ts";
import { credentialOf, type ProxyCredential } from "./proxy-credential.ts";
import { ProxyRefusal, refusalOf } from "./proxy-refusal.ts";
import { patienceOf } from "./answer-patience.ts";
import { parseTarget, type ProxyTarget } from "./proxy-target.ts";
import {
  bodyOf,
  contentLengthOf,
  dropRestOf,
  expectsContinue,
  isLeftWaiting,
  takesTrailers,
  trailerNamesOf,
  trailersOf,
} from "./request-body.ts";
import { headersForAgent, wantsEvents } from "./request-headers.ts";
import { handshakeForClient } from "./response-headers.ts";
import { UpgradedConnection, type UpgradeRules } from "./upgraded-connection.ts";
import { handshakeForAgent, UpgradeResponse } from "./upgrade-response.ts";
import { budgetHeaders, checkWatchBudget } from "./watch-budget.ts";

/** What the proxy needs. */
export interface KubernetesProxyOptions extends HttpExchangeVia {
  readonly authorizer: ProxyAuthorizer;
  readonly errors: ConfigurationErrors;
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
  /** Who may not send `Impersonate-*` where the agent acts; default: browsers. */
  readonly forbidImpersonation?: ForbiddenImpersonation;
  /** Where bytes that a client does not read are booked. Default: nowhere. */
  readonly ledger?: ByteLedger;
  /** How many watches the agent carries, and how many more the caller may begin; undefined: this kas does not know. Default: unknown. */
  readonly watchBudget?: (agentId: bigint, caller: Caller) => WatchBudget | undefined;
  /** How long upgraded connections may last. Default: an hour idle, twelve in all. */
  readonly upgrades?: UpgradeRules;
  /** What makes an agent's views of environments; undefined: it is not known, empty: it offers none. Default: unknown. */
  readonly viewsOf?: (agentId: bigint) => string | undefined;
  /** Where requests are recorded. Default: nowhere. */
  readonly audit?: AuditSink["log"];
  /** Counts requests that may go to their agent. */
  readonly onAuthorized?: () => void;
  /** Counts answers by status; 499 for a client that left before any. */
  readonly onAnswer: (statusCode: number) => void;
}

/** One for all: an `AbortError` of its own would cost a stack trace per request. */
const LEFT = new Fault("cancelled", "the client left");
/** Of another prover, the BFF: the answer must not be older than a proof of ours. */
const PROOF_HEADER = "kas-proof";
const CLIENT_LEFT = 499;
const DEFAULT_UPGRADES: UpgradeRules = { idleMs: 3_600_000, maxMs: 12 * 3_600_000 };
const NOTHING = (): void => {};

/** The Kubernetes API of agents' clusters over HTTP: authorises, gives the request its identity, and passes bytes. */
export class KubernetesProxy {
  readonly #options: KubernetesProxyOptions;
  readonly #auditSink: AuditSink;
  /** Watches and upgrades: what goes on until somebody ends it. */
  readonly #streams = new Set<ProxiedResponse>();

  constructor(options: KubernetesProxyOptions) {
    this.#options = options;
    this.#auditSink = { clock: options.clock, log: options.audit };
  }

  /**
   * Answers one request: CORS, refusals and counting are the same for everything on this port. Never rejects.
   *
   * @param answer answers it instead of the cluster; what it throws becomes a refusal
   */
  async handle(request: IncomingMessage, response: ServerResponse, answer?: (exchange: Exchange) => Promise<void>): Promise<void> {
    const { serverName, onAnswer, log, pathPrefix } = this.#options;
    const requestId = randomUUID();
    const audit = this.audit(requestId);
    const left = new AbortController();
    response.on("close", () => {
      // Whoever has his whole answer leaves nobody alone.
      if (!response.writableFinished) left.abort(LEFT);
      const code = response.headersSent ? response.statusCode : CLIENT_LEFT;
      onAnswer(code);
      audit.finish(code);
    });
    // A client that resets its connection is no error of ours.
    response.on("error", NOTHING);
    const headers: OutgoingHttpHeaders = { server: serverName, "x-request-id": requestId };
    try {
      checkRequest(request, pathPrefix);
      Object.assign(headers, corsHeadersOf(request, this.#options.allowedOrigin));
      if (isPreflight(request)) return void response.writeHead(204, { ...headers, ...preflightHeaders(request, headers) }).end();
      const exchange = { request, response, headers, traceId: requestId, signal: left.signal, audit };
      await (answer === undefined ? this.#proxy(exchange) : answer(exchange));
    } catch (error) {
      if (left.signal.aborted) return;
      if (!(error instanceof ProxyRefusal) && !(error instanceof Fault))
        log.error({ error, correlation_id: requestId }, "proxying a request failed");
      refuse({ request, response, headers }, refusalOf(error), this.#options.clock);
    }
  }

  /** The record of a request that begins now. */
  audit(requestId: string): RequestAudit {
    return new RequestAudit(this.#auditSink, requestId);
  }

  /**
   * Who is calling, and whether he may. From here on the request is recorded.
   *
   * @param action what the record says of the request
   * @returns at once for whom the main application has spoken of before
   * @throws ProxyRefusal
   */
  access(asking: AskedAccess, target: ProxyTarget, action: AuditedAction): ProvedCaller | Promise<ProvedCaller> {
    return this.#accessOf(asking, target, { action, callClass: classOf(asking, target) });
  }

  #accessOf(
    asking: AskedAccess,
    target: ProxyTarget,
    { action, callClass }: { readonly action: AuditedAction; readonly callClass: CallClass },
  ): ReturnType<KubernetesProxy["access"]> {
    const { request } = asking;
    const isStream = callClass === "upgrade" || callClass === "watch" || wantsEvents(request);
    return this.#access(asking, target, { action, isStream, isLive: isStream || request.headers[PROOF_HEADER] !== undefined });
  }

  /** The same for an answer that goes on until somebody ends it, whatever the request looks like. @throws ProxyRefusal */
  liveAccess(asking: AskedAccess, target: ProxyTarget, action: AuditedAction): ReturnType<KubernetesProxy["access"]> {
    return this.#access(asking, target, { action, isStream: true, isLive: true });
  }

  #access(
    { request, response, signal, audit }: AskedAccess,
    target: ProxyTarget,
    { action, isStream, isLive }: { readonly action: AuditedAction; readonly isStream: boolean; readonly isLive: boolean },
  ): ReturnType<KubernetesProxy["access"]> {
    const credential = credentialOf(request, target);
    if (credential.kind === "cookie" && response instanceof UpgradeResponse) checkUpgradeOrigin(request);
    const origin = { peer: request.socket.remoteAddress, forwardedFor: request.headersDistinct["x-forwarded-for"] };
    const address = clientAddressOf(origin, this.#options.trustedProxies ?? NO_TRUSTED_PROXIES);
    // What begins with an old answer would outlive it by the time of one proof.
    const maxAgeMs = isLive ? PROOF_MAX_AGE_MS : undefined;
    const { agentId } = credential;
    const allowed = (access: ProxyAccess): ProvedCaller => {
      audit.allowed(access.identity?.username ?? namedUser(request, access));
      return { credential, access };
    };
    const access = this.authorize(credential, { signal, maxAgeMs, address }, (principal) =>
      audit.accepted({ principal, agentId, action, isStream }),
    );
    return access instanceof Promise ? access.then(allowed) : allowed(access);
  }

  /** Whether somebody who was seen before may, and as whom. @throws ProxyRefusal */
  authorize(
    credential: ProxyCredential,
    asking: AuthorizationAsking,
    onRecognized?: AccessRules["onRecognized"],
  ): ProxyAccess | Promise<ProxyAccess> {
    const { authorizer, forbidImpersonation = "cookie" } = this.#options;
    return authorize({ authorizer, forbidImpersonation, ...(onRecognized && { onRecognized }) }, credential, asking);
  }

  /** For `keepProving`. @throws ProxyRefusal when the rights are gone or are others; not when nobody could be asked */
  prove(credential: ProxyCredential, began: ProxyAccess): Promise<void> {
    const { clock, log } = this.#options;
    return proveAccess({ clock, log, began, authorize: (asking) => this.authorize(credential, asking) });
  }

  /** Passes a request on whose caller may make it, and its answer back. @throws ProxyRefusal, Fault of the router */
  async pass(exchange: Exchange, passed: PassedRequest): Promise<void> {
    const { request, response, headers, traceId, signal, audit } = exchange;
    const { errors, waitMs, watchBudget } = this.#options;
    const { credential, access, target, callClass, service, pathPrefix } = passed;
    const { agentId, caller, identity } = access;
    const budget = watchBudget?.(agentId, caller);
    Object.assign(headers, budgetHeaders(budget), this.viewsHeaders(agentId));
    const known = errors.get(agentId);
    const broken = known instanceof Promise ? await known : known;
    if (broken) headers["kas-agent-config-error"] = headerText(`${broken.reason}; last-good=${broken.lastGoodCommit}`);
    const upgrade = response instanceof UpgradeResponse ? response : undefined;
    const header = headersForAgent(request, access.mayImpersonate && service === undefined);
    if (upgrade) Object.assign(header, handshakeForAgent(request, upgrade.protocol));
    checkWatchBudget(request, callClass, budget);
    // Go agents send a body in chunks, though an empty one, unless they know that there is none.
    const length = upgrade ? 0n : contentLengthOf(request);
    const body = bodyOf(request);
    this.book(response, caller);
    const answer = new ProxiedResponse({
      response,
      callClass,
      pathPrefix,
      headers,
      isOfService: service !== undefined,
      takesTrailers: takesTrailers(request),
      refuse: (refusal) => refuse(exchange, refusal, this.#options.clock),
      ...(upgrade && { upgrade: (...answered) => this.#switch({ exchange, response: upgrade }, answered) }),
    });
    const trailers = trailersOf(request);
    if (trailers) header["trailer"] = { value: [trailerNamesOf(request).join(", ")] };
    if (takesTrailers(request)) header["te"] = { value: ["trailers"] };
    const opened = openHttpExchange(
      this.#options,
      {
        agentId,
        context: { caller, traceId, class: callClass, waitMs, ...patienceOf(request, callClass) },
        signal,
        method: request.method ?? "GET",
        path: target.path,
        query: target.query,
        rawTarget: target.raw,
        header,
        contentLength: length,
        service,
        identity: service ? undefined : identity,
        body,
        awaitsContinue: body !== undefined && expectsContinue(request),
        ...(trailers && { trailers }),
        ...(upgrade && { upgrade: upgrade.protocol }),
      },
      answer,
    );
    const running = opened instanceof Promise ? await opened : opened;
    audit.counts(running);
    answer.attach(running);
    const isStream = callClass === "watch" || callClass === "upgrade";
    this.#accompany({ response, answer, running, prove: () => this.prove(credential, access), isStream });
  }

  /** `Kas-Agent-Views`, when it is known that the agent has views of environments: of which engine. No cluster can send it through. */
  viewsHeaders(agentId: bigint): OutgoingHttpHeaders {
    const engine = this.#options.viewsOf?.(agentId) ?? "";
    return engine === "" ? {} : { "kas-agent-views": engine };
  }

  /** This kas goes away: running watches hear that they should come back elsewhere, and upgraded connections are cut. */
  leave(): void {
    const refusal = refusalOf(new Fault("shutting_down", "this kas goes away; watch again"));
    for (const stream of this.#streams) stream.endRefused(refusal);
  }

  /** Bytes of the connection belong to its two ends from now on. */
  #switch(
    { exchange, response }: { readonly exchange: Exchange; readonly response: UpgradeResponse },
    [header, call]: Parameters<NonNullable<ProxiedResponseOptions["upgrade"]>>,
  ): UpgradedConnection {
    const { clock, upgrades: rules = DEFAULT_UPGRADES } = this.#options;
    const headers = { ...exchange.headers, ...handshakeForClient(header) };
    const upgraded = new UpgradedConnection({ response, headers, call, clock, rules });
    exchange.audit.counts(upgraded);
    return upgraded;
  }

  async #proxy(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    const { pathPrefix, onAuthorized } = this.#options;
    const target = parseTarget(request.url ?? "/", pathPrefix);
    const { method = "GET" } = request;
    const callClass = classOf(exchange, target);
    const proved = this.#accessOf(exchange, target, { action: actionOf(method, target.path, target.query), callClass });
    const { credential, access } = proved instanceof Promise ? await proved : proved;
    onAuthorized?.();
    await this.pass(exchange, { credential, access, target, callClass, pathPrefix });
  }

  /**
   * A client that does not read pays from its own account; over it, its largest answer is cut.
   *
   * @param held bytes that wait for it besides
   */
  book(response: Writable, caller: Caller, held: () => number = () => 0): void {
    const account = this.#options.ledger?.open({ kind: "user", id: callerKey(caller) }, () => response.destroy());
    if (account === undefined) return;
    account.probe(() => response.writableLength + held());
    if (response.destroyed) account.close();
    else response.on("close", () => account.close());
  }

  /** Looks after a running exchange until the client's side is closed. */
  #accompany(live: LiveExchange): void {
    const { response, answer, running } = live;
    if (response.destroyed) return running.cancel();
    if (live.isStream) this.#streams.add(answer);
    const stopProving = keepProving(this.#options.clock, live.prove, (error) => answer.endRefused(refusalOf(error)));
    response.on("close", () => {
      this.#streams.delete(answer);
      stopProving();
      running.cancel();
    });
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
  readonly audit: RequestAudit;
}

/** Whose credential is looked at, and where it is recorded. */
export type AskedAccess = Pick<Exchange, "request" | "response" | "signal" | "audit">;

/** What a request has shown, and what that allows. */
export interface ProvedCaller {
  readonly credential: ProxyCredential;
  readonly access: ProxyAccess;
}

/** A request that may be passed on. */
export interface PassedRequest extends ProvedCaller {
  readonly target: ProxyTarget;
  readonly callClass: CallClass;
  /** Where the other side's own paths begin here; begins and ends with a slash. */
  readonly pathPrefix: string;
  /** For another service of the agent than its Kubernetes API: as whom the agent acts stands in the extra then. */
  readonly service?: RequestHead["service"];
}

interface LiveExchange {
  readonly response: ServerResponse;
  readonly answer: ProxiedResponse;
  readonly running: HttpExchange;
  readonly prove: () => Promise<void>;
  readonly isStream: boolean;
}

function classOf({ request, response }: Pick<Exchange, "request" | "response">, { query, path }: ProxyTarget): CallClass {
  return response instanceof UpgradeResponse ? "upgrade" : callClassOf(request.method ?? "GET", query, path);
}

/** Whom a caller who may choose has named; of several the API server takes the first. */
function namedUser(request: IncomingMessage, { mayImpersonate }: ProxyAccess): string | undefined {
  return mayImpersonate ? request.headersDistinct["impersonate-user"]?.[0] : undefined;
}

/** Only visible ASCII may stand in a header. */
function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 1_000);
}

function refuse(
  { request, response, headers }: Pick<Exchange, "request" | "response" | "headers">,
  refusal: ProxyRefusal,
  clock: Clock,
): void {
  if (response.headersSent) return void response.destroy();
  const body = JSON.stringify(refusal.status);
  const close = isLeftWaiting(request, response) ? { connection: "close" } : {};
  dropRestOf(request, response, clock);
  response.writeHead(refusal.code, {
    ...headers,
    ...refusal.headers,
    ...close,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-content-type-options": "nosniff",
  });
  response.end(body);
}
