import {
  KubeClientError,
  type Discovery,
  type KindListRequest,
  type KindStreamRequest,
  type KindWatchRequest,
  type KubeClient,
  type ObjectRequest,
} from "@binnacle/environment-view";
import type { KubeObject, ObjectList, WatchEvent } from "@binnacle/kube";
import type { ViewSpec } from "@binnacle/proto/kas-views";
import { systemClock, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { words } from "@binnacle/words";

import { agentViewsStream, agentViewStream, type AgentViewMessage, type PlacedWord, type ViewStreamSource } from "./agent-view-stream.ts";
import type { ConfigurationProblem, KasAccess } from "./kas-access.ts";

/** One subscriber's hold on a credential. */
interface Seat {
  readonly session: string | undefined;
}

/** A credential that may carry requests, and who has it. */
interface Carrier {
  readonly access: KasAccess;
  readonly gone: AbortController;
  readonly seats: Set<Seat>;
  /** Sessions that have brought the credential and were not ended on purpose; `undefined` for one that ends elsewhere. */
  readonly sessions: Set<string | undefined>;
  /** It had another identity at the last check. */
  moved: boolean;
}

/**
 * The credentials of all subscribers of one cluster identity, and the client whose requests travel with one of them, the carrier.
 * When that one leaves or is refused, its requests break off, and the next ones travel with another's.
 */
export class CredentialPool {
  /** As the identity that all subscribers have. */
  readonly client: KubeClient;
  readonly #carriers = new Map<string, Carrier>();
  readonly #log: Logger;
  readonly #keepsLast: boolean;
  readonly #clock: Clock;
  #lastAheadMs: number | undefined;

  /** @param keepsLast the credential of the last subscriber is used until another one joins, for requests that go on meanwhile */
  constructor(log: Logger, { keepsLast, clock = systemClock }: { readonly keepsLast: boolean; readonly clock?: Clock }) {
    this.#log = log;
    this.#keepsLast = keepsLast;
    this.#clock = clock;
    this.client = this.#carriedClient();
  }

  /** Subscribers that have not left. */
  get users(): number {
    let users = 0;
    for (const carrier of this.#carriers.values()) users += carrier.seats.size;
    return users;
  }

  /** What kas reported last about the agent's configuration; it is the same for every identity. */
  get configurationProblem(): ConfigurationProblem | undefined {
    for (const carrier of this.#carriers.values()) return carrier.access.configurationProblem;
    return undefined;
  }

  /** A subscriber joins; the returned function takes it out again. */
  join(access: KasAccess): () => void {
    const known = this.#carriers.get(access.credentialKey);
    const carrier = known ?? { access, gone: new AbortController(), seats: new Set(), sessions: new Set(), moved: false };
    const seat: Seat = { session: access.session };
    carrier.seats.add(seat);
    carrier.sessions.add(access.session);
    carrier.moved = false;
    this.#carriers.set(access.credentialKey, carrier);
    // A credential that was retained without subscribers is replaced.
    for (const other of this.#carriers.values()) if (other.seats.size === 0) this.#drop(other, "left");
    return () => {
      if (carrier.seats.delete(seat) && carrier.seats.size === 0) this.#drop(carrier, "left");
    };
  }

  /** A session was ended on purpose: what only it has brought carries nothing from this moment on, not even for who may come back. */
  sessionEnded(session: string): void {
    for (const carrier of this.#carriers.values()) {
      if (!carrier.sessions.delete(session)) continue;
      for (const seat of carrier.seats) if (seat.session === session) carrier.seats.delete(seat);
      if (carrier.sessions.size === 0) this.#drop(carrier, "signed_out");
    }
  }

  /** The credential is no longer good: it carries nothing from now on. */
  refuse(access: KasAccess): void {
    const carrier = this.#carriers.get(access.credentialKey);
    if (carrier) this.#drop(carrier, "refused");
  }

  /**
   * The credential has another identity now. Other subscribers with it find out by themselves; until then it carries
   * only what no other credential can, and when the last of them has left nothing.
   */
  moved(access: KasAccess): void {
    const carrier = this.#carriers.get(access.credentialKey);
    if (carrier) carrier.moved = true;
  }

  /** A view of the agent, streamed with the credential of one subscriber for all of them. @throws KubeClientError as `agentViewStream` */
  async *viewStream(spec: ViewSpec, signal: AbortSignal): AsyncGenerator<AgentViewMessage, void, void> {
    const carrier = this.#carrier();
    try {
      yield* agentViewStream(this.#sourceOf(carrier), spec, AbortSignal.any([signal, carrier.gone.signal]));
    } catch (error) {
      throw this.#judged(carrier, error);
    }
  }

  /** Several of them. @throws KubeClientError as `agentViewsStream` */
  async *viewsStream(specs: readonly ViewSpec[], signal: AbortSignal): AsyncGenerator<PlacedWord, void, void> {
    const carrier = this.#carrier();
    try {
      yield* agentViewsStream(this.#sourceOf(carrier), specs, AbortSignal.any([signal, carrier.gone.signal]));
    } catch (error) {
      throw this.#judged(carrier, error);
    }
  }

  #sourceOf({ access }: Carrier): ViewStreamSource {
    return { transport: access.kas, clock: this.#clock };
  }

  #drop(carrier: Carrier, why: "left" | "refused" | "signed_out"): void {
    if (this.#carriers.get(carrier.access.credentialKey) !== carrier) return;
    // What it carries lives on for a while, in case its tab is only reloading.
    if (this.#keepsLast && this.#carriers.size === 1 && why === "left" && !carrier.moved) return;
    this.#carriers.delete(carrier.access.credentialKey);
    carrier.gone.abort();
    this.#log.info({ why, carriers: this.#carriers.size }, "a credential stopped carrying a view");
  }

  #carrier(): Carrier {
    for (const carrier of this.#carriers.values()) if (carrier.seats.size > 0 && !carrier.moved) return carrier;
    for (const carrier of this.#carriers.values()) return carrier;
    throw new KubeClientError("unauthorized", words("request/no-carrier"));
  }

  async #carry<T>(signal: AbortSignal, action: (client: KubeClient, signal: AbortSignal) => Promise<T>): Promise<T> {
    const carrier = this.#carrier();
    try {
      return await action(carrier.access.client, AbortSignal.any([signal, carrier.gone.signal]));
    } catch (error) {
      throw this.#judged(carrier, error);
    }
  }

  #judged(carrier: Carrier, error: unknown): unknown {
    if (error instanceof KubeClientError && error.failure === "unauthorized") this.#drop(carrier, "refused");
    return error;
  }

  /** As the first who has measured it says; the clock of the cluster is the same for all of them, and stays when they leave. */
  #aheadMs(): number | undefined {
    for (const { access } of this.#carriers.values()) {
      if (access.client.aheadMs === undefined) continue;
      this.#lastAheadMs = access.client.aheadMs;
      break;
    }
    return this.#lastAheadMs;
  }

  #carriedClient(): KubeClient {
    // Arrow functions: the client belongs to this object only.
    const carry = this.#carry.bind(this);
    const carrierNow = this.#carrier.bind(this);
    const judged = this.#judged.bind(this);
    const aheadMs = (): number | undefined => this.#aheadMs();
    return {
      get aheadMs() {
        return aheadMs();
      },
      discover: (etag: string | undefined, signal: AbortSignal): Promise<Discovery | undefined> =>
        carry(signal, (client, inner) => client.discover(etag, inner)),
      list: (request: KindListRequest, signal: AbortSignal): Promise<ObjectList> =>
        carry(signal, (client, inner) => client.list(request, inner)),
      get: (request: ObjectRequest, signal: AbortSignal): Promise<KubeObject> =>
        carry(signal, (client, inner) => client.get(request, inner)),
      async *watch(request: KindWatchRequest, signal: AbortSignal): AsyncIterable<WatchEvent> {
        const carrier = carrierNow();
        try {
          yield* carrier.access.client.watch(request, AbortSignal.any([signal, carrier.gone.signal]));
        } catch (error) {
          throw judged(carrier, error);
        }
      },
      async *stream(request: KindStreamRequest, signal: AbortSignal): AsyncIterable<WatchEvent> {
        const carrier = carrierNow();
        try {
          yield* carrier.access.client.stream(request, AbortSignal.any([signal, carrier.gone.signal]));
        } catch (error) {
          throw judged(carrier, error);
        }
      },
    };
  }
}
