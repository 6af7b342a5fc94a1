import { randomUUID } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Writable } from "node:stream";

import type { ByteLedger } from "@binnacle/grpc-wire";
import { clientAddressOf, type Clock, Fault, NO_TRUSTED_PROXIES, type TrustedProxies } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import type { AuditedAction } from "@binnacle/telemetry/audit";

import { callClassOf, callerKey, type CallClass, type Caller } from "../../agent-call/call-context.ts";
import { RequestAudit, type AuditSink } from "../../audit/request-audit.ts";
import type { AuthorizationAsking, CallerAuthorizer } from "../../main-application/proxy-authorizer.ts";
import { checkUpgradeOrigin, corsHeadersOf, isPreflight, preflightHeaders } from "../http/cross-origin.ts";
import { refuse, type Exchange } from "../http/exchange.ts";
import { ProxyRefusal, refusalOf } from "../http/proxy-refusal.ts";
import { wantsEvents } from "../http/request-headers.ts";
import { UpgradeResponse } from "../http/upgrade-response.ts";
import { PROOF_MAX_AGE_MS } from "./live-access.ts";
import { verifyAccess } from "./verify-access.ts";
import { authorize, type AccessRules, type ForbiddenImpersonation, type ProxyAccess } from "./proxy-access.ts";
import { credentialOf, type ProxyCredential } from "./proxy-credential.ts";
import type { ProxyTarget } from "./proxy-target.ts";

/** What callers are authorized with. */
export interface CallerAccessOptions {
  readonly authorizer: CallerAuthorizer;
  readonly clock: Clock;
  readonly log: Logger;
  /** Begins and ends with a slash. */
  readonly pathPrefix: string;
  /** The one origin that may use the port from a browser. */
  readonly allowedOrigin: string;
  /** `Server` header. */
  readonly serverName: string;
  /** Proxies whose `X-Forwarded-For` is trusted for the client's address. Default: none. */
  readonly trustedProxies?: TrustedProxies;
  /** Who may not send `Impersonate-*` where the agent acts. Default: browsers. */
  readonly forbidImpersonation?: ForbiddenImpersonation;
  /** Where bytes that a client does not read are booked. Default: nowhere. */
  readonly ledger?: ByteLedger;
  /** Where requests are recorded. Default: nowhere. */
  readonly audit?: AuditSink["log"];
  /** Counts answers by status; 499 for a client that left before any. */
  readonly onAnswer: (statusCode: number) => void;
}

/** A caller that may make its request, and as whom. */
export interface AuthorizedCaller {
  readonly credential: ProxyCredential;
  readonly access: ProxyAccess;
}

/** Undefined where nothing had to be waited for: a promise and the function that awaits it cost a request more than its rights do. */
export type MayWait = Promise<void> | undefined;

/** A request whose credential is checked, and its audit record. */
export type AccessRequest = Pick<Exchange, "request" | "response" | "signal" | "audit">;

/** One for all: an `AbortError` of its own would cost a stack trace per request. */
const LEFT = new Fault("cancelled", "the client left");
/** Of another prover, the BFF: the answer must not be older than a proof of ours. */
const PROOF_HEADER = "kas-proof";
const CLIENT_LEFT = 499;
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const NOTHING = (): void => {};

/**
 * Callers of the Kubernetes port, whatever answers them: CORS, credential, rights, the record of the request, and what the answer may hold. Every
 * endpoint of the port is given the same one.
 */
export class CallerAccess {
  readonly #options: CallerAccessOptions;
  readonly #auditSink: AuditSink;

  constructor(options: CallerAccessOptions) {
    this.#options = options;
    this.#auditSink = { clock: options.clock, log: options.audit };
  }

