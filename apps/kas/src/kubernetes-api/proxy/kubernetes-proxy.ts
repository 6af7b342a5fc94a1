import type { IncomingMessage, ServerResponse } from "node:http";

import { Fault } from "@binnacle/rpc";

import type { WatchBudget } from "../../agent-call/agent-call.ts";
import { isPatience, type CallClass, type CallContext, type Caller } from "../../agent-call/call-context.ts";
import type { ConfigurationErrors, ConfigurationState } from "../../agent-configuration/configuration-errors.ts";
import { actionOf } from "../../audit/audited-action.ts";
import type { HttpExchange, HttpExchangeVia } from "../../http-exchange/http-exchange.ts";
import { openHttpExchange } from "../../http-exchange/open-http-exchange.ts";
import type { RequestHead } from "../../http-exchange/request-header.ts";
import { classOf, type AuthorizedCaller, type CallerAccess, type MayWait } from "../access/caller-access.ts";
import { recheckAccess } from "../access/live-access.ts";
import { parseTarget, type ProxyTarget } from "../access/proxy-target.ts";
import { refuse, type Exchange } from "../http/exchange.ts";
import { refusalOf } from "../http/proxy-refusal.ts";
import { bodyOf, contentLengthOf, expectsContinue, takesTrailers, trailerNamesOf, trailersOf } from "../http/request-body.ts";
import { headersForAgent } from "../http/request-headers.ts";
import { handshakeForClient, viewsHeaders } from "../http/response-headers.ts";
import { handshakeForAgent, UpgradeResponse } from "../http/upgrade-response.ts";
import { ProxiedResponse, type ProxiedResponseOptions } from "./proxied-response.ts";
import { UpgradedConnection, type UpgradeRules } from "./upgraded-connection.ts";
import { budgetHeaders, checkWatchBudget } from "./watch-budget.ts";

/** What the proxy needs. */
export interface KubernetesProxyOptions extends HttpExchangeVia {
  readonly callers: CallerAccess;
  readonly errors: ConfigurationErrors;
  /** Begins and ends with a slash. */
  readonly pathPrefix: string;
  /** How long a request waits for its agent. */
  readonly waitMs: number;
  /** How many watches the agent carries, and how many more the caller may begin; undefined: this kas does not know. Default: unknown. */
  readonly watchBudget?: (agentId: bigint, caller: Caller) => WatchBudget | undefined;
  /** How long upgraded connections may last. Default: an hour idle, twelve in all. */
  readonly upgrades?: UpgradeRules;
  /** What makes an agent's views of environments; undefined: it is not known, empty: it offers none. Default: unknown. */
  readonly viewsOf?: (agentId: bigint) => string | undefined;
  /** Counts requests that may go to their agent. */
  readonly onAuthorized?: () => void;
}

const DEFAULT_UPGRADES: UpgradeRules = { idleMs: 3_600_000, maxMs: 12 * 3_600_000 };
/** How many seconds the client gives the agent to begin its answer. It is for kas alone: the cluster does not see it. */
const ANSWER_WITHIN_HEADER = "kas-answer-within";

/** The Kubernetes API of agents' clusters over HTTP: gives the request of an authorized caller its identity, and passes bytes. */
export class KubernetesProxy {
  readonly #options: KubernetesProxyOptions;
  /** Watches and upgrades: responses without an end of their own. */
  readonly #streams = new Set<ProxiedResponse>();

  constructor(options: KubernetesProxyOptions) {
    this.#options = options;
  }

