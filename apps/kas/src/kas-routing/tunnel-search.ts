import { callerKey } from "../agent-call/call-context.ts";
import { Fault } from "@binnacle/rpc";

import type { KasRoute } from "../agent-tracker/route-store.ts";
import type { AgentCall, AgentCallListener, AgentCallRequest } from "../agent-call/agent-call.ts";
import { fieldsOf } from "../agent-call/guarded-listener.ts";
import type { Tunnel } from "../reverse-tunnel/tunnel.ts";
import { PeerCall, type PeerCallHandlers, type PeerOutcome } from "./peer-call.ts";
import { reportPeerViolation } from "./peer-violation.ts";
import type { PeerLease } from "./peer-sessions.ts";
import type { PeerWaits } from "./peer-waits.ts";
import type { RouteFinder, RouteResult } from "./route-finder.ts";
import { refusalOf, timeoutFault, type Verdict } from "./search-verdict.ts";
import type { TunnelRouterOptions } from "./tunnel-router-options.ts";

/** What a search needs. */
export interface TunnelSearchOptions extends TunnelRouterOptions {
  readonly finder: RouteFinder;
  /** Absent: no other kas is queried. */
  readonly waits: PeerWaits | undefined;
  readonly request: AgentCallRequest;
  readonly listener: AgentCallListener;
  /** Starts the call on a tunnel of this kas. */
  readonly startHere: (tunnel: Tunnel) => AgentCall;
  readonly resolve: (call: AgentCall) => void;
  readonly reject: (fault: unknown) => void;
}

/** One question to one other kas. */
interface Attempt {
  readonly route: KasRoute;
  over: boolean;
  call: PeerCall | undefined;
  cancelTimer: () => void;
}

const MAX_ASKING = 3;
/** Other kas at which one caller asks and waits. */
const MAX_PLACES = 8;
/** The next kas is queried when the last one has not answered for this long. */
const HEDGE_MS = 15;
/** A kas with busy tunnels of the agent looks elsewhere only then: mostly one of them is free again before. */
const LOOKUP_AFTER_MS = 15;
const SILENCE_MS = 5_000;
/** How often it is looked at whether waiting still makes sense. */
const JUDGE_MS = 400;
/** The pause after a kas held a tunnel for us and then had none; doubled each time. */
const LOST_TICKET_MS = 50;
const MAX_LOST_TICKET_MS = 2_000;

/**
 * The search for a tunnel on behalf of one caller: waits in the queue of this kas, asks other kas at the same time, and waits in the
 * queues of those that have the agent, which takes no stream. The first tunnel wins; everything else is taken back, and reserved
 * tunnels elsewhere become free again.
 */
export class TunnelSearch {
  readonly #options: TunnelSearchOptions;
  readonly #attempts = new Map<string, Attempt>();
  /** How to leave the queue of each other kas. */
  readonly #waits = new Map<string, () => void>();
  /** The last answer of each kas that has a route. */
  readonly #verdicts = new Map<string, Verdict>();
  readonly #lostTickets = new Map<string, number>();
  #queue: KasRoute[] = [];
  /** Why this kas will not serve the caller; it may have what others have not. */
  #refusedHere: Fault | undefined;
  /** A look-up has returned the other kas. */
  #routesKnown = false;
  #storeFault: Fault | undefined;
  #provisional = false;
  #settled = false;
  #cleanUps: (() => void)[] = [];
  #cancelHedge = (): void => {};
  #cancelJudge = (): void => {};

  constructor(options: TunnelSearchOptions) {
    this.#options = options;
  }

  begin(): void {
    const { request, clock, waits } = this.#options;
    this.#waitHere();
    const left = (): void => this.#fail(new Fault("cancelled", "the caller left"));
    request.signal.addEventListener("abort", left, { once: true });
    this.#keep(() => request.signal.removeEventListener("abort", left));
    this.#keep(clock.after(request.context.waitMs, () => this.#fail(this.#timeout())));
    if (!waits) this.#routesKnown = true;
    else if (this.#here() === "busy") this.#keep(clock.after(LOOKUP_AFTER_MS, () => this.#lookElsewhere()));
    else this.#lookElsewhere();
    this.#judge();
    this.#judgeLater();
  }

  #waitHere(): void {
    const { registry, request, startHere } = this.#options;
    const refuse = (fault: Fault): void => {
      this.#refusedHere = fault;
      this.#judge();
    };
    try {
      this.#keep(registry.wait(request, (tunnel) => this.#win(() => startHere(tunnel)), refuse));
    } catch (error) {
      if (error instanceof Fault && error.reason !== "queue_full") this.#refusedHere = error;
      else this.#fail(error);
    }
  }