  /**
   * Answers one request: CORS, refusals and counting are the same for everything on this port. Never throws and never rejects.
   *
   * @param answer answers it; what it throws becomes a refusal
   * @returns undefined where nothing had to be waited for
   */
  handle(request: IncomingMessage, response: ServerResponse, answer: (exchange: Exchange) => MayWait): MayWait {
    const { serverName, onAnswer, log, pathPrefix } = this.#options;
    const requestId = randomUUID();
    const audit = this.audit(requestId);
    const left = new AbortController();
    response.on("close", () => {
      // A client that closes after its full response has not disconnected early.
      if (!response.writableFinished) left.abort(LEFT);
      const code = response.headersSent ? response.statusCode : CLIENT_LEFT;
      onAnswer(code);
      audit.finish(code);
    });
    // A client that resets its connection is no error of ours.
    response.on("error", NOTHING);
    const headers: OutgoingHttpHeaders = { server: serverName, "x-request-id": requestId };
    const failed = (error: unknown): undefined => {
      if (left.signal.aborted) return;
      if (!(error instanceof ProxyRefusal) && !(error instanceof Fault))
        log.error({ error, correlation_id: requestId }, "proxying a request failed");
      refuse({ request, response, headers }, refusalOf(error), this.#options.clock);
    };
    try {
      checkRequest(request, pathPrefix);
      Object.assign(headers, corsHeadersOf(request, this.#options.allowedOrigin));
      if (!isPreflight(request))
        return answer({ request, response, headers, traceId: requestId, signal: left.signal, audit })?.catch(failed);
      response.writeHead(204, { ...headers, ...preflightHeaders(request, headers) }).end();
    } catch (error) {
      failed(error);
    }
    return undefined;
  }

  /** The record of a request that begins now. */
  audit(requestId: string): RequestAudit {
    return new RequestAudit(this.#auditSink, requestId);
  }

  /**
   * Authenticates and authorizes the caller. From here on the request is recorded.
   *
   * @param action what the record says of the request
   * @returns no promise where the rights are cached
   * @throws ProxyRefusal
   */
  access(asking: AccessRequest, target: ProxyTarget, action: AuditedAction): AuthorizedCaller | Promise<AuthorizedCaller> {
    return this.accessOf(asking, target, { action, callClass: classOf(asking, target) });
  }

  /** The same for a request whose class is known. */
  accessOf(
    asking: AccessRequest,
    target: ProxyTarget,
    { action, callClass }: { readonly action: AuditedAction; readonly callClass: CallClass },
  ): AuthorizedCaller | Promise<AuthorizedCaller> {
    const { request } = asking;
    const isStream = callClass === "upgrade" || callClass === "watch" || wantsEvents(request);
    return this.#access(asking, target, { action, isStream, isLive: isStream || request.headers[PROOF_HEADER] !== undefined });
  }

  /** The same for a response without an end, whatever the request looks like. @throws ProxyRefusal */
  liveAccess(asking: AccessRequest, target: ProxyTarget, action: AuditedAction): AuthorizedCaller | Promise<AuthorizedCaller> {
    return this.#access(asking, target, { action, isStream: true, isLive: true });
  }

  #access(
    { request, response, signal, audit }: AccessRequest,
    target: ProxyTarget,
    { action, isStream, isLive }: { readonly action: AuditedAction; readonly isStream: boolean; readonly isLive: boolean },
  ): AuthorizedCaller | Promise<AuthorizedCaller> {
    const credential = credentialOf(request, target);
    if (credential.kind === "cookie" && response instanceof UpgradeResponse) checkUpgradeOrigin(request);
    const origin = { peer: request.socket.remoteAddress, forwardedFor: request.headersDistinct["x-forwarded-for"] };
    const address = clientAddressOf(origin, this.#options.trustedProxies ?? NO_TRUSTED_PROXIES);
    // What begins with an old answer would outlive it by the time of one proof.
    const maxAgeMs = isLive ? PROOF_MAX_AGE_MS : undefined;
    const { agentId } = credential;
    const allowed = (access: ProxyAccess): AuthorizedCaller => {
      audit.allowed(access.identity?.username ?? namedUser(request, access));
      return { credential, access };
    };
    const access = this.authorize(credential, { signal, maxAgeMs, address }, (principal) =>
      audit.accepted({ principal, agentId, action, isStream }),
    );
    return access instanceof Promise ? access.then(allowed) : allowed(access);
  }

  /** Authorizes a credential of an earlier request again. @throws ProxyRefusal */
  authorize(
    credential: ProxyCredential,
    asking: AuthorizationAsking,
    onRecognized?: AccessRules["onRecognized"],
  ): ProxyAccess | Promise<ProxyAccess> {
    const { authorizer, forbidImpersonation = "cookie" } = this.#options;
    return authorize({ authorizer, forbidImpersonation, ...(onRecognized && { onRecognized }) }, credential, asking);
  }

  /** For `recheckAccess`. @throws ProxyRefusal when the rights are gone or have changed; not when the main application is unavailable */
  prove(credential: ProxyCredential, began: ProxyAccess): Promise<void> {
    const { clock, log } = this.#options;
    return verifyAccess({ clock, log, began, authorize: (asking) => this.authorize(credential, asking) });
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
}

/** The class of a request. */
export function classOf({ request, response }: Pick<Exchange, "request" | "response">, { query, path }: ProxyTarget): CallClass {
  return response instanceof UpgradeResponse ? "upgrade" : callClassOf(request.method ?? "GET", query, path);
}

/** Whom a caller who may choose has named; of several the API server takes the first. */
function namedUser(request: IncomingMessage, { mayImpersonate }: ProxyAccess): string | undefined {
  return mayImpersonate ? request.headersDistinct["impersonate-user"]?.[0] : undefined;
}

/**
 * Checks a request before anything else: a method of the Kubernetes API, one `Host`, below our prefix.
 *
 * @param prefix begins and ends with a slash
 * @throws ProxyRefusal 405 for another method (TRACE would show a client's credentials to scripts), 400
 */
function checkRequest(request: IncomingMessage, prefix: string): void {
  if (!METHODS.has(request.method ?? ""))
    throw new ProxyRefusal(405, `the method ${request.method ?? ""} is not served`, { headers: { Allow: [...METHODS].join(", ") } });
  // Two readers of two hosts may take different ones (T12).
  const hosts = request.headersDistinct["host"] ?? [];
  if (hosts.length > 1 || (hosts.length === 0 && request.httpVersion !== "1.0"))
    throw new ProxyRefusal(400, "exactly one Host header is needed");
  if (!(request.url ?? "").startsWith(prefix)) throw new ProxyRefusal(400, `the path must begin with ${prefix}`);
}
