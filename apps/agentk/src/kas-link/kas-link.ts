import type { ClientHttp2Session } from "node:http2";

import { keepAlive } from "@binnacle/grpc-wire";
import { Backoff, nextState, sleep, type BackoffOptions, type Clock, type Module, type StateTable } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { AgentEvents } from "../agent-events/agent-events.ts";

/**
 * `connecting` one dial is in progress, and there is no session for new calls · `open` there is one · `replacing` kas has sent GOAWAY: the old
 * session finishes what runs on it while the next one is dialled · `waiting` the delay before the next dial · `stopped` for good.
 */
export type LinkState = "connecting" | "open" | "replacing" | "waiting" | "stopped";

/** `goaway` is that of a session to be replaced at once; one that was too young for that has `ended`. */
export type LinkEvent = "opened" | "dial-failed" | "goaway" | "ended" | "delay-over" | "stop";

/** Every change of state of the link. */
export const LINK_STATES: StateTable<LinkState, LinkEvent> = {
  connecting: { opened: "open", "dial-failed": "waiting", stop: "stopped" },
  open: { goaway: "replacing", ended: "waiting", stop: "stopped" },
  replacing: { opened: "open", "dial-failed": "waiting", stop: "stopped" },
  waiting: { "delay-over": "connecting", stop: "stopped" },
  stopped: {},
};

/** Full jitter, 0.5 s to 20 s: what kas can bear when a thousand agents come back at once. */
export const RECONNECT_BACKOFF: BackoffOptions = { initialMs: 500, maxMs: 20_000 };

/** A session that lived this long was a good one; the next failure starts from the smallest delay. */
const STABLE_AFTER_MS = 5_000;

/** Sessions that still finish what runs on them. A kas that asks for a new connection again and again must not make us keep them all. */
const MAX_OLD_SESSIONS = 4;
/** Longest reason that is logged. */
const MAX_REASON_CHARACTERS = 300;

/** A GOAWAY to a session that lived this long is answered at once, without a delay. */
const PATIENT_AFTER_MS = 1_000;

const LAST_WORDS_MS = 50;

/** What a link needs. */
export interface KasLinkOptions {
  /** Opens a session, or fails with a Fault. */
  readonly dial: (signal: AbortSignal) => Promise<ClientHttp2Session>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Records connections that open and end. */
  readonly agentEvents?: Pick<AgentEvents, "record">;
  readonly backoff?: BackoffOptions;
  /** Default 25 s and 10 s; Go servers refuse less than 20 s. */
  readonly keepAlive?: { readonly intervalMs: number; readonly timeoutMs: number };
}

/** How a session ended. */
interface SessionEnd {
  readonly goaway: boolean;
  /** From the moment it was open. */
  readonly lifeMs: number;
}

/** The one connection to kas. `run` keeps it open for ever; its states are those of `LinkState`. */
export class KasLink implements Module {
  readonly name = "kas-link";
  readonly #options: KasLinkOptions;
  readonly #listeners = new Set<(session: ClientHttp2Session) => void>();
  readonly #sessions = new Set<ClientHttp2Session>();
  #state: LinkState = "connecting";
  #session: ClientHttp2Session | undefined;
  /** Why kas could not be reached, as it was logged last; undefined after a connection. */
  #unreachable: string | undefined;

  constructor(options: KasLinkOptions) {
    this.#options = options;
  }

  get state(): LinkState {
    return this.#state;
  }

  /** The session for new calls; undefined while there is none. */
  get session(): ClientHttp2Session | undefined {
    return this.#session && !this.#session.closed && !this.#session.destroyed ? this.#session : undefined;
  }

  /** Calls `listener` with every session that opens, and at once with the one that is open. The returned function takes it back. */
  onSession(listener: (session: ClientHttp2Session) => void): () => void {
    this.#listeners.add(listener);
    if (this.session) listener(this.session);
    return () => void this.#listeners.delete(listener);
  }

