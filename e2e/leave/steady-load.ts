import { Agent, request } from "node:https";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

/** What a request came to. */
export interface LoadResult {
  readonly nr: number;
  readonly kind: Kind;
  /** Status code, or what broke. */
  readonly outcome: number | string;
  /** The response stated that the connection ends with it. */
  readonly isLast: boolean;
  readonly startedMs: number;
}

/** A reader on a kept connection, one on a new one, one whose handshake takes its time, and a writer. */
type Kind = "kept" | "new" | "slow-handshake" | "write";

const KINDS: readonly Kind[] = ["kept", "kept", "kept", "new", "slow-handshake", "write"];
const SLOW_MS = [10, 100, 300, 600] as const;
const ANSWER_MS = 30_000;

/** Where requests go. */
export interface LoadTarget {
  readonly port: number;
  readonly ca: string;
  readonly authorization: string;
}

/** Requests at a steady pace, whatever becomes of those before; none is tried twice. */
export class SteadyLoad {
  readonly #target: LoadTarget;
  readonly #kept: Agent;
  readonly #timer: NodeJS.Timeout;
  readonly #running = new Set<Promise<void>>();
  readonly #results: LoadResult[] = [];
  #nr = 0;

  constructor(target: LoadTarget, perSecond: number) {
    this.#target = target;
    // In turn, so that each is used several times a second: one that idles may be closed under the very request that wakes it, which
    // clients of HTTP repeat (RFC 9112 §9.3.1) and these do not.
    this.#kept = new Agent({ keepAlive: true, ca: target.ca, maxSockets: 16, scheduling: "fifo" });
    this.#timer = setInterval(() => this.#start(), 1_000 / perSecond);
  }

  /** Requests begun so far. */
  get started(): number {
    return this.#nr;
  }

  /** Begins no more, and waits for those that run. */
  async stop(): Promise<readonly LoadResult[]> {
    clearInterval(this.#timer);
    await Promise.all(this.#running);
    this.#kept.destroy();
    return this.#results;
  }

  #start(): void {
    const nr = (this.#nr += 1);
    const kind = KINDS[nr % KINDS.length] ?? "kept";
    const startedMs = performance.now();
    const running = this.#send(nr, kind).then((answer) => {
      this.#results.push({ nr, kind, startedMs, ...answer });
      this.#running.delete(running);
    });
    this.#running.add(running);
  }

  /** Never rejects. */
  async #send(nr: number, kind: Kind): Promise<Pick<LoadResult, "outcome" | "isLast">> {
    const { port, ca, authorization } = this.#target;
    try {
      const socket = kind === "slow-handshake" ? await lateHandshake(port, SLOW_MS[nr % SLOW_MS.length] ?? 0) : undefined;
      return await new Promise((resolve, reject) => {
        const sent = request({
          host: "127.0.0.1",
          port,
          ca,
          headers: { authorization },
          method: kind === "write" ? "POST" : "GET",
          path: `/api/v1/namespaces/n/configmaps/${nr}`,
          agent: kind === "kept" || kind === "write" ? this.#kept : false,
          timeout: ANSWER_MS,
          ...(socket === undefined ? {} : { createConnection: () => connectTls({ socket, ca, host: "127.0.0.1" }) }),
        });
        sent.on("response", (response) => {
          response.on("error", reject);
          const isLast = response.headers.connection === "close";
          response.on("end", () => resolve({ outcome: response.statusCode ?? 0, isLast }));
          response.resume();
        });
        sent.on("timeout", () => sent.destroy(new Error("no answer")));
        sent.on("error", reject);
        sent.end(kind === "write" ? "{}" : undefined);
      });
    } catch (error) {
      return { outcome: error instanceof Error ? error.message : String(error), isLast: false };
    }
  }
}

/** A connection that is open for a while before its client begins with TLS. */
function lateHandshake(port: number, ms: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", reject);
    socket.once("connect", () => setTimeout(() => resolve(socket), ms));
  });
}
