import type { ClientHttp2Session } from "node:http2";

import { GRPC_CODE, NO_METADATA, type GrpcStatus, type Metadata } from "@binnacle/grpc-wire";
import { changeState, sleep, Slots, type BackoffOptions, type Clock, type Module, type StateTable } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { CallMetadata } from "../kas-link/call-metadata.ts";
import { RECONNECT_BACKOFF, type KasLink } from "../kas-link/kas-link.ts";
import { IdleCuts } from "../kas-link/idle-cuts.ts";
import { RefusalPace } from "../kas-link/refusal-pace.ts";
import type { AgentMethods } from "./agent-call.ts";
import { Tunnel, type TunnelEnd } from "./tunnel.ts";

/**
 * `filling` opens tunnels up to its target · `waiting` kas has refused one, and none is opened before the delay is over (or, when there is no
 * session by then, before the next session) · `probing` one tunnel is open, and its outcome decides · `draining` opens none, running calls may
 * end · `closed` for good.
 */
export type PoolState =
  | { readonly name: "filling" | "probing" | "closed" }
  | { readonly name: "waiting"; readonly cancelDelay: () => void }
  | { readonly name: "draining"; readonly onTunnelEnded: () => void };

/** `refused` that of a tunnel that counts · `probe` a tunnel is opened to find out · `accepted` kas has taken the probe. */
export type PoolEvent = "refused" | "probe" | "accepted" | "drain" | "close";

/** Every change of state of the pool. A new session replaces a probe that is open on the old one. */
export const POOL_STATES: StateTable<PoolState["name"], PoolEvent> = {
  filling: { refused: "waiting", drain: "draining", close: "closed" },
  waiting: { probe: "probing", drain: "draining", close: "closed" },
  probing: { probe: "probing", accepted: "filling", refused: "waiting", drain: "draining", close: "closed" },
  draining: { close: "closed" },
  closed: {},
};

/** How many tunnels. */
export interface PoolSize {
  /** Idle tunnels at the start, and the floor later. */
  readonly start: number;
  /** Fewer idle ones than this: the pool grows. */
  readonly minIdle: number;
  /** Idle and busy together. */
  readonly max: number;
  /** Idle tunnels above the floor are given back after this long, and up to half of it more. */
  readonly idleExpiryMs: number;
}

/** docs/design/tunnel.md "The pool of agentk". */
const POOL_SIZE: PoolSize = { start: 10, minIdle: 4, max: 500, idleExpiryMs: 60_000 };

/** Tunnels that kas ended unused right after they opened, in a row, before that counts as a refusal. */
const MAX_HASTY_ENDS = 50;
const EXPIRY_STEPS = 16;
/** Ended sooner than this is hasty; open longer than this without a word is accepted (Go's kas says nothing early). */
const HASTY_MS = 1_000;

/** What a pool needs. */
export interface TunnelPoolOptions {
  readonly link: Pick<KasLink, "session" | "onSession">;
  readonly metadata: Pick<CallMetadata, "get" | "refused">;
  readonly methods: AgentMethods;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long running calls may go on after the stop. */
  readonly graceMs: number;
  readonly size?: PoolSize;
  readonly backoff?: BackoffOptions;
}

/** How kas has taken a tunnel: `accepted` by an answer · `presumed` because it has not refused it for a while. */
type Acceptance = "accepted" | "presumed";

/** What is known of a tunnel that has ended, beside why. */
interface EndedTunnel {
  readonly session: ClientHttp2Session;
  readonly lifeMs: number;
  /** What becomes of it decides whether the pool fills. */
  readonly probe: boolean;
}

/** Keeps tunnels open on the link: one call each, replaced the moment they are taken, more when they get few. Refused tunnels wait out a backoff, cancelled calls do not. */
export class TunnelPool implements Module {
  readonly name = "tunnel-pool";
  readonly #options: TunnelPoolOptions;
  readonly #size: PoolSize;
  readonly #pace: RefusalPace;
  readonly #cuts: IdleCuts;
  readonly #tunnels = new Slots<Tunnel>();
  /** Idle tunnels that kas has: one that was just opened cannot take a call yet. */
  #ready = 0;
  /** Idle tunnels we want. */
  #target: number;
  #state: PoolState = { name: "filling" };
  #hastyEnds = 0;

