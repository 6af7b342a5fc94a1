import { Fault } from "@binnacle/rpc";

import type { KasRoute } from "../agent-tracker/route-store.ts";
import type { AgentCall, AgentCallListener, AgentCallRequest } from "../agent-call/agent-call.ts";
import type { NoTunnelReason } from "./gateway-frames.ts";
import { PeerCall, type PeerOutcome } from "./peer-call.ts";
import type { RouteFinder, RouteResult } from "./route-finder.ts";
import type { TunnelRouterOptions } from "./tunnel-router-options.ts";

/** What a search needs. */
export interface TunnelSearchOptions extends TunnelRouterOptions {
  readonly finder: RouteFinder;
  readonly request: AgentCallRequest;
  readonly listener: AgentCallListener;
  readonly resolve: (call: AgentCall) => void;
  readonly reject: (fault: unknown) => void;
}

/** One question to one other kas. */
interface Attempt {
  readonly route: KasRoute;
  readonly startedMs: number;
  /** It has answered that it has no tunnel yet, and why. */
  answered: NoTunnelReason | undefined;
  over: boolean;
  call: PeerCall | undefined;
  cancelTimer: () => void;
}

const MAX_ASKING = 3;
const MAX_ATTEMPTS = 8;
/** The next kas is asked when the last one has been silent for this long. */
const HEDGE_MS = 15;
const SILENCE_MS = 5_000;
/** A gateway that let us wait this long may be asked again at once: it limits the pace itself. */
const WAITED_MS = 1_000;

/**
 * The search for a tunnel on behalf of one caller: waits in the queue of this kas and asks other kas at the same time. The first
 * tunnel wins; everything else is taken back, and reserved tunnels elsewhere become free again.
 */
export class TunnelSearch {
  readonly #options: TunnelSearchOptions;
  readonly #attempts = new Map<string, Attempt>();
  /** What each kas that has a route said last. */
  readonly #outcomes = new Map<string, { readonly route: KasRoute; readonly outcome: PeerOutcome }>();
  #queue: KasRoute[] = [];
  #storeFault: Fault | undefined;
  #settled = false;
  #cleanUps: (() => void)[] = [];
  #cancelHedge = (): void => {};

  constructor(options: TunnelSearchOptions) {
    this.#options = options;
  }

  begin(): void {
    const { registry, request, clock, finder, tokens, listener } = this.#options;
    try {
      this.#cleanUps.push(registry.wait(request, (tunnel) => this.#win(() => tunnel.start({ ...request, hops: 0 }, listener))));
    } catch (error) {
      return this.#fail(error);
    }
    const left = (): void => this.#fail(new Fault("cancelled", "the caller left"));
    request.signal.addEventListener("abort", left, { once: true });
    this.#cleanUps.push(
      () => request.signal.removeEventListener("abort", left),
      clock.after(request.context.waitMs, () => this.#fail(this.#reason())),
      () => this.#cancelHedge(),
    );
    if (tokens) this.#cleanUps.push(finder.watch(request.agentId, (result) => this.#onRoutes(result)));
  }

