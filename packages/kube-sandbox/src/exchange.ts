import type { IncomingMessage, ServerResponse } from "node:http";

import type { Upgrade } from "@binnacle/kubelet-stand-in";

import { ApiError } from "./api-error.ts";
import type { User } from "./identity.ts";
import type { RequestTarget } from "./request-target.ts";

/** Largest request body taken, as the API server's own bound. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;

/** One request, after authentication, and the answer to it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: RequestTarget;
  readonly query: URLSearchParams;
  readonly verb: string;
  /** The connection of a request that asks for another protocol. */
  readonly upgrade: Upgrade | undefined;
  readonly user: User;
  /** Aborts when the client has left or the server stops. */
  readonly signal: AbortSignal;
  /** Sentences for the `Warning` header; added while the answer is made. */
  readonly warnings: string[];
}

/** A whole answer: JSON text and its status code. */
export interface Answer {
  readonly code: number;
  readonly body: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The whole body of a request.
 *
 * @throws ApiError 413 beyond 3 MiB
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    // Without setEncoding() a request yields buffers.
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > MAX_BODY_BYTES) throw new ApiError(413, "RequestEntityTooLarge", `Request entity too large: limit is ${MAX_BODY_BYTES}`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** `application/json` of `application/json; charset=utf-8`, in lower case. */
export function contentTypeOf(request: IncomingMessage): string {
  return (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** `dryRun=All`. */
export function isDryRun(query: URLSearchParams): boolean {
  return query.get("dryRun") === "All";
}

/** Name under which a writer's fields are remembered: `fieldManager`, else the first word of the User-Agent. */
export function managerOf({ query, request }: Exchange): string {
  const named = query.get("fieldManager");
  if (named !== null && named !== "") return named;
  return (request.headers["user-agent"] ?? "unknown").split("/")[0]?.slice(0, 128) ?? "unknown";
}