  /** The open session, or the next one; undefined when the signal aborts first. */
  waitForSession(signal: AbortSignal): Promise<ClientHttp2Session | undefined> {
    return new Promise((resolve) => {
      if (signal.aborted || this.session) return resolve(signal.aborted ? undefined : this.session);
      const settle = (session: ClientHttp2Session | undefined): void => {
        off();
        signal.removeEventListener("abort", abort);
        resolve(session);
      };
      const abort = (): void => settle(undefined);
      const off = this.onSession(settle);
      signal.addEventListener("abort", abort, { once: true });
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const backoff = new Backoff(this.#options.backoff ?? RECONNECT_BACKOFF);
    while (!signal.aborted) {
      const end = await this.#connect(signal);
      if (signal.aborted) break;
      // Only the duration of a session counts. A dial, however long it took, was no success.
      if (end !== undefined && end.lifeMs >= STABLE_AFTER_MS) backoff.reset();
      // Idle tunnels of the old session still serve; the sooner the new one is there, the better.
      if (end?.goaway === true && end.lifeMs >= PATIENT_AFTER_MS) {
        this.#become("goaway");
        continue;
      }
      this.#become(end === undefined ? "dial-failed" : "ended");
      await sleep(clock, backoff.nextMs(), signal);
      if (!signal.aborted) this.#become("delay-over");
    }
    this.#become("stop");
  }

  /** Lets out what was just written. */
  drain(deadline: AbortSignal): Promise<void> {
    return sleep(this.#options.clock, LAST_WORDS_MS, deadline);
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    this.#options.log.info("left kas");
  }

  /** Dials, and uses the session until it ends. @returns undefined when there was none */
  async #connect(signal: AbortSignal): Promise<SessionEnd | undefined> {
    const { clock, log, agentEvents } = this.#options;
    let session: ClientHttp2Session;
    try {
      session = await this.#options.dial(signal);
    } catch (error) {
      if (!signal.aborted) this.#logFailure(error instanceof Error ? error.message : String(error));
      return undefined;
    }
    const openedAtMs = clock.now();
    this.#become("opened");
    this.#unreachable = undefined;
    log.info("connected to kas");
    agentEvents?.record({ what: "connected" });
    const { reason, goaway } = await this.#use(session, signal);
    if (goaway) log.info({ reason }, "kas requested a new connection");
    else if (!signal.aborted && reason === undefined) log.info("connection ended without GOAWAY: by an intermediary, or kas has ended");
    else if (!signal.aborted) log.warn({ reason }, "connection to kas lost");
    if (!signal.aborted) agentEvents?.record({ what: goaway ? "connection-replaced" : "connection-lost" });
    return { goaway, lifeMs: clock.now() - openedAtMs };
  }

  #become(event: LinkEvent): void {
    this.#state = nextState(LINK_STATES, this.#state, event);
  }

  /** The first attempt that fails, and each new reason, is news; the same again is not. */
  #logFailure(reason: string): void {
    const fields = { reason: reason.slice(0, MAX_REASON_CHARACTERS) };
    if (this.#unreachable === fields.reason) this.#options.log.debug(fields, "cannot connect to kas");
    else this.#options.log.warn(fields, "cannot connect to kas");
    this.#unreachable = fields.reason;
  }

  /** Settles when new calls need another session, with why; without a reason it was closed in order, but kas had not sent GOAWAY. */
  #use(session: ClientHttp2Session, signal: AbortSignal): Promise<{ readonly reason: string | undefined; readonly goaway: boolean }> {
    const { clock } = this.#options;
    this.#sessions.add(session);
    for (const oldest of this.#sessions) {
      if (this.#sessions.size <= MAX_OLD_SESSIONS + 1) break;
      this.#sessions.delete(oldest);
      oldest.destroy();
    }
    this.#session = session;
    keepAlive(session, { clock, intervalMs: 25_000, timeoutMs: 10_000, ...this.#options.keepAlive });
    return new Promise((resolve) => {
      let reason: string | undefined;
      const finish = (why: string | undefined, goaway = false): void => {
        signal.removeEventListener("abort", abort);
        if (this.#session === session) this.#session = undefined;
        resolve({ reason: why, goaway });
      };
      const abort = (): void => finish("stopping");
      session.on("error", (error) => (reason = error.message));
      session.on("goaway", (code) => finish(`GOAWAY with code ${code}`, code === 0));
      session.on("close", () => {
        this.#sessions.delete(session);
        finish(reason);
      });
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) return abort();
      if (session.destroyed || session.closed) return finish(reason);
      for (const listener of this.#listeners) listener(session);
    });
  }
}
