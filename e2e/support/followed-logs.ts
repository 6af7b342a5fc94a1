import { createHash } from "node:crypto";

import { lineText, logProfile } from "@binnacle/kubelet-stand-in";
import { LogSourceState, type Logs, type LogPosition, type LogSource, type ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { Backoff, sleep, systemClock } from "@binnacle/rpc";
import { Code, ConnectError, type Client } from "@connectrpc/connect";

import { expect } from "./fixtures.ts";

const LAST_WORDS = "app: last words of this container";

/** The logs that are to be followed: names of the dashboard, and a reference to a workload. */
export type FollowedLogs = Pick<Parameters<Client<typeof Logs>["readLogs"]>[0], "projectPath" | "environment" | "refs">;

/** A Deployment "chatty" with a container "app" that writes so many lines a second into each of its pods, for `kubectl apply`. */
export function chattyDeployment(namespace: string, options: { readonly replicas: number; readonly rate: number }): string {
  return JSON.stringify({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "chatty", namespace },
    spec: {
      replicas: options.replicas,
      selector: { matchLabels: { app: "chatty" } },
      template: {
        metadata: { labels: { app: "chatty" }, annotations: { "bench.kas/log-rate": String(options.rate) } },
        spec: { containers: [{ name: "app", image: "busybox" }] },
      },
    },
  });
}

/** What streams have brought; each continues behind the positions of the one before. */
export class Seen {
  readonly sources = new Map<string, LogSource>();
  readonly texts = new Map<string, string[]>();
  readonly #positions = new Map<string, LogPosition>();
  readonly #keys = new Map<number, string>();
  gaps = 0;

  /** A stream begins: it has numbers of its own. @returns where it continues */
  begin(): LogPosition[] {
    this.#keys.clear();
    return [...this.#positions.values()];
  }

  add({ message }: ReadLogsResponse): void {
    if (message.case === "sources") for (const source of message.value.sources) this.#put(source);
    if (message.case === "gap") this.gaps += 1;
    if (message.case !== "lines") return;
    for (const { source, text } of message.value.lines) {
      const key = this.#keys.get(source) ?? "";
      this.texts.set(key, [...(this.texts.get(key) ?? []), text]);
    }
    for (const position of message.value.positions) this.#positions.set(`${position.pod} ${position.containerId}`, position);
  }

  #put(source: LogSource): void {
    const key = `${source.pod} ${source.containerId}`;
    const before = this.#keys.get(source.id);
    // It had no id of its container yet.
    if (before !== undefined && before !== key) this.sources.delete(before);
    this.#keys.set(source.id, key);
    this.sources.set(key, source);
  }

  /** Sources that are read now, with the number of their lines. */
  reading(): Map<string, number> {
    const open = [...this.sources].filter(([, { state }]) => state === LogSourceState.READING);
    return new Map(open.map(([key]) => [key, this.texts.get(key)?.length ?? 0]));
  }
}

/** Follows logs as a client does that opens its stream again, behind the last positions, whenever it breaks. */
export class LogFollower {
  readonly seen = new Seen();
  readonly #stop = new AbortController();
  readonly #reading: Promise<void>;
  #failure: unknown;
  breaks = 0;

  constructor(logs: Client<typeof Logs>, followed: FollowedLogs) {
    this.#reading = this.#read(logs, followed);
  }

  async #read(logs: Client<typeof Logs>, followed: FollowedLogs): Promise<void> {
    const { signal } = this.#stop;
    const backoff = new Backoff({ initialMs: 100, maxMs: 1_000 });
    while (!signal.aborted && this.#failure === undefined) {
      try {
        const request = { ...followed, follow: true, positions: this.seen.begin() };
        for await (const message of logs.readLogs(request, { signal })) this.seen.add(message);
      } catch (error) {
        if (signal.aborted) return;
        if (!isBreak(error)) this.#failure = error;
        this.breaks += 1;
      }
      if (!signal.aborted) await sleep(systemClock, backoff.nextMs(), signal);
    }
  }

  /** So many sources are read, each with more lines than it had in `before`, or than none. */
  async expectReading(sources: number, more: number, before: ReadonlyMap<string, number> = new Map()): Promise<void> {
    const goneOn = (): number => [...this.seen.reading()].filter(([key, count]) => count > (before.get(key) ?? 0) + more).length;
    await expect.poll(() => this.#failure ?? goneOn(), { timeout: 90_000 }).toBeGreaterThanOrEqual(sources);
  }

  /** Stops, and holds every line that was read against what the containers wrote. */
  async expectWhole(sources: number): Promise<void> {
    this.#stop.abort();
    await this.#reading;
    expect(this.#failure).toBeUndefined();
    expect(this.seen.gaps).toBe(0);
    expect(this.seen.sources.size).toBe(sources);
    for (const [key, source] of this.seen.sources) expectWhole(source, this.seen.texts.get(key) ?? []);
  }
}

/** A server that is gone, or goes in the middle of its answer. */
export function isBreak(error: unknown): boolean {
  return error instanceof ConnectError && [Code.Unavailable, Code.Aborted, Code.Unknown].includes(error.code);
}

/** Holds what was read of a container against what it wrote: the first lines, each once, and at its end the last words. */
function expectWhole(source: LogSource, texts: readonly string[]): void {
  // Simulated nodes give no ids of containers: it is that of the lines.
  const profile = logProfile({}, { seed: source.containerId, container: "app", startedMs: 0 });
  const hasEnded = texts.at(-1) === LAST_WORDS;
  const count = hasEnded ? texts.length - 1 : texts.length;
  const written = Array.from({ length: count }, (_, n) => lineText(profile, n));
  const sum = (lines: readonly string[]): string => createHash("sha256").update(lines.join("\n")).digest("hex");
  expect(sum(texts), `${source.pod}: ${count} lines`).toBe(sum(hasEnded ? [...written, LAST_WORDS] : written));
}
