import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

import type { Clock } from "@binnacle/rpc";

import type { KubeBody, KubeMethod, KubeRequest, KubeTransport } from "./kube-transport.ts";
import { readText } from "./read-body.ts";

/** A transport to a server of the suite. */
export interface TransportUnderTest {
  readonly transport: KubeTransport;
  /** The server goes away: its address does not answer any more. */
  leave(): Promise<void>;
  /** Ends all connections, and the server. */
  close(): Promise<void>;
}

/** Opens a server with this handler, and a transport to it. The path that the handler sees is the requested one. */
export type OpenTransport = (serve: RequestListener, clock: Clock) => Promise<TransportUnderTest>;

/** The transport that a test of the suite asks through. */
export interface TransportScene {
  /** A transport to a server with this handler; closed after the test. Default clock: the system's. */
  readonly transportTo: (handler: Handler, clock?: Clock) => Promise<KubeTransport>;
  /** The server goes away. */
  readonly leave: () => Promise<void>;
}

/** What a server of the suite does with a request. */
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Never aborts. */
export const NEVER = new AbortController().signal;
/** Bytes. */
export const MIB = 1024 * 1024;
/** What is changed. */
export const PATH = "/apis/apps/v1/namespaces/a/deployments/web";
const PATCHES = [
  "application/merge-patch+json",
  "application/json-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];
/** Every way to change something: method and content type. */
export const CHANGES: readonly (readonly [KubeMethod, string])[] = [
  ["POST", "application/json"],
  ["PUT", "application/json"],
  ["DELETE", "application/json"],
  ...PATCHES.map((type) => ["PATCH", type] as const),
];
/** A request as a server of the suite has read it. */
export interface Arrival {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly type: string | undefined;
  readonly accept: string | undefined;
  readonly text: string;
  /** The client ended the body. */
  readonly isWhole: boolean;
}

/** A request as the server has read it, whole or broken off. */
export async function arrivalOf(request: IncomingMessage): Promise<Arrival> {
  const chunks: Uint8Array[] = [];
  request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  await new Promise<void>((resolve) =>
    request
      .on("end", resolve)
      .on("error", () => resolve())
      .on("close", resolve),
  );
  const { method, url, headers, complete } = request;
  const text = Buffer.concat(chunks).toString("utf8");
  return { method, url, type: headers["content-type"], accept: headers.accept, text, isWhole: complete };
}

/** A source that counts. */
export class Source implements AsyncIterable<Uint8Array> {
  pulled = 0;
  returned = 0;
  readonly #next: (turn: number) => Promise<Uint8Array>;

  constructor(next: (turn: number) => Promise<Uint8Array>) {
    this.#next = next;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: async () => ({ done: false, value: await this.#next(this.pulled++) }),
      return: () => {
        this.returned += 1;
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }
}

/** A body in these pieces. */
export async function* streamOf(pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(Buffer.from(piece));
}

/** A change with this body. */
export function change(body: KubeBody): KubeRequest {
  return { method: "PATCH", path: PATH, accept: "application/json", contentType: "application/merge-patch+json", body };
}

/** An outcome that can be looked at. */
export function outcomeOf(promise: Promise<unknown>): { settled: boolean; error: unknown } {
  const outcome = { settled: false, error: undefined as unknown };
  promise.then(
    () => (outcome.settled = true),
    (error: unknown) => Object.assign(outcome, { settled: true, error }),
  );
  return outcome;
}

/** The status and the text of an answer. */
export async function answerOf(transport: KubeTransport, request: KubeRequest): Promise<{ status: number; text: string }> {
  const response = await transport.request(request, NEVER);
  return { status: response.status, text: await text(response) };
}

/** The whole body of an answer. */
export function text(response: Awaited<ReturnType<KubeTransport["request"]>>): Promise<string> {
  return readText(response, { mostBytes: MIB });
}