  constructor(options: TunnelPoolOptions) {
    this.#options = options;
    this.#size = options.size ?? POOL_SIZE;
    this.#pace = new RefusalPace({
      clock: options.clock,
      log: options.log,
      backoff: options.backoff ?? RECONNECT_BACKOFF,
      words: { refused: "kas refused a tunnel", accepted: "kas takes tunnels again" },
    });
    this.#cuts = new IdleCuts(options.log, "tunnel");
    this.#target = this.#size.start;
  }

  get state(): PoolState["name"] {
    return this.#state.name;
  }

  /** Tunnels that carry nothing (kas may not have seen the newest yet). */
  get idle(): number {
    return this.#count("idle");
  }

  /** Tunnels that carry a call. */
  get busy(): number {
    return this.#count("busy");
  }

  async run(signal: AbortSignal): Promise<void> {
    const off = this.#options.link.onSession((session) => this.#onSession(session));
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    off();
  }

  /** Opens nothing more, gives idle tunnels back, and waits for running calls within the grace period. */
  async drain(deadline: AbortSignal): Promise<void> {
    const isEmpty = new AbortController();
    const onTunnelEnded = (): void => {
      if (this.busy === 0) isEmpty.abort();
    };
    this.#become("drain", { name: "draining", onTunnelEnded });
    this.#pace.close();
    for (const tunnel of this.#tunnels.values()) tunnel.retire();
    onTunnelEnded();
    await sleep(this.#options.clock, this.#options.graceMs, AbortSignal.any([isEmpty.signal, deadline]));
  }

  async close(): Promise<void> {
    this.#become("close", { name: "closed" });
    for (const tunnel of this.#tunnels.values()) tunnel.cancel();
  }

  #become(event: PoolEvent, next: PoolState): void {
    if (this.#state.name === "waiting") this.#state.cancelDelay();
    this.#state = changeState(POOL_STATES, this.#state, { event, next });
  }

  #onSession(session: ClientHttp2Session): void {
    this.#hastyEnds = 0;
    // While kas has us wait, a new connection is one new question, not ten: it may lead to another kas, and one that asks nothing is closed.
    if (this.state === "waiting" || this.state === "probing") this.#probe();
    else this.#fill();
    // Only now: kas has new tunnels before it loses the old ones.
    for (const tunnel of this.#tunnels.values()) if (tunnel.session !== session) tunnel.retire();
  }

  #fill(): void {
    const session = this.#options.link.session;
    if (this.state !== "filling" || !session || session.closed || session.destroyed) return;
    let idle = this.#tunnels.count((tunnel) => tunnel.state === "idle" && tunnel.session === session);
    for (; idle < this.#target && this.#tunnels.size < this.#size.max; idle += 1) if (!this.#openTunnel(session)) return;
  }

  #probe(): void {
    const session = this.#options.link.session;
    // Without a session the next one is the probe.
    if (!session) return;
    this.#become("probe", { name: "probing" });
    this.#openTunnel(session, true);
  }

  /** @param probe what becomes of it decides whether the pool fills */
  #openTunnel(session: ClientHttp2Session, probe = false): boolean {
    const { clock, metadata, methods } = this.#options;
    /** Whether kas has it and it is idle, and how that is known. */
    let standing: "opened" | Acceptance | "left" = "opened";
    const leave = (): void => {
      cancelExpiry();
      if (standing === "presumed" || standing === "accepted") this.#ready -= 1;
      standing = "left";
    };
    const openedAt = clock.now();
    const accept = (by: Acceptance): void => {
      standing = by;
      this.#ready += 1;
      cancelExpiry();
      // In steps: Node keeps a list of timers for each duration.
      cancelExpiry = clock.after(this.#size.idleExpiryMs * (1 + Math.floor(Math.random() * EXPIRY_STEPS) / EXPIRY_STEPS / 2), expire);
      this.#onAccepted(probe, by);
    };
    const prove = (): void => {
      if (standing === "opened") return accept("accepted");
      if (standing === "presumed") {
        if (this.state === "filling") this.#pace.accepted();
        standing = "accepted";
      }
    };
    const expire = (): void => {
      if (this.#target > this.#size.start && tunnel.state === "idle") {
        this.#target -= 1;
        tunnel.retire();
      } else {
        cancelExpiry = clock.after(this.#size.idleExpiryMs, expire);
      }
    };
    let cancelExpiry = clock.after(HASTY_MS, () => accept("presumed"));
    let call: ReturnType<CallMetadata["get"]>;
    try {
      call = metadata.get();
    } catch (error) {
      cancelExpiry();
      this.#onFailed(
        {
          code: GRPC_CODE.unauthenticated,
          message: `the token file cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        },
        NO_METADATA,
      );
      return false;
    }
    const tunnel = new Tunnel(
      { session, metadata: call, methods, clock },
      {
        accepted: prove,
        taken: () => {
          // Go's kas says nothing early: the call is the first word of it.
          prove();
          leave();
          this.#onTaken();
        },
        ended: (end) => {
          leave();
          this.#tunnels.remove(slot);
          // On an older connection we may have ended it ourselves.
          const probed = probe && session === this.#options.link.session;
          this.#onEnded(end, { session, lifeMs: clock.now() - openedAt, probe: probed });
        },
      },
    );
    const slot = this.#tunnels.add(tunnel);
    return true;
  }

  /** A tunnel that was opened before the refusal says nothing about the next one, and neither does the call that takes it. */
  #onAccepted(probe: boolean, by: Acceptance): void {
    this.#hastyEnds = 0;
    const isProbe = probe && this.state === "probing";
    if (!isProbe && this.state !== "filling") return;
    if (by === "accepted") this.#pace.accepted();
    else this.#pace.presumed();
    if (!isProbe) return;
    this.#become("accepted", { name: "filling" });
    this.#fill();
  }

  #onTaken(): void {
    if (this.#ready < this.#size.minIdle) this.#target = Math.min(this.#size.max, this.#target + Math.max(10, Math.ceil(this.#target / 4)));
    this.#fill();
  }

  #onEnded(end: TunnelEnd, { session, lifeMs, probe }: EndedTunnel): void {
    if (this.#state.name === "draining") this.#state.onTunnelEnded();
    if (end.kind === "failed") {
      const isOpen = !session.closed && !session.destroyed;
      if (isOpen && this.#cuts.isIdleCut({ session, isCut: end.isCut, lifeMs })) return this.#fill();
      return this.#onFailed(end.status, end.trailer);
    }
    const hasty = lifeMs < HASTY_MS;
    if (probe && this.state === "probing")
      return this.#onFailed({ code: GRPC_CODE.unavailable, message: "kas ended the first tunnel unused" }, NO_METADATA);
    if (end.kind === "unused" && hasty) {
      this.#hastyEnds += 1;
      if (this.#hastyEnds > MAX_HASTY_ENDS)
        return this.#onFailed({ code: GRPC_CODE.unavailable, message: "kas ends every tunnel at once" }, NO_METADATA);
    }
    this.#fill();
  }

  #onFailed(status: GrpcStatus, trailer: Metadata): void {
    const session = this.#options.link.session;
    // The link replaces a broken connection; its next session fills the pool.
    if (!session || session.destroyed || session.closed || (this.state !== "filling" && this.state !== "probing")) return;
    if (status.code === GRPC_CODE.unauthenticated) this.#options.metadata.refused();
    const cancelDelay = this.#options.clock.after(this.#pace.refused(status, trailer), () => this.#probe());
    this.#become("refused", { name: "waiting", cancelDelay });
  }

  #count(state: Tunnel["state"]): number {
    return this.#tunnels.count((tunnel) => tunnel.state === state);
  }
}
