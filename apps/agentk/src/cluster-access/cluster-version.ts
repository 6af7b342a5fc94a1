import { Patience, sleep, type Clock } from "@binnacle/rpc";

import type { ClusterClient } from "./cluster-client.ts";
import { Untyped } from "./untyped.ts";

/** Version of the API server as kas reports it. */
export interface ClusterVersion {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  readonly platform: string;
}

const MAX_BYTES = 64 * 1024;

/**
 * Reads `GET /version`, which everybody may, again when the API server had no room for it. Resolves with undefined when it cannot be had
 * before the signal aborts; never fails.
 *
 * @param clock measures the waits
 */
export async function readClusterVersion(client: ClusterClient, clock: Clock, signal: AbortSignal): Promise<ClusterVersion | undefined> {
  const patience = new Patience({ maxMs: Number.POSITIVE_INFINITY });
  while (!signal.aborted) {
    const answer = await ask(client, signal);
    const delayMs = answer.statusCode === 429 ? patience.nextMs(answer.retryAfter) : undefined;
    if (delayMs === undefined) return answer.statusCode === 200 ? parseVersion(answer.text) : undefined;
    await sleep(clock, delayMs, signal);
  }
  return undefined;
}

interface Answer {
  /** 0 when there was none, or one that was too long. */
  readonly statusCode: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

const NONE: Answer = { statusCode: 0, retryAfter: undefined, text: "" };

function ask(client: ClusterClient, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let head = NONE;
    const abort = (): void => {
      running.abort(new Error("given up"));
      settle(NONE);
    };
    const settle = (answer: Answer): void => {
      signal.removeEventListener("abort", abort);
      resolve(answer);
    };
    const running = client.request(
      { method: "GET", target: "/version", headers: ["Accept", "application/json"], contentLength: undefined, body: undefined },
      {
        header: (statusCode, _text, headers) => (head = { statusCode, retryAfter: headers["retry-after"], text: "" }),
        data: (chunk) => {
          bytes += chunk.byteLength;
          if (bytes <= MAX_BYTES) chunks.push(chunk);
        },
        end: () => settle(bytes <= MAX_BYTES ? { ...head, text: Buffer.concat(chunks).toString("utf8") } : NONE),
        error: () => settle(NONE),
      },
    );
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
  });
}

function parseVersion(text: string): ClusterVersion | undefined {
  try {
    const version = new Untyped(JSON.parse(text), "version");
    const part = (key: string): string => version.get(key).text() ?? "";
    return { major: part("major"), minor: part("minor"), gitVersion: part("gitVersion"), platform: part("platform") };
  } catch {
    return undefined;
  }
}
