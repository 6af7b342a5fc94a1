import type { KubeRequest, KubeResponse, KubeTransport } from "@binnacle/environment-view/transport";
import { nanosText } from "@binnacle/kube";

/** A line as the stand-in has it. */
export interface WrittenLine {
  readonly timeNanos: bigint;
  readonly text: string;
}

/** The log of one instance, which a test writes to. */
export class WrittenLog {
  readonly lines: WrittenLine[] = [];
  isOver = false;
  readonly #waiting = new Set<() => void>();

  write(...lines: readonly WrittenLine[]): void {
    this.lines.push(...lines);
    this.#wake();
  }

  end(): void {
    this.isOver = true;
    this.#wake();
  }

  /** Settles at the next change. */
  async changed(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.add(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** How the stand-in answers a request for a log. */
export interface LogFaults {
  /** Sizes of the chunks of a body, used again and again. */
  readonly chunkSizes?: readonly number[];
  /** After how many bytes the body breaks off, by the number of the request; none: it does not. */
  readonly breakAfter?: (request: number) => number | undefined;
  /** A status instead of the log. */
  readonly status?: (request: number) => number | undefined;
}

type PodJson = Readonly<Record<string, unknown>> & { readonly metadata: { readonly name: string; readonly namespace: string } };

/** A stand-in for an API server with pods and their logs, in memory: it serves what is requested of `pods` and `pods/log` here. */
export class LogClusterStandIn implements KubeTransport {
  readonly requests: string[] = [];
  readonly #pods = new Map<string, PodJson>();
  readonly #logs = new Map<string, { present?: WrittenLog; previous?: WrittenLog }>();
  readonly #watchers = new Set<(line: string) => void>();
  readonly #faults: LogFaults;
  #version = 1;
  #logRequests = 0;
  /** Status of lists of pods. */
  podsStatus = 200;
  /** Lines of logs that were read. */
  sentLines = 0;

  constructor(faults: LogFaults = {}) {
    this.#faults = faults;
  }

  get logRequests(): readonly string[] {
    return this.requests.filter((path) => path.includes("/log?"));
  }

  /** Shows a pod, or its new state, with the logs that its containers have from now on. */
  setPod(pod: PodJson, logs: Readonly<Record<string, { present?: WrittenLog; previous?: WrittenLog }>> = {}): void {
    const { name } = pod.metadata;
    for (const [container, of] of Object.entries(logs)) this.#logs.set(`${name}/${container}`, of);
    const isNew = !this.#pods.has(name);
    this.#pods.set(name, pod);
    this.#publish(isNew ? "ADDED" : "MODIFIED", pod);
  }

  removePod(name: string): void {
    const pod = this.#pods.get(name);
    if (pod === undefined) return;
    this.#pods.delete(name);
    this.#publish("DELETED", pod);
  }

  async request({ path }: KubeRequest, signal: AbortSignal): Promise<KubeResponse> {
    await Promise.resolve();
    this.requests.push(path);
    const url = new URL(path, "http://api");
    const log = /\/pods\/([^/]+)\/log$/.exec(url.pathname);
    if (log !== null) return this.#log(decodeURIComponent(log[1] ?? ""), url.searchParams, signal);
    if (this.podsStatus !== 200) return textResponse(this.podsStatus, "no");
    const named = /^metadata\.name=(.+)$/.exec(url.searchParams.get("fieldSelector") ?? "")?.[1];
    if (url.searchParams.get("watch") !== null) return response(200, this.#watch(named, signal));
    const items = [...this.#pods.values()].filter(({ metadata }) => named === undefined || metadata.name === named);
    return textResponse(200, JSON.stringify({ kind: "PodList", metadata: { resourceVersion: String(this.#version) }, items }));
  }

  #publish(type: string, pod: PodJson): void {
    this.#version += 1;
    const metadata = { ...pod.metadata, resourceVersion: String(this.#version) };
    const line = `${JSON.stringify({ type, object: { ...pod, apiVersion: "v1", kind: "Pod", metadata } })}\n`;
    for (const watcher of this.#watchers) watcher(line);
  }

  async *#watch(named: string | undefined, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const lines: string[] = [];
    let wake = (): void => {};
    const watcher = (line: string): void => {
      if (named === undefined || line.includes(`"name":"${named}"`)) lines.push(line);
      wake();
    };
    this.#watchers.add(watcher);
    signal.addEventListener("abort", () => wake(), { once: true });
    try {
      while (!signal.aborted) {
        for (let line = lines.shift(); line !== undefined; line = lines.shift()) yield Buffer.from(line);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#watchers.delete(watcher);
    }
  }

  #log(pod: string, query: URLSearchParams, signal: AbortSignal): KubeResponse {
    const number = this.#logRequests;
    this.#logRequests += 1;
    const status = this.#faults.status?.(number);
    if (status !== undefined) return textResponse(status, `status ${status}`);
    if (!this.#pods.has(pod)) return textResponse(404, "pod not found");
    const logs = this.#logs.get(`${pod}/${query.get("container") ?? ""}`);
    const log = query.get("previous") === "true" ? logs?.previous : logs?.present;
    if (log === undefined) return textResponse(400, "previous terminated container not found");
    return response(200, this.#chunks(this.#bytes(log, query, signal), this.#faults.breakAfter?.(number)));
  }

  async *#bytes(log: WrittenLog, query: URLSearchParams, signal: AbortSignal): AsyncGenerator<Buffer> {
    const sinceTime = query.get("sinceTime");
    const since = sinceTime === null ? 0n : BigInt(Date.parse(sinceTime)) * 1_000_000n;
    const tail = Number(query.get("tailLines") ?? Infinity);
    let next = Math.max(0, log.lines.length - tail);
    for (;;) {
      for (; next < log.lines.length; next += 1) {
        const line = log.lines[next];
        if (line === undefined || line.timeNanos < since) continue;
        this.sentLines += 1;
        yield Buffer.from(`${nanosText(line.timeNanos)} ${line.text}\n`);
      }
      if (query.get("follow") !== "true" || log.isOver || signal.aborted) return;
      await log.changed(signal);
    }
  }

  async *#chunks(source: AsyncIterable<Buffer>, breakAfter: number | undefined): AsyncGenerator<Uint8Array> {
    let left = breakAfter ?? Infinity;
    let turn = 0;
    const sizes = this.#faults.chunkSizes ?? [Infinity];
    for await (const bytes of source) {
      for (let at = 0; at < bytes.length;) {
        const size = Math.min(sizes[turn % sizes.length] ?? Infinity, left, bytes.length - at);
        turn += 1;
        if (size > 0) yield bytes.subarray(at, at + size);
        at += size;
        left -= size;
        if (left <= 0) throw new Error("the connection broke");
      }
    }
  }
}

function textResponse(status: number, text: string): KubeResponse {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from(text));
  }
  return response(status, body());
}

function response(status: number, body: AsyncIterable<Uint8Array>): KubeResponse {
  return { status, header: () => undefined, body, close: () => {} };
}
