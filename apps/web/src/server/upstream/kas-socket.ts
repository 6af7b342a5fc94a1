import type { IncomingMessage } from "node:http";

import { apiFailureOf, KubeClientError } from "@binnacle/environment-view";
import { words } from "@binnacle/words";
import type { WebSocket } from "ws";

import type { DialSocket, HttpDialer } from "./http-dialer.ts";

/** A WebSocket to the Kubernetes API. */
export type KasSocketRequest = Pick<DialSocket, "path" | "protocols" | "mostMessageBytes">;

/** What sockets are opened with. */
export interface KasSocketOptions {
  readonly dialer: HttpDialer;
  /** Headers of the viewer's credential; with `renew` fresh ones, or `undefined` when there are none. */
  readonly headers: (ask: { renew: boolean; signal: AbortSignal }) => Promise<Record<string, string> | undefined>;
}

type Attempt = { readonly socket: WebSocket } | { readonly refused: IncomingMessage };

/**
 * Opens a WebSocket to the Kubernetes API behind kas's k8s-proxy, with the viewer's credential, which is renewed once when kas refuses it: an
 * upgrade that was refused has done nothing. The socket is paused until its caller resumes it. An upgrade is a request like any other: what an
 * answer that is no 101 says is thrown, and its connection is not used again.
 *
 * @throws KubeClientError; Fault as `headers`
 */
export async function openKasSocket(options: KasSocketOptions, request: KasSocketRequest, signal: AbortSignal): Promise<WebSocket> {
  const first = await attempt(options, { request, renew: false, signal });
  const tried =
    first && "refused" in first && isRefusedByKas(first.refused) ? await again(options, first.refused, { request, signal }) : first;
  if (!tried || ("refused" in tried && isRefusedByKas(tried.refused))) {
    if (tried) tried.refused.destroy();
    throw new KubeClientError("unauthorized", words("request/credential-refused"), { stage: "not_started" });
  }
  if ("socket" in tried) return tried.socket;
  const { refused } = tried;
  throw await apiFailureOf({
    status: refused.statusCode ?? 502,
    header: (name) => {
      const value = refused.headers[name.toLowerCase()];
      return typeof value === "string" ? value : value?.[0];
    },
    body: refused,
    close: () => void refused.destroy(),
  });
}

interface Asked {
  readonly request: KasSocketRequest;
  readonly signal: AbortSignal;
}

function again(options: KasSocketOptions, refused: IncomingMessage, asked: Asked): Promise<Attempt | undefined> {
  refused.destroy();
  return attempt(options, { ...asked, renew: true });
}

async function attempt(
  { dialer, headers }: KasSocketOptions,
  { request, renew, signal }: Asked & { readonly renew: boolean },
): Promise<Attempt | undefined> {
  const credential = await headers({ renew, signal });
  if (!credential) return undefined;
  if (signal.aborted) throw new KubeClientError("connection", words("request/kas-silent"), { stage: "not_started" });
  const socket = dialer.webSocket({ ...request, headers: credential });
  return new Promise((resolve, reject) => {
    const cut = (): void => socket.terminate();
    signal.addEventListener("abort", cut, { once: true });
    const settled = (): void => signal.removeEventListener("abort", cut);
    socket.once("open", () => {
      settled();
      socket.pause();
      resolve({ socket });
    });
    socket.once("unexpected-response", (_request, refused: IncomingMessage) => {
      settled();
      resolve({ refused });
    });
    // Stays: a socket that breaks later says so by its end.
    socket.on("error", (cause) => {
      settled();
      reject(new KubeClientError("connection", words("request/kas-silent"), { cause, stage: "started" }));
    });
  });
}

function isRefusedByKas({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 401 && headers["gitlab-unauthorized"] !== undefined;
}
