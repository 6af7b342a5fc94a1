import { parseJson } from "@binnacle/kube";
import { Agent, request } from "undici";

import type { KubeAccess } from "./kubeconfig-file.ts";

/** An answer of the Kubernetes API; `body` is parsed JSON, or `undefined`. */
export interface KubeReply {
  readonly status: number;
  readonly body: unknown;
}

/** One request to the Kubernetes API. */
export interface KubeRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Path and query, "/api/v1/namespaces". */
  readonly path: string;
  readonly body?: unknown;
  /** Of a PATCH. */
  readonly contentType?: "application/apply-patch+yaml" | "application/merge-patch+json" | "application/json";
}

/** A small client of the Kubernetes API, enough to make the demo world. */
export class KubeHttp {
  readonly #access: KubeAccess;
  readonly #agent: Agent;

  constructor(access: KubeAccess) {
    this.#access = access;
    const { ca, clientCertificate: cert, clientKey: key } = access;
    this.#agent = new Agent({ connect: { ...(ca ? { ca } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) } });
  }

  /** @throws when the server cannot be reached; every status is an answer */
  async send(call: KubeRequest): Promise<KubeReply> {
    const { token, server } = this.#access;
    const answer = await request(server + call.path, {
      method: call.method,
      dispatcher: this.#agent,
      headers: {
        accept: "application/json",
        "user-agent": "binnacle-sandbox",
        ...(call.body === undefined ? {} : { "content-type": call.contentType ?? "application/json" }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: call.body === undefined ? null : JSON.stringify(call.body),
      headersTimeout: 20_000,
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, body: parseJson(text) };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** The sentence of a `Status` object, for messages. */
export function messageOf(reply: KubeReply): string {
  const message: unknown = typeof reply.body === "object" && reply.body !== null ? Reflect.get(reply.body, "message") : undefined;
  return `${reply.status} ${typeof message === "string" ? message : ""}`.trim();
}