  #lookElsewhere(): void {
    const { finder, request } = this.#options;
    if (!this.#settled) this.#keep(finder.watch(request.agentId, (result) => this.#onRoutes(result)));
  }

  #onRoutes(result: RouteResult): void {
    if (this.#settled) return;
    if (result.kind === "failed") {
      this.#storeFault = result.fault;
      return;
    }
    this.#storeFault = undefined;
    this.#routesKnown = true;
    const known = new Set(result.routes.map((route) => route.kasId));
    for (const kasId of this.#verdicts.keys()) if (!known.has(kasId)) this.#forget(kasId);
    const unqueried = shuffled(result.routes.filter(({ kasId }) => !this.#attempts.has(kasId) && !this.#waits.has(kasId)));
    // A kas that is leaving comes last: it can still serve, but its agents are on their way to another.
    this.#queue = unqueried.toSorted((a, b) => Number(a.draining) - Number(b.draining));
    for (const { kasId } of this.#queue) if (!this.#verdicts.has(kasId)) this.#verdicts.set(kasId, { kind: "asking" });
    this.#askNext();
    this.#judge();
  }

  #forget(kasId: string): void {
    this.#verdicts.delete(kasId);
    this.#leave(kasId);
  }

  /** Asks one kas now, and another one when it is silent for 15 ms. */
  #askNext(): void {
    this.#cancelHedge();
    if (this.#settled || this.#attempts.size >= MAX_ASKING || this.#attempts.size + this.#waits.size >= MAX_PLACES) return;
    const route = this.#queue.shift();
    if (!route) return;
    void this.#ask(route); // never rejects
    this.#cancelHedge = this.#options.clock.after(HEDGE_MS, () => this.#askNext());
  }

  async #ask(route: KasRoute, ticket?: string): Promise<void> {
    const { clock, peers, ledger, tokens, request } = this.#options;
    const attempt: Attempt = { route, over: false, call: undefined, cancelTimer: () => {} };
    this.#attempts.set(route.kasId, attempt);
    attempt.cancelTimer = clock.after(SILENCE_MS, () => this.#silent(attempt));
    let lease: PeerLease | undefined;
    try {
      lease = await peers.lease(route);
      const token = tokens?.sign(route.kasId, request.agentId);
      if (this.#settled || attempt.over || token === undefined) return lease.release();
      const account = ledger?.open({ kind: "user", id: callerKey(request.context.caller) }, (fault) => attempt.call?.cut(fault));
      attempt.call = new PeerCall({ lease, request, token, ticket, account }, this.#handlersOf(attempt, ticket));
    } catch (error) {
      lease?.release();
      this.#over(attempt, { kind: "failed", message: error instanceof Error ? error.message : String(error) });
    }
  }

  #handlersOf(attempt: Attempt, ticket: string | undefined): PeerCallHandlers {
    const { request, metrics, log, listener } = this.#options;
    const fields = { ...fieldsOf(request), peer: attempt.route.urls };
    return {
      ready: () => {
        const { call } = attempt;
        if (this.#settled || !call) return call?.cancel();
        // Out of the table first: the winner must not be cancelled with the others.
        this.#drop(attempt);
        this.#win(() => call.start(listener));
      },
      ended: (outcome) => {
        const { kasId } = attempt.route;
        if (ticket !== undefined) this.#lostTickets.set(kasId, (this.#lostTickets.get(kasId) ?? 0) + 1);
        this.#over(attempt, outcome);
      },
      violated: (fault) => reportPeerViolation({ metrics, log, agentId: request.agentId }, fault),
      broke: (message) => log.warn({ ...fields, reason: message }, "a call through another kas broke"),
    };
  }

  #silent(attempt: Attempt): void {
    attempt.call?.cancel();
    this.#over(attempt, { kind: "failed", message: "no answer" });
  }

  #over(attempt: Attempt, outcome: PeerOutcome): void {
    if (attempt.over) return;
    this.#drop(attempt);
    if (this.#settled) return;
    const { route } = attempt;
    const message = outcome.kind === "failed" ? `kas ${route.urls.join(", ")}: ${outcome.message}` : "";
    this.#verdicts.set(route.kasId, outcome.kind === "failed" ? { kind: "failed", message } : outcome);
    if (outcome.kind !== "failed" && outcome.kind !== "refused") this.#waitAt(route);
    this.#askNext();
    this.#judge();
  }

  /** In the queue of another kas; later when tunnels it held for us were gone when we came. */
  #waitAt(route: KasRoute): void {
    const lost = this.#lostTickets.get(route.kasId) ?? 0;
    if (lost === 0) return this.#waitAtNow(route);
    const pauseMs = Math.min(MAX_LOST_TICKET_MS, LOST_TICKET_MS * 2 ** Math.min(lost, 10));
    const cancel = this.#options.clock.after(pauseMs, () => this.#waitAtNow(route));
    this.#waits.set(route.kasId, cancel);
    this.#keep(cancel);
  }

  #waitAtNow(route: KasRoute): void {
    const { waits, request } = this.#options;
    if (this.#settled || !waits) return;
    const { kasId } = route;
    const left = (verdict: Verdict): void => {
      this.#waits.delete(kasId);
      this.#verdicts.set(kasId, verdict);
      this.#judge();
    };
    const leave = waits.wait(route, request, {
      ready: (ticket) => {
        left({ kind: "busy" });
        void this.#ask(route, ticket); // never rejects
      },
      refused: (fault) => left({ kind: "refused", fault }),
      failed: (message) => left({ kind: "failed", message: `kas ${route.urls.join(", ")}: ${message}` }),
    });
    this.#waits.set(kasId, leave);
  }

  #leave(kasId: string): void {
    const leave = this.#waits.get(kasId);
    this.#waits.delete(kasId);
    leave?.();
  }

  #drop(attempt: Attempt): void {
    attempt.over = true;
    attempt.cancelTimer();
    this.#attempts.delete(attempt.route.kasId);
  }

  /** Rejects at once, or after a second check, what no wait can fix. */
  #judge(): void {
    if (this.#settled || !this.#routesKnown || this.#storeFault) return;
    const refusal = refusalOf(this.#options.request, this.#places());
    if (!refusal) this.#provisional = false;
    else if (!refusal.provisional) this.#fail(refusal.fault);
  }

  #judgeLater(): void {
    if (this.#settled) return;
    this.#cancelJudge = this.#options.clock.after(JUDGE_MS, () => {
      const known = this.#routesKnown && !this.#storeFault;
      const refusal = known ? refusalOf(this.#options.request, this.#places()) : undefined;
      if (refusal && this.#provisional) return this.#fail(refusal.fault);
      this.#provisional = refusal !== undefined;
      this.#judgeLater();
    });
  }

  #places(): readonly Verdict[] {
    const here: Verdict = this.#refusedHere ? { kind: "refused", fault: this.#refusedHere } : { kind: this.#here() };
    return [here, ...this.#verdicts.values()];
  }

  #here(): ReturnType<TunnelRouterOptions["registry"]["presence"]> {
    return this.#options.registry.presence(this.#options.request);
  }

  #timeout(): Fault {
    const fault = timeoutFault(this.#options.request, this.#places());
    return fault.reason === "agent_not_connected" ? (this.#storeFault ?? fault) : fault;
  }

  #win(start: () => AgentCall): void {
    this.#settle();
    try {
      this.#options.resolve(start());
    } catch (error) {
      this.#options.reject(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#settled) return;
    this.#settle();
    this.#options.reject(error);
  }

  /** Runs `cleanUp` when the search is over, at once if it is. */
  #keep(cleanUp: () => void): void {
    if (this.#settled) cleanUp();
    else this.#cleanUps.push(cleanUp);
  }

  #settle(): void {
    this.#settled = true;
    this.#cancelHedge();
    this.#cancelJudge();
    for (const cleanUp of this.#cleanUps.splice(0)) cleanUp();
    for (const kasId of this.#waits.keys()) this.#leave(kasId);
    for (const attempt of this.#attempts.values()) {
      this.#drop(attempt);
      attempt.call?.cancel();
    }
  }
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
