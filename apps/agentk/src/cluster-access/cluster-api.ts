import { KubeClientError, readText, type KubeTransport } from "@binnacle/environment-view/transport";
import { parseJson, parseStatus } from "@binnacle/kube";
import { Fault } from "@binnacle/rpc";

import type { ImpersonatedIdentity } from "./impersonation.ts";

/** One answer; a discovery document is the largest. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** A request for JSON. */
export interface ApiCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query. */
  readonly target: string;
  readonly body?: unknown;
  /** Of the body; default JSON. */
  readonly contentType?: string;
  readonly signal: AbortSignal;
}

/** A response of the API server, with any status code. */
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

/** Sends requests as an identity; absent: as the agent itself. */
export type ApiAs = (identity?: ImpersonatedIdentity) => ClusterApi;

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

/** Requests over a way of the agent's own. */
export function createClusterApi(transport: KubeTransport): ClusterApi {
  return {
    async call({ method, target, body, contentType = "application/json", signal }) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body), contentType };
      try {
        const response = await transport.request({ method, path: target, accept: "application/json", ...sent }, signal);
        return { statusCode: response.status, value: parseJson(await readText(response, { mostBytes: MAX_ANSWER_BYTES })) };
      } catch (error) {
        if (signal.aborted) throw new Fault("cancelled", "given up");
        throw new Fault("cluster_unavailable", error instanceof KubeClientError ? error.message : "the API server broke off", {
          cause: error,
        });
      }
    },
  };
}