  /** Answers one request with what the cluster answers. Never throws and never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): MayWait {
    return this.#options.callers.handle(request, response, (exchange) => this.#proxy(exchange));
  }

  /** Passes a request on whose caller may make it, and its answer back. @throws or rejects with ProxyRefusal, Fault of the router */
  pass(exchange: Exchange, passed: PassedRequest): MayWait {
    const known = this.#options.errors.get(passed.access.agentId);
    if (known instanceof Promise) return known.then((broken) => this.#pass(exchange, passed, broken));
    return this.#pass(exchange, passed, known);
  }

  /** @param broken what is wrong with the agent's configuration */
  #pass(exchange: Exchange, passed: PassedRequest, broken: ConfigurationState | undefined): MayWait {
    const { request, response, headers, traceId, signal } = exchange;
    const { callers, waitMs, watchBudget, viewsOf } = this.#options;
    const { access, target, callClass, service, pathPrefix } = passed;
    const { agentId, caller, identity } = access;
    const budget = watchBudget?.(agentId, caller);
    Object.assign(headers, budgetHeaders(budget), viewsHeaders(viewsOf?.(agentId)));
    if (broken) headers["kas-agent-config-error"] = headerText(`${broken.reason}; last-good=${broken.lastGoodCommit}`);
    const upgrade = response instanceof UpgradeResponse ? response : undefined;
    const header = headersForAgent(request, access.mayImpersonate && service === undefined);
    if (upgrade) Object.assign(header, handshakeForAgent(request, upgrade.protocol));
    checkWatchBudget(request, callClass, budget);
    // Go agents send a body in chunks, though an empty one, unless they know that there is none.
    const length = upgrade ? 0n : contentLengthOf(request);
    const body = bodyOf(request);
    callers.book(response, caller);
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
    if (opened instanceof Promise) return opened.then((running) => this.#accompany(exchange, passed, { answer, running }));
    this.#accompany(exchange, passed, { answer, running: opened });
    return undefined;
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

  #proxy(exchange: Exchange): MayWait {
    const { request } = exchange;
    const { callers, pathPrefix } = this.#options;
    const target = parseTarget(request.url ?? "/", pathPrefix);
    const { method = "GET" } = request;
    const callClass = classOf(exchange, target);
    const authorized = callers.accessOf(exchange, target, { action: actionOf(method, target.path, target.query), callClass });
    if (authorized instanceof Promise)
      return authorized.then((caller) => this.#passAuthorized(exchange, { ...caller, target, callClass, pathPrefix }));
    const { credential, access } = authorized;
    return this.#passAuthorized(exchange, { credential, access, target, callClass, pathPrefix });
  }

  #passAuthorized(exchange: Exchange, passed: PassedRequest): MayWait {
    this.#options.onAuthorized?.();
    return this.pass(exchange, passed);
  }

  /** Looks after a running exchange until the client's side is closed. */
  #accompany({ response, audit }: Exchange, { credential, access, callClass }: PassedRequest, { answer, running }: LiveExchange): void {
    const { callers, clock } = this.#options;
    audit.counts(running);
    answer.attach(running);
    if (response.destroyed) return running.cancel();
    if (callClass === "watch" || callClass === "upgrade") this.#streams.add(answer);
    const prove = (): Promise<void> => callers.prove(credential, access);
    const stopProving = recheckAccess(clock, prove, (error) => answer.endRefused(refusalOf(error)));
    response.on("close", () => {
      this.#streams.delete(answer);
      stopProving();
      running.cancel();
    });
  }
}

/** A request that may be passed on. */
export interface PassedRequest extends AuthorizedCaller {
  readonly target: ProxyTarget;
  readonly callClass: CallClass;
  /** Where the other side's own paths begin here; begins and ends with a slash. */
  readonly pathPrefix: string;
  /** For another service of the agent than its Kubernetes API: as whom the agent acts stands in the extra then. */
  readonly service?: RequestHead["service"];
}

interface LiveExchange {
  readonly answer: ProxiedResponse;
  readonly running: HttpExchange;
}

/** Only visible ASCII may stand in a header. */
function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 1_000);
}

/**
 * How long the client waits for the begin of a response, so that it receives the cause of a timeout before it gives up. Not for a
 * watch, which has nothing to send until something happens.
 */
function patienceOf(request: IncomingMessage, callClass: CallClass): Pick<CallContext, "answerWithinMs"> {
  const value = request.headers[ANSWER_WITHIN_HEADER];
  if (typeof value !== "string" || !/^\d{1,2}$/.test(value) || callClass === "watch" || callClass === "upgrade") return {};
  const answerWithinMs = Number(value) * 1_000;
  return isPatience(answerWithinMs) ? { answerWithinMs } : {};
}
