import type { KubeResponse, KubeTransport } from "@binnacle/environment-view/transport";
import { createStatus } from "@binnacle/kube";

import type { LogsRequest } from "../logs-request.ts";

const SECOND_MS = Date.parse("2026-01-01T00:00:00Z");

/**
 * A stand-in for an API server with pods of one container each in the namespace "app", whose logs have the same number of lines. It notes who asks, and
 * how many logs are read at a time.
 */
export class LogApi {
  readonly pods: readonly string[];
  readonly #linesOfPod: number;
  readonly #text: string;
  /** User and path of each request: "<user> <path>". */
  readonly requests: string[] = [];
  /** Users who may not read logs. */
  readonly refused = new Set<string>();
  /** Logs that are read now, and were at most. */
  open = 0;
  mostOpen = 0;

  constructor({ pods, linesOfPod, text = "x" }: { readonly pods: number; readonly linesOfPod: number; readonly text?: string }) {
    this.pods = Array.from({ length: pods }, (_, index) => `web-${index}`);
    this.#linesOfPod = linesOfPod;
    this.#text = text;
  }

  /** A transport to it as one user. */
  transportAs = (identity: LogsRequest["identity"]): KubeTransport => ({
    request: async ({ path }, signal) => {
      signal.throwIfAborted();
      const user = identity?.username ?? "agent";
      this.requests.push(`${user} ${path}`);
      const { pathname, searchParams } = new URL(path, "http://api.invalid");
      if (!pathname.endsWith("/log"))
        return searchParams.has("watch") ? answer(forever(signal)) : answer(once(JSON.stringify(this.#list())));
      if (this.refused.has(user)) return answer(once(JSON.stringify(createStatus(403, "pods/log is forbidden"))), 403);
      return answer(this.#log(searchParams, signal));
    },
  });

  async *#log(query: URLSearchParams, signal: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
    this.open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    try {
      const sinceMs = Date.parse(query.get("sinceTime") ?? "1970-01-01T00:00:00Z");
      for (let number = 0; number < this.#linesOfPod; number += 100) {
        signal.throwIfAborted();
        const lines = Array.from({ length: Math.min(100, this.#linesOfPod - number) }, (_, index) => number + index);
        const wanted = lines.filter((line) => SECOND_MS + line >= sinceMs);
        if (wanted.length > 0) yield Buffer.from(wanted.map((line) => `${timeOf(line)} ${line} ${this.#text}\n`).join(""));
      }
      if (query.get("follow") === "true") yield* forever(signal);
    } finally {
      this.open -= 1;
    }
  }

  #list(): object {
    const items = this.pods.map((name) => ({
      metadata: { name, namespace: "app", uid: `uid-${name}`, resourceVersion: "1" },
      spec: { containers: [{ name: "c", image: "i" }] },
      status: {
        phase: "Running",
        containerStatuses: [
          { name: "c", containerID: `containerd://${name}`, restartCount: 0, state: { running: { startedAt: "2026-01-01T00:00:00Z" } } },
        ],
      },
    }));
    return { kind: "PodList", apiVersion: "v1", metadata: { resourceVersion: "1" }, items };
  }
}

/** A line each millisecond. */
function timeOf(line: number): string {
  return new Date(SECOND_MS + line).toISOString().replace("Z", "000000Z");
}

function answer(body: AsyncGenerator<Uint8Array, void, void>, status = 200): KubeResponse {
  return { status, header: () => undefined, body, close: () => void body.return() };
}

async function* once(text: string): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(text);
}

async function* forever(signal: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
  await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  yield* [];
}
