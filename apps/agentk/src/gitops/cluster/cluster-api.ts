import { Readable } from "node:stream";

import { parseJson, parseStatus } from "@binnacle/kube";
import { Fault, type Clock } from "@binnacle/rpc";

import { PRODUCT } from "../../build-info.ts";
import type { ClusterClient } from "../../cluster-access/cluster-client.ts";
import { impersonationHeaders, type ImpersonatedIdentity } from "../../kubernetes-api/impersonation.ts";

/** One answer; a discovery document is the largest. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** No request of GitOps waits for anything but the API server itself. */
const DEADLINE_MS = 60_000;

/** A request for JSON. */
export interface ApiCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query. */
  readonly target: string;
  readonly body?: unknown;
  /** Of the body; default JSON. */
  readonly contentType?: string;
  /** As whom; default: the agent itself. */
  readonly as?: ImpersonatedIdentity | undefined;
  readonly signal: AbortSignal;
}

/** What the API server said, whatever it was. */
export interface ApiAnswer {
  readonly statusCode: number;
  /** Decoded JSON; undefined when it is none. */
  readonly value: unknown;
}

/** Requests as the agent itself. Tests put something in between. */
export interface ClusterApi {
  /** @throws Fault `cluster_unavailable` when there is no answer, `cancelled` when the signal has aborted */
  call(call: ApiCall): Promise<ApiAnswer>;
}

/** Whether the answer is a success. */
export function isOk(answer: ApiAnswer): boolean {
  return answer.statusCode >= 200 && answer.statusCode < 300;
}

/** What an API server says about a failure, for people; never empty. */
export function reasonOf(answer: ApiAnswer): string {
  const message = parseStatus(answer.value)?.message ?? "";
  return message === "" ? `the API server answered ${answer.statusCode}` : message;
}

/** The failure of a request without which there is nothing to go on with. */
export function refusal(what: string, answer: ApiAnswer): Fault {
  return new Fault("cluster_unavailable", `${what}: ${reasonOf(answer)}`);
}

/** Requests over the agent's own connections, with its own credential. @param part of agentk, for the API server's audit log */
export function createClusterApi(client: ClusterClient, clock: Clock, part = "gitops"): ClusterApi {
  return {
    call: ({ method, target, body, contentType = "application/json", as, signal }) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(new Fault("cancelled", "given up"));
        const identity = impersonationHeaders({ own: client.identity, kas: as, client: [] }).flat();
        const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
        const chunks: Buffer[] = [];
        let [size, statusCode] = [0, 0];
        const settle = (end: () => void): void => {
          cancelDeadline();
          signal.removeEventListener("abort", abort);
          end();
        };
        const giveUp = (fault: Fault): void => {
          running.abort(fault);
          settle(() => reject(fault));
        };
        const abort = (): void => giveUp(new Fault("cancelled", "given up"));
        const cancelDeadline = clock.after(DEADLINE_MS, () =>
          giveUp(new Fault("cluster_unavailable", "the API server has not answered within a minute")),
        );
        signal.addEventListener("abort", abort, { once: true });
        const headers = ["Accept", "application/json", "User-Agent", `${PRODUCT} ${part}`, ...identity];
        if (bytes) headers.push("Content-Type", contentType);
        const running = client.request(
          { method, target, headers, contentLength: bytes?.byteLength, body: bytes && Readable.from([bytes]) },
          {
            header: (code) => (statusCode = code),
            data: (chunk) => {
              size += chunk.byteLength;
              if (size > MAX_ANSWER_BYTES) giveUp(new Fault("cluster_unavailable", "the answer of the API server is larger than 16 MiB"));
              else chunks.push(chunk);
            },
            end: () => settle(() => resolve({ statusCode, value: parseJson(Buffer.concat(chunks).toString("utf8")) })),
            error: (error) =>
              settle(() =>
                reject(error instanceof Fault ? error : new Fault("cluster_unavailable", "the API server broke off", { cause: error })),
              ),
          },
        );
      }),
  };
}
