import { Agent, request } from "node:http";

import { eventually } from "@binnacle/testing";

import type { ChaosWorld } from "./chaos-world.ts";

/** What a request came to. */
export interface LoadOutcome {
  /** Status code, the reason of a refusal behind it, or the code of a broken connection. */
  readonly code: string;
  readonly ms: number;
}

const PER_SECOND = 20;
/** Longer than any wait of ours: whatever takes so long was forgotten. */
const DEADLINE_MS = 60_000;
const NEVER_ANSWERED = "never answered";

/** Requests at a steady pace to every agent through every kas, each third a write of its own path; none is sent twice. */
export class ChaosLoad {
  readonly outcomes: LoadOutcome[] = [];
  readonly #world: ChaosWorld;
  readonly #kept = new Agent({ keepAlive: true, maxSockets: 16, scheduling: "fifo" });
  readonly #timer: NodeJS.Timeout;
  readonly #running = new Set<Promise<void>>();
  #nr = 0;

  constructor(world: ChaosWorld) {
    this.#world = world;
    this.#timer = setInterval(() => this.#start(), 1_000 / PER_SECOND);
  }

  /** Waits until so many more have begun, and gives what ended meanwhile. */
  async more(count: number): Promise<readonly LoadOutcome[]> {
    const [ended, goal] = [this.outcomes.length, this.#nr + count];
    await eventually(() => (this.#nr >= goal ? undefined : "the load has stopped"), (count / PER_SECOND) * 1_000 + DEADLINE_MS);
    return this.outcomes.slice(ended);
  }

  /** Waits until all that have begun by now have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Begins no more, and waits for those that run. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.settled();
    this.#kept.destroy();
  }

  #start(): void {
    const nr = (this.#nr += 1);
    const started = performance.now();
    const running = this.#send(nr)
      .catch((error: unknown) => codeOf(error))
      .then((code) => {
        this.outcomes.push({ code, ms: performance.now() - started });
        this.#running.delete(running);
      });
    this.#running.add(running);
  }

  #send(nr: number): Promise<string> {
    const kas = this.#world.kas[nr % 2];
    const agentId = (Math.floor(nr / 2) % 2) + 1;
    const [host, port] = (kas?.addresses.k8sProxy ?? "").split(":");
    const isWrite = nr % 3 === 0;
    return new Promise((resolve, reject) => {
      const sent = request({
        host,
        port,
        agent: this.#kept,
        method: isWrite ? "POST" : "GET",
        path: `/api/v1/namespaces/n/configmaps/${nr}`,
        headers: { authorization: `Bearer pat:${agentId}:user-1` },
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      sent.on("response", (response) => {
        response.on("error", reject);
        const refusal = response.headers["kas-refusal"];
        const named = refusal === undefined || refusal === String(response.statusCode) ? "" : ` ${String(refusal)}`;
        response.on("end", () => resolve(`${response.statusCode}${named}`));
        response.resume();
      });
      sent.on("error", reject);
      sent.end(isWrite ? "{}" : undefined);
    });
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "AbortError") return NEVER_ANSWERED;
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