  #onRoutes(result: RouteResult): void {
    if (this.#settled) return;
    if (result.kind === "failed") {
      this.#storeFault = result.fault;
      return;
    }
    this.#storeFault = undefined;
    const known = new Set(result.routes.map((route) => route.kasId));
    for (const kasId of this.#outcomes.keys()) if (!known.has(kasId)) this.#outcomes.delete(kasId);
    const asked = shuffled(result.routes.filter((route) => !this.#attempts.has(route.kasId)));
    // A kas that is leaving comes last: it can still serve, but its agents are on their way to another.
    this.#queue = asked.toSorted((a, b) => Number(a.draining) - Number(b.draining));
    this.#askNext();
  }

  /** Asks one kas now, and another one when it is silent for 15 ms. */
  #askNext(): void {
    this.#cancelHedge();
    if (this.#settled || this.#attempts.size >= MAX_ATTEMPTS) return;
    const asking = [...this.#attempts.values()].filter((attempt) => attempt.answered === undefined).length;
    const route = asking < MAX_ASKING ? this.#queue.shift() : undefined;
    if (!route) return;
    void this.#ask(route); // never rejects
    this.#cancelHedge = this.#options.clock.after(HEDGE_MS, () => this.#askNext());
  }

  async #ask(route: KasRoute): Promise<void> {
    const { clock, peers, tokens, request, listener } = this.#options;
    const attempt: Attempt = { route, startedMs: clock.now(), answered: undefined, over: false, call: undefined, cancelTimer: () => {} };
    this.#attempts.set(route.kasId, attempt);
    attempt.cancelTimer = clock.after(SILENCE_MS, () => this.#silent(attempt));
    try {
      const session = await peers.session(route);
      const token = tokens?.sign(route.kasId, request.agentId);
      if (this.#settled || attempt.over || token === undefined) return;
      const peer = route.urls.join(", ");
      const call = new PeerCall(
        { session, request, token, peer },
        {
          noTunnel: (reason) => {
            attempt.answered = reason;
            attempt.cancelTimer();
            this.#askNext();
          },
          ready: () => {
            if (this.#settled) return call.cancel();
            // Out of the table first: the winner must not be cancelled with the others.
            this.#drop(attempt);
            this.#win(() => call.start(listener));
          },
          ended: (outcome) => this.#over(attempt, outcome),
        },
      );
      attempt.call = call;
    } catch (error) {
      this.#over(attempt, { kind: "failed", message: error instanceof Error ? error.message : String(error) });
    }
  }

  #silent(attempt: Attempt): void {
    attempt.call?.cancel();
    this.#over(attempt, { kind: "failed", message: "no answer" });
  }

  #over(attempt: Attempt, outcome: PeerOutcome): void {
    if (attempt.over) return;
    this.#drop(attempt);
    this.#outcomes.set(attempt.route.kasId, { route: attempt.route, outcome });
    const waited = this.#options.clock.now() - attempt.startedMs >= WAITED_MS;
    if (outcome.kind !== "failed" && waited) this.#queue.push(attempt.route);
    this.#askNext();
  }

  #drop(attempt: Attempt): void {
    attempt.over = true;
    attempt.cancelTimer();
    this.#attempts.delete(attempt.route.kasId);
  }

  #win(start: () => AgentCall): void {
    this.#settle();
    this.#options.resolve(start());
  }

  #fail(error: unknown): void {
    if (this.#settled) return;
    this.#settle();
    this.#options.reject(error);
  }

  #settle(): void {
    this.#settled = true;
    for (const cleanUp of this.#cleanUps) cleanUp();
    this.#cleanUps = [];
    for (const attempt of this.#attempts.values()) {
      this.#drop(attempt);
      attempt.call?.cancel();
    }
  }

  /** Why there was no tunnel in time, as exactly as we know. */
  #reason(): Fault {
    const { registry, request } = this.#options;
    const agent = `agent ${request.agentId}`;
    const presence = registry.presence(request);
    const outcomes = [...this.#outcomes.values()];
    const attempts = [...this.#attempts.values()];
    const said = new Set<string | undefined>([
      presence,
      ...outcomes.map((each) => each.outcome.kind),
      ...attempts.map((each) => each.answered),
    ]);
    if (said.has("busy") || said.has("free")) {
      return new Fault("tunnels_busy", `${agent} is connected, but none of its tunnels became free in ${request.context.waitMs} ms`, {
        retryAfterSeconds: 1,
      });
    }
    if (said.has("outdated"))
      return new Fault(
        "agent_outdated",
        `${agent} is connected, but does not offer ${request.method}${request.impersonation === true ? " on behalf of users" : ""}; is it up to date?`,
      );
    for (const { route, outcome } of outcomes) {
      if (outcome.kind === "failed") return peerFault(agent, route, outcome.message);
    }
    const silent = attempts.find((attempt) => attempt.answered === undefined);
    if (silent) return peerFault(agent, silent.route, "no answer");
    if (this.#storeFault) return this.#storeFault;
    return new Fault("agent_not_connected", `${agent} was not connected in ${request.context.waitMs} ms`, { retryAfterSeconds: 5 });
  }
}

function peerFault(agent: string, route: KasRoute, reason: string): Fault {
  return new Fault("peer_unreachable", `${agent} is connected to kas ${route.urls.join(", ")}, which cannot be reached: ${reason}`, {
    retryAfterSeconds: 5,
  });
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
