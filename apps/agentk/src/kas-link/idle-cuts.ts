import type { ClientHttp2Session } from "node:http2";

import type { Logger } from "@binnacle/telemetry";

/** A stream that ended sooner was not idle: every stream would end like that, so the next one opens after a delay. */
const IDLE_MS = 1_000;

/** How a stream has ended. */
export interface EndedStream {
  readonly session: ClientHttp2Session;
  /** Not by a word of kas. @see GrpcCallListener.end */
  readonly isCut: boolean;
  readonly lifeMs: number;
}

/**
 * Tells streams that a proxy between us and kas has ended from those that kas has. Proxies end what is idle for a while: that is normal, the
 * stream is opened again at once, and it is one line in the log for each connection.
 */
export class IdleCuts {
  readonly #log: Pick<Logger, "info" | "debug">;
  readonly #stream: string;
  readonly #logged = new WeakSet<ClientHttp2Session>();

  /** @param stream what it is, for the log */
  constructor(log: Pick<Logger, "info" | "debug">, stream: string) {
    this.#log = log;
    this.#stream = stream;
  }

  /** Whether the stream was cut while idle, so that it is to be opened again without a delay. */
  isIdleCut({ session, isCut, lifeMs }: EndedStream): boolean {
    if (!isCut || lifeMs < IDLE_MS) return false;
    const level = this.#logged.has(session) ? "debug" : "info";
    this.#logged.add(session);
    this.#log[level]({ stream: this.#stream, idle_ms: lifeMs }, "closed by an intermediary");
    return true;
  }
}
